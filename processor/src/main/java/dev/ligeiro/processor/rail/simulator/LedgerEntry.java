package dev.ligeiro.processor.rail.simulator;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What the simulated rail has recorded under one id. The state is decided by the first submission and never changes.
 *
 * @param id the id of a cashout or of a refund
 * @param transaction the cashout itself, or the cashin whose money is refunded
 * @param submissions how often the id was submitted
 * @param firstAt the time of the first submission
 * @param lastAt the time of the latest submission
 */
record LedgerEntry(
        UUID id,
        Kind kind,
        TransactionId transaction,
        Amount amount,
        State state,
        int submissions,
        Instant firstAt,
        Instant lastAt) {

    static final String REJECTION = "rejected_by_rail";

    /** The first submission of a cashout. */
    static LedgerEntry cashout(Transaction cashout, Instant now) {
        Amount amount = cashout.terms().amount();
        State state =
                switch (MagicAmount.of(amount)) {
                    case DENIED, TIMES_OUT_WITHOUT_MOVING -> State.REJECTED;
                    case SENT_BACK -> State.SENT_BACK;
                    case PAID_AT_ONCE, ANALYSED, ANALYSED_THEN_DENIED, TIMES_OUT_AFTER_MOVING, ORDINARY ->
                        State.SETTLED;
                };
        return new LedgerEntry(cashout.id().value(), Kind.CASHOUT, cashout.id(), amount, state, 1, now, now);
    }

    /** The first submission of a refund. The cents of the refund's own amount count. */
    static LedgerEntry refund(Transaction cashin, Refund refund, Instant now) {
        State state =
                switch (MagicAmount.of(refund.amount())) {
                    case DENIED, TIMES_OUT_WITHOUT_MOVING -> State.REJECTED;
                    case PAID_AT_ONCE, ANALYSED, ANALYSED_THEN_DENIED, TIMES_OUT_AFTER_MOVING, SENT_BACK, ORDINARY ->
                        State.SETTLED;
                };
        return new LedgerEntry(refund.id().value(), Kind.REFUND, cashin.id(), refund.amount(), state, 1, now, now);
    }

    boolean movedMoney() {
        return state != State.REJECTED;
    }

    /** The rail's answer to an inquiry and to a repeated submission. */
    RailOutcome outcome() {
        return switch (state) {
            case SETTLED -> RailOutcome.Settled.asAgreed();
            case SENT_BACK -> new RailOutcome.Settled(null, List.of(new RailOutcome.Returned("return-" + id, amount)));
            case REJECTED -> new RailOutcome.Rejected(REJECTION);
        };
    }

    /** The rail's answer to the first submission, which may get lost. */
    RailOutcome firstAnswer() {
        return switch (MagicAmount.of(amount)) {
            case TIMES_OUT_AFTER_MOVING, TIMES_OUT_WITHOUT_MOVING -> new RailOutcome.Unknown();
            case PAID_AT_ONCE, DENIED, ANALYSED, ANALYSED_THEN_DENIED, SENT_BACK, ORDINARY -> outcome();
        };
    }

    /** The kind of a submission. */
    enum Kind implements Coded {
        CASHOUT,
        REFUND
    }

    /** What became of the money. */
    enum State implements Coded {
        SETTLED,
        /** The money moved, and the receiver's bank moved it back. */
        SENT_BACK,
        /** The money did not move. */
        REJECTED
    }
}
