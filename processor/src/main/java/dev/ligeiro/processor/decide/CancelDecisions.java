package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;

/**
 * The cancel of a cashin whose charge the rail keeps: the rail is asked to remove the charge until it says that nobody can pay it any more.
 * If the payer was first, the cashin is paid and the request refused.
 */
final class CancelDecisions {

    private CancelDecisions() {}

    static Decision begin(Transaction cashin, ChangeRef change, Instant nextCheck, Instant now) {
        RailCall call = cashin.railCall(null).orElseGet(() -> RailCall.first(null, now, nextCheck));
        return Decision.cancel(cashin.with(call.canceling(change, nextCheck)));
    }

    /** The request that the rail has not answered yet. */
    static Optional<ChangeRef> request(Transaction transaction) {
        return transaction
                .railCall(null)
                .map(RailCall::cancel)
                .filter(request -> ChargeDecisions.isWaiting(transaction));
    }

    /**
     * What follows from an outcome other than settled. A submission's answer says nothing about the charge as it is now.
     *
     * @param asked the call that was answered
     * @param askedAt just before it
     */
    static Decision decide(
            Transaction cashin,
            RailCall call,
            RailCallKind asked,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        boolean isRemoved = outcome instanceof RailOutcome.Rejected
                || outcome instanceof RailOutcome.NotFound
                        && !askedAt.isBefore(RailSchedule.notFoundCountsFrom(facts, call));
        if (isRemoved && asked != RailCallKind.SUBMIT) {
            Entry canceled = new Entry.StatusChanged(Status.CANCELED, now, Source.MERCHANT, null, null, call.cancel());
            return Decision.store(cashin.with(canceled).closeCall(null));
        }
        if (outcome instanceof RailOutcome.Pending
                && asked != RailCallKind.SUBMIT
                && ChargeDecisions.isExpired(cashin, askedAt, facts)) {
            return Decision.store(refused(cashin, CommandRules.expired(cashin, now), now));
        }
        return Decision.store(cashin.with(call.waitingUntil(RailSchedule.afterAnswer(facts, call, now))));
    }

    /** Refuses the open request, if there is one: {@code after} was first. */
    static Transaction refused(Transaction before, Transaction after, Instant now) {
        return request(before)
                .map(request -> ChangeDecisions.refused(after, request, ChangeRefusal.INVALID_TRANSITION, now))
                .orElse(after);
    }
}
