package dev.ligeiro.transaction;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payer's claim on a received payment (MED), as the history tells it. {@link BlockedAmount} says how much of the payment is blocked.
 *
 * @param reason in the words of the rail
 * @param situation what the payer says has happened, in the words of the rail; null when it does not tell
 * @param deadline until when the rail takes a defence; null when it does not tell
 * @param openedAt the rail's time of the claim
 * @param railId the rail's own id of the claim
 * @param protocol the rail's number of the claim for people; null when it has none
 */
public record Dispute(
        UUID id,
        Amount amount,
        Status status,
        String reason,
        @Nullable String situation,
        @Nullable Instant deadline,
        Instant openedAt,
        String railId,
        @Nullable String protocol) {

    /** The longest defence: that of Efí, the only rail with claims so far. It takes no files. */
    public static final int DEFENSE_MAX = 1_000;

    /** How long the amount of a lost dispute stays blocked if the rail does not move it back. By MED's rules that takes up to 96 hours. */
    public static final Duration RETURNED_WITHIN = Duration.ofDays(7);

    /** How many defences a merchant may try while the rail rejects each: they bound the size of a transaction. */
    static final int DEFENSES_MAX = 10;

    /** The state of a dispute. The last three are final. */
    public enum Status implements Coded {
        /** It can be defended until its deadline. */
        OPEN,
        /** The rail has a defence and decides. */
        DEFENDED,
        /** The rail has rejected the claim. */
        WON,
        /** The rail has accepted the claim and moves the money back. */
        LOST,
        /** The claim was withdrawn. */
        CANCELED;

        public boolean isFinal() {
            return this == WON || this == LOST || this == CANCELED;
        }
    }

    /** The id of the claim that {@code rail} calls {@code railId}: the same each time the claim is read. */
    public static UUID id(String rail, String railId) {
        return UUID.nameUUIDFromBytes((rail + "/claim/" + railId).getBytes(StandardCharsets.UTF_8));
    }

    static Dispute of(Entry.DisputeOpened opened) {
        return new Dispute(
                opened.dispute(),
                opened.amount(),
                Status.OPEN,
                opened.reason(),
                opened.situation(),
                opened.deadline(),
                opened.openedAt(),
                opened.railId(),
                opened.protocol());
    }

    Dispute after(Entry.DisputeUpdated updated) {
        return with(updated.status(), updated.deadline());
    }

    Dispute after(Entry.DisputeClosed closed) {
        return with(closed.outcome(), deadline);
    }

    private Dispute with(Status newStatus, @Nullable Instant newDeadline) {
        return new Dispute(id, amount, newStatus, reason, situation, newDeadline, openedAt, railId, protocol);
    }
}
