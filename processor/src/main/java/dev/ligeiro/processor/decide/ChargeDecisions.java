package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** What follows from an outcome other than settled, of the charge of a cashin. It may be registered again, which moves no money. */
final class ChargeDecisions {

    private ChargeDecisions() {}

    /**
     * @param cashin a {@linkplain #isWaiting waiting} one, with or without a rail call
     * @param asked the call that was answered
     * @param askedAt just before it
     */
    static Decision decide(
            Transaction cashin,
            RailCallKind asked,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        if (outcome instanceof RailOutcome.Rejected rejected) {
            return RejectionDecisions.decideUnstored(cashin, asked, rejected.reason(), now);
        }
        RailCall call =
                cashin.railCall(null).orElseGet(() -> RailCall.first(null, now, RailSchedule.afterCall(facts, now)));
        Instant nextCheck = RailSchedule.afterAnswer(facts, call, now);
        if (outcome instanceof RailOutcome.InReview) {
            return Decision.store(
                    cashin.moveTo(Status.IN_ANALYSIS, now, Source.RAIL).with(call.acknowledged(nextCheck)));
        }
        boolean isNotPaid = outcome instanceof RailOutcome.Pending
                || outcome instanceof RailOutcome.NotFound && asked == RailCallKind.INQUIRE;
        if (isNotPaid && isExpired(cashin, askedAt, facts)) {
            return Decision.store(CommandRules.expired(cashin, now));
        }
        if (outcome instanceof RailOutcome.Pending) {
            // the payer may have paid since, and the answer to a later inquiry tells it
            boolean isLatest = !RailSchedule.isAskedAfter(facts, call, askedAt);
            return Decision.store((isLatest ? cashin.closeCall(null) : cashin).accept());
        }
        // an unknown registration counts as not begun: the charge is registered again
        return Decision.store(cashin.with(call.notStarted(nextCheck)));
    }

    /** Whether it is a cashin without an outcome, whose charge the rail may know. */
    static boolean isWaiting(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN && transaction.status() == Status.PENDING;
    }

    /** Whether nobody has paid it in time, if an inquiry at this time finds no payment. */
    static boolean isExpired(Transaction transaction, Instant askedAt, RailFacts facts) {
        return isExpiring(transaction, askedAt.minus(facts.expiryGrace()));
    }

    static boolean isExpiring(Transaction transaction, Instant at) {
        return isWaiting(transaction) && !at.isBefore(transaction.terms().expiresAt());
    }
}
