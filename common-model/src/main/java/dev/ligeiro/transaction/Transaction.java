package dev.ligeiro.transaction;

import dev.ligeiro.pix.PixKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An immutable state of a transaction; a move returns a new one. The gateway creates transactions, only the processor changes
 * them.
 *
 * @param id also holds the time of creation
 * @param version the sequence of the latest announced change; the store's compare-and-set compares it
 * @param accepted whether the processor has accepted it; until then the gateway republishes it
 * @param commission fixed at creation
 * @param platform the id of a platform registered to the merchant
 * @param reference the merchant's own identifier, unique per tenant; null when not given
 * @param extra the merchant's free text, unchanged; null when not given
 * @param endToEndId the payment's id on the rail, set before the first rail call
 * @param pixKey the receiver's key of a cashout; null for a cashin
 * @param brCode the text of the payer's QR code; null for a cashout
 * @param events the history, oldest first, never empty
 */
public record Transaction(
        TransactionId id,
        Tenant tenant,
        Operation operation,
        Status status,
        int version,
        boolean accepted,
        Amount amount,
        Amount commission,
        Party payer,
        String description,
        UUID platform,
        @Nullable String reference,
        @Nullable String extra,
        String endToEndId,
        @Nullable PixKey pixKey,
        @Nullable String brCode,
        List<StatusEvent> events) {

    public Transaction {
        events = List.copyOf(events);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("events: empty (expected: at least the creation)");
        }
    }

    public Instant createdAt() {
        return id.createdAt();
    }

    /** The API's {@code finished}: the time of the last event if {@link Status#isFinished}, else null. */
    public @Nullable Instant finishedAt() {
        return status.isFinished() ? lastEvent().at() : null;
    }

    /** The latest entry of the history. */
    public StatusEvent lastEvent() {
        return events.get(events.size() - 1);
    }

    /** The statuses to which it may move now. */
    public Set<Status> allowedMoves() {
        return Transition.allowed(operation, status);
    }

    /**
     * Moves this transaction to {@code to}: the result is accepted and has the next version and one more event.
     *
     * @throws InvalidTransition if {@link Transition} does not allow the move
     */
    public Transaction moveTo(Status to, Instant at, StatusEvent.Source source, @Nullable String reason) {
        if (!allowedMoves().contains(to)) {
            throw new InvalidTransition(status, to, allowedMoves());
        }
        List<StatusEvent> history = new ArrayList<>(events.size() + 1);
        history.addAll(events);
        history.add(new StatusEvent(version + 1, to, at, source, reason));
        return with(to, version + 1, true, history);
    }

    /** Marks this transaction as accepted. Its version stays, because acceptance adds no event to the history. */
    public Transaction accept() {
        return accepted ? this : with(status, version, true, events);
    }

    /**
     * The state of this transaction right after event {@code sequence}. An event that is sent again carries this state, so it
     * equals the first one.
     *
     * @param sequence from 1 to {@link #version}
     */
    public Transaction asOf(int sequence) {
        if (sequence < 1 || sequence > version) {
            throw new IllegalArgumentException("sequence: " + sequence + " (expected: 1 to " + version + ")");
        }
        if (sequence == version) {
            return this;
        }
        List<StatusEvent> history =
                events.stream().filter(event -> event.sequence() <= sequence).toList();
        return with(history.get(history.size() - 1).status(), sequence, accepted, history);
    }

    private Transaction with(Status newStatus, int newVersion, boolean newAccepted, List<StatusEvent> newEvents) {
        return new Transaction(
                id,
                tenant,
                operation,
                newStatus,
                newVersion,
                newAccepted,
                amount,
                commission,
                payer,
                description,
                platform,
                reference,
                extra,
                endToEndId,
                pixKey,
                brCode,
                newEvents);
    }

    /** Shows id, status and version; other fields are personal data or long. */
    @Override
    public String toString() {
        return "Transaction[id=" + id + ", status=" + status.code() + ", version=" + version + "]";
    }
}
