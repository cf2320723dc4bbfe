package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a transaction's {@link History}: what happened, and when. Times are truncated to the millisecond, the precision of
 * BSON, so that an entry read from the store equals the written one.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Entry.StatusChanged.class, name = "status_changed"),
    @JsonSubTypes.Type(value = Entry.RefundRequested.class, name = "refund_requested"),
    @JsonSubTypes.Type(value = Entry.RefundMade.class, name = "refund_made"),
    @JsonSubTypes.Type(value = Entry.RefundFailed.class, name = "refund_failed"),
    @JsonSubTypes.Type(value = Entry.ChangeRefused.class, name = "change_refused"),
    @JsonSubTypes.Type(value = Entry.DisputeOpened.class, name = "dispute_opened"),
    @JsonSubTypes.Type(value = Entry.DefenseRequested.class, name = "defense_requested"),
    @JsonSubTypes.Type(value = Entry.DisputeUpdated.class, name = "dispute_updated"),
    @JsonSubTypes.Type(value = Entry.DisputeClosed.class, name = "dispute_closed"),
    @JsonSubTypes.Type(value = Entry.DisputeReleased.class, name = "dispute_released"),
    @JsonSubTypes.Type(value = Entry.PayerMismatch.class, name = "payer_mismatch"),
    @JsonSubTypes.Type(value = Entry.PayerNamed.class, name = "payer_named")
})
public sealed interface Entry {

    /** The names of the kinds, the same in messages, in stored documents and in responses. */
    Map<Class<?>, String> KINDS = Arrays.stream(
                    Entry.class.getAnnotation(JsonSubTypes.class).value())
            .collect(Collectors.toUnmodifiableMap(JsonSubTypes.Type::value, JsonSubTypes.Type::name));

    Instant at();

    /** What happened, such as {@code status_changed}. */
    default String kind() {
        return Objects.requireNonNull(KINDS.get(getClass()));
    }

    /** Who did it. */
    default Source source() {
        return Source.RAIL;
    }

    /** Why, or with which result: a code; null without one. */
    default @Nullable String reason() {
        return null;
    }

    /** The refund that it is about; null if it is about none. */
    default @Nullable RefundId refund() {
        return null;
    }

    /** The amount that it is about; null if it names none. */
    default @Nullable Amount amount() {
        return null;
    }

    /** The status that begins with this entry; null when the status stays. */
    default @Nullable Status newStatus() {
        return null;
    }

    /**
     * Whether an event announces this entry: every one but the request of a refund or of a defence, a refused request, and the payer's name.
     * Announced entries are numbered from 1 without gaps.
     */
    default boolean announced() {
        return !(this instanceof RefundRequested
                || this instanceof ChangeRefused
                || this instanceof DefenseRequested
                || this instanceof PayerNamed);
    }

    /** The dispute that this entry is about; null if it is about none. */
    default @Nullable UUID dispute() {
        return null;
    }

    /** The id of the request that caused this entry; null when a request did not cause it. */
    default @Nullable UUID changeId() {
        return null;
    }

    /** The idempotency key of the request that caused this entry, if it had one. */
    default @Nullable String idempotencyKey() {
        return null;
    }

    /** The API key of the request that caused this entry; null when a request did not cause it, or an operator's. */
    default @Nullable Requester by() {
        return null;
    }

