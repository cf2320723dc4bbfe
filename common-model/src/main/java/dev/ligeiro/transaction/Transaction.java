package dev.ligeiro.transaction;

import dev.ligeiro.pix.PixKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction at one moment of its life: immutable, a move gives a new one. The gateway makes it, only the processor moves it.
 *
 * @param id carries the time of creation
 * @param version the sequence of its latest announced change: what the compare-and-set of the store compares
 * @param accepted whether the processor has taken it over; until then the gateway republishes it
 * @param commission frozen at creation
 * @param platform a platform registered to the merchant
 * @param reference the merchant's own identifier, unique per tenant; null when not given
 * @param extra the merchant's text, to the letter as it came; null when not given
 * @param endToEndId the payment's id on the rail, fixed before the rail is first asked
 * @param pixKey where a cashout goes; null for a cashin
 * @param brCode the code the payer scans or copies; null for a cashout
 * @param events its history, oldest first, never empty
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

    /** When it came to its end; null while it has not (specification §2, {@code finished}). */
    public @Nullable Instant finishedAt() {
        return status.isFinished() ? lastEvent().at() : null;
    }

    /** The latest entry of the history. */
    public StatusEvent lastEvent() {
        return events.get(events.size() - 1);
    }

    /** The statuses it may move to now. */
    public Set<Status> allowedMoves() {
        return Transition.allowed(operation, status);
    }

    /**
     * This transaction after a move to {@code to}, one version and one event further.
     *
     * @throws InvalidTransition when {@link Transition} has no such move
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

    /** This transaction, taken over by the processor; its version stays, since nothing is announced. */
    public Transaction accept() {
        return accepted ? this : with(status, version, true, events);
    }

    /**
     * This transaction as it was right after the change of number {@code sequence}: what that change's event carries, however
     * late it is sent again.
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

    /** The id and the status alone: the rest is personal data or long. */
    @Override
    public String toString() {
        return "Transaction[id=" + id + ", status=" + status.code() + ", version=" + version + "]";
    }
}
