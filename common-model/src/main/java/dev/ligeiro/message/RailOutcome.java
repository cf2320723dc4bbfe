package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.Settlement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a rail says about a transaction or a refund. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RailOutcome.Settled.class, name = "settled"),
    @JsonSubTypes.Type(value = RailOutcome.Rejected.class, name = "rejected"),
    @JsonSubTypes.Type(value = RailOutcome.Pending.class, name = "pending"),
    @JsonSubTypes.Type(value = RailOutcome.InReview.class, name = "in_review"),
    @JsonSubTypes.Type(value = RailOutcome.NotStarted.class, name = "not_started"),
    @JsonSubTypes.Type(value = RailOutcome.Unknown.class, name = "unknown"),
    @JsonSubTypes.Type(value = RailOutcome.NotFound.class, name = "not_found"),
    @JsonSubTypes.Type(value = RailOutcome.Surplus.class, name = "surplus")
})
public sealed interface RailOutcome {

    Settled AS_AGREED = new Settled(null, List.of());

    /** The code in metrics and log lines; also the type in JSON. */
    default String code() {
        return Codes.of(getClass());
    }

    /**
     * Money that a rail has moved back by itself.
     *
     * @param id the rail's id of the movement, unique within the transaction
     * @param rail what the rail says of it; null when it says nothing
     */
    record Returned(String id, Amount amount, @Nullable RailReturn rail) {

        public Returned(String id, Amount amount) {
            this(id, amount, null);
        }
    }

    /** A payment that a rail has received for a transaction. */
    record Payment(String endToEndId, Amount amount) {}

    /**
     * The money has moved, as much as was agreed.
     *
     * @param settlement the rail's own id and time; null when the rail uses the end-to-end id that it was given
     * @param returned what the rail has moved back since without our request, for example after a dispute
     * @param payerMatches whether the payer has the transaction's document, if the rail was asked and could tell; else null
     */
    record Settled(@Nullable Settlement settlement, List<Returned> returned, @Nullable Boolean payerMatches)
            implements RailOutcome {

        public Settled(@Nullable Settlement settlement, List<Returned> returned) {
            this(settlement, returned, null);
        }

        public Settled {
            returned = List.copyOf(returned);
        }

        /** Settled under the end-to-end id that the rail was given, with nothing moved back. */
        public static Settled asAgreed() {
            return AS_AGREED;
        }
    }

    /**
     * The money has not moved and never will.
     *
     * @param reason a code, such as {@code rejected_by_rail}
     */
    record Rejected(String reason) implements RailOutcome {}

    /** The rail has accepted it; the outcome follows later. */
    record Pending() implements RailOutcome {}

    /** A person at the bank must release it. There is no time limit. */
    record InReview() implements RailOutcome {}

    /**
     * The rail does not begin a submission now, for example because it is busy. No money has moved; it can be submitted again later. As the
     * answer to an inquiry, a cashout in analysis may be submitted now.
     */
    record NotStarted() implements RailOutcome {}

    /** The outcome is unknown, for example after a time-out. Only an inquiry can find out whether the money has moved. */
    record Unknown() implements RailOutcome {}

    /**
     * An outcome, and payments that it does not explain: further ones, or payments of another amount than the transaction's.
     *
     * @param outcome what the rail says about the transaction itself
     */
    record Surplus(List<Payment> payments, RailOutcome outcome) implements RailOutcome {

        public Surplus {
            payments = List.copyOf(payments);
            if (outcome instanceof Surplus) {
                throw new IllegalArgumentException("outcome: surplus (expected: another outcome)");
            }
        }
    }

    /** The rail does not know the id. Until the rail's late-arrival span is over, a submission may still arrive there. */
    record NotFound() implements RailOutcome {}
}