    /**
     * A status begins; the first one is the creation.
     *
     * @param reason a code such as {@code rejected_by_rail}; null when the status needs no reason
     * @param settlement what the rail says about the payment; null when it said nothing new
     * @param change the request that caused the change; null for a change without one
     * @param description what the person who approved or rejected a cashout gave as the reason; null when not given
     */
    record StatusChanged(
            Status status,
            Instant at,
            Source source,
            @Nullable String reason,
            @Nullable Settlement settlement,
            @Nullable ChangeRef change,
            @Nullable String description)
            implements Entry {

        public StatusChanged {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        public StatusChanged(
                Status status,
                Instant at,
                Source source,
                @Nullable String reason,
                @Nullable Settlement settlement,
                @Nullable ChangeRef change) {
            this(status, at, source, reason, settlement, change, null);
        }

        public static StatusChanged to(Status status, Instant at, Source source) {
            return new StatusChanged(status, at, source, null, null, null);
        }

        @Override
        public Status newStatus() {
            return status;
        }

        @Override
        public @Nullable UUID changeId() {
            return change == null ? null : change.id();
        }

        @Override
        public @Nullable String idempotencyKey() {
            return change == null ? null : change.idempotencyKey();
        }

        @Override
        public @Nullable Requester by() {
            return change == null ? null : change.by();
        }
    }

    /**
     * A refund begins. Its amount is reserved until the refund fails.
     *
     * @param source the merchant, the rail for money that it moved back without a request, or the system
     * @param reference the merchant's own identifier, unique within the transaction; null when not given
     * @param description the merchant's text; null when not given
     * @param reason why the system refunds, a code; null for all others
     * @param rail what the rail says of money that it moved back without a request; null when it says nothing
     */
    record RefundRequested(
            RefundId refund,
            Amount amount,
            Source source,
            @Nullable String reference,
            @Nullable String description,
            Instant at,
            @Nullable String idempotencyKey,
            @Nullable Requester by,
            @Nullable String reason,
            @Nullable RailReturn rail)
            implements Entry {

        public RefundRequested {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        public RefundRequested(
                RefundId refund,
                Amount amount,
                Source source,
                @Nullable String reference,
                @Nullable String description,
                Instant at,
                @Nullable String idempotencyKey,
                @Nullable Requester by) {
            this(refund, amount, source, reference, description, at, idempotencyKey, by, null, null);
        }

        /** A refund by the system. */
        public static RefundRequested bySystem(RefundId refund, Amount amount, String reason, Instant at) {
            return new RefundRequested(refund, amount, Source.SYSTEM, null, null, at, null, null, reason, null);
        }

        /** Money that the rail has moved back by itself. */
        public static RefundRequested byRail(RefundId refund, Amount amount, @Nullable RailReturn rail, Instant at) {
            return new RefundRequested(refund, amount, Source.RAIL, null, null, at, null, null, null, rail);
        }

        /** Whether the rail was asked to make it, so that its money has been in flight. */
        public boolean wasAskedFor() {
            return source.asksRail();
        }

        public RefundRequested(
                RefundId refund,
                Amount amount,
                Source source,
                @Nullable String reference,
                @Nullable String description,
                Instant at,
                @Nullable String idempotencyKey) {
            this(refund, amount, source, reference, description, at, idempotencyKey, null);
        }

        @Override
        public UUID changeId() {
            return refund.value();
        }
    }

    /**
     * A refund has moved its money back.
     *
     * @param completes whether the refunds made now equal the transaction's amount; the status is then {@code refund}
     * @param resolution the operators' decision that it was made; null if the rail said so
     */
    record RefundMade(RefundId refund, boolean completes, Instant at, @Nullable UUID resolution) implements Entry {

        public RefundMade {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        public RefundMade(RefundId refund, boolean completes, Instant at) {
            this(refund, completes, at, null);
        }

        @Override
        public Source source() {
            return resolution == null ? Source.RAIL : Source.OPERATOR;
        }

        @Override
        public @Nullable UUID changeId() {
            return resolution;
        }

        @Override
        public @Nullable Status newStatus() {
            return completes ? Status.REFUND : null;
        }
    }

    /**
     * A refund has moved no money and never will.
     *
     * @param reason a code such as {@code rejected_by_rail}
     * @param resolution the operators' decision that it has failed; null if the rail said so
     */
    record RefundFailed(RefundId refund, String reason, Instant at, @Nullable UUID resolution) implements Entry {

        public RefundFailed {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        public RefundFailed(RefundId refund, String reason, Instant at) {
            this(refund, reason, at, null);
        }

        @Override
        public Source source() {
            return resolution == null ? Source.RAIL : Source.OPERATOR;
        }

        @Override
        public @Nullable UUID changeId() {
            return resolution;
        }
    }

    /** The payer of a cashin whose payer must match has another tax id than its document. */
    record PayerMismatch(Instant at) implements Entry {

        /** Of the refund that follows. */
        public static final String REASON = "payer_mismatch";

        public PayerMismatch {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public Source source() {
            return Source.SYSTEM;
        }
    }

    /** The rail's report of a payment that is known names the payer, whom the rail's answer did not name. */
    record PayerNamed(Payer payer, Instant at) implements Entry {

        public PayerNamed {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /**
     * A request that the processor did not carry out, because the transaction had changed after the gateway checked it.
     *
     * @param code the problem code of the answer, such as {@code invalid_transition}
     */
    record ChangeRefused(UUID changeId, String code, Instant at, @Nullable Requester by) implements Entry {

        public ChangeRefused {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        public ChangeRefused(UUID changeId, String code, Instant at) {
            this(changeId, code, at, null);
        }

        @Override
        public Source source() {
            return Source.SYSTEM;
        }

        @Override
        public String reason() {
            return code;
        }
    }

    /**
     * The payer has claimed the payment back at the rail. The amount is blocked from now on, see {@link BlockedAmount}.
     *
     * @param dispute see {@link Dispute#id(String, String)}
     * @param deadline until when the rail takes a defence; null when it does not tell
     * @param openedAt the rail's time of the claim
     */
    record DisputeOpened(
            UUID dispute,
            Amount amount,
            String reason,
            @Nullable String situation,
            @Nullable Instant deadline,
            Instant openedAt,
            String railId,
            @Nullable String protocol,
            Instant at)
            implements Entry {

        public DisputeOpened {
            deadline = millis(deadline);
            openedAt = openedAt.truncatedTo(ChronoUnit.MILLIS);
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /**
     * The merchant defends itself. The text goes to the rail, whose answer becomes a {@link DisputeUpdated} or a {@link ChangeRefused} with
     * the same change.
     */
    record DefenseRequested(UUID dispute, String text, ChangeRef change, Instant at) implements Entry {

        public DefenseRequested {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public Source source() {
            return Source.MERCHANT;
        }

        @Override
        public UUID changeId() {
            return change.id();
        }

        @Override
        public @Nullable String idempotencyKey() {
            return change.idempotencyKey();
        }

        @Override
        public @Nullable Requester by() {
            return change.by();
        }

        /** Hides the text: it may name people. */
        @Override
        public String toString() {
            return "DefenseRequested[dispute=" + dispute + ", change=" + change.id() + ", at=" + at + "]";
        }
    }

    /**
     * The rail has a defence now, or another deadline.
     *
     * @param status {@code OPEN} or {@code DEFENDED}
     * @param defense the request whose defence the rail has got; null for another change, and for a defence that Ligeiro did not send
     */
    record DisputeUpdated(
            UUID dispute, Dispute.Status status, @Nullable Instant deadline, @Nullable UUID defense, Instant at)
            implements Entry {

        public DisputeUpdated {
            deadline = millis(deadline);
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public String reason() {
            return status.code();
        }

        @Override
        public @Nullable UUID changeId() {
            return defense;
        }
    }

    /** The rail has decided, or the claim was withdrawn. See {@link BlockedAmount} for when its amount is released. */
    record DisputeClosed(UUID dispute, Dispute.Status outcome, Instant at) implements Entry {

        public DisputeClosed {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public String reason() {
            return outcome.code();
        }
    }

    /** The rail has not moved the money of a lost dispute back in time: the rest of its amount is no longer blocked. */
    record DisputeReleased(UUID dispute, Instant at) implements Entry {

        public DisputeReleased {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public Source source() {
            return Source.SYSTEM;
        }
    }

    private static @Nullable Instant millis(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MILLIS);
    }
}
