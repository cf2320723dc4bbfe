package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;

/**
 * The effect of a rail's outcomes on a transaction and its refunds. The submission of a cashout or refund is repeated, with the same id,
 * in three cases only: the rail did not start it, the rail does not know its id and has not acknowledged it, or resubmission is how this
 * rail is asked. So money moves at most once. It moves in the end, because the rail is asked about a rail call until it has settled or rejected it.
 */
final class RailDecisions {

    private RailDecisions() {}

    static Decision decide(
            Transaction transaction, TransactionCommand.RailAnswer answer, RailFacts facts, Instant now) {
        RailRequest request = new RailRequest(answer.call(), answer.refund(), answer.submission(), answer.sequence());
        boolean isOpen = transaction.railCall(answer.refund()).isPresent();
        boolean saysOfMoney =
                answer.outcome() instanceof RailOutcome.Settled || answer.outcome() instanceof RailOutcome.Surplus;
        if (!isOpen && hasOutcome(transaction) && !saysOfMoney) {
            // the question was settled by another answer
            return Decision.store(transaction);
        }
        return decide(transaction, request, answer.askedAt(), answer.outcome(), facts, now);
    }

    /** Applies {@code outcome}, the rail's answer to {@code request}. */
    static Decision decide(
            Transaction transaction,
            RailRequest request,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        Decision decision = apply(transaction, request, askedAt, outcome, facts, now);
        return NoticeDecisions.keepQuestion(transaction, askedAt, decision);
    }

    private static Decision apply(
            Transaction transaction,
            RailRequest request,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        if (outcome instanceof RailOutcome.Surplus surplus) {
            return apply(transaction, request, askedAt, surplus.outcome(), facts, now)
                    .withUnmatched(SettledDecisions.unmatched(transaction, surplus, facts.name(), now));
        }
        Optional<RailCall> open = transaction.railCall(request.refund());
        if (outcome instanceof RailOutcome.Settled settled) {
            Instant askAgainAt = open.map(call -> RailSchedule.afterAnswer(facts, call, now))
                    .orElseGet(() -> now.plus(facts.inquireAfter()));
            return request.refund() == null
                    ? SettledDecisions.decide(transaction, settled, facts.name(), askAgainAt, now)
                    : SettledDecisions.decideRefund(transaction, request.refund(), facts.name(), now);
        }
        if (request.refund() == null && hasOutcome(transaction)) {
            return afterOutcome(transaction, request.call(), outcome, facts, now);
        }
        if (open.isPresent()) {
            // an answer to an earlier submission says nothing about the latest one
            return request.submission() < open.get().submissions()
                    ? Decision.store(transaction)
                    : RailCallDecisions.decide(transaction, open.get(), request.call(), askedAt, outcome, facts, now);
        }
        // the charge of an accepted cashin without a rail call is registered already: a retried batch has registered
        // it twice
        boolean isRepetition = request.call() == RailCallKind.SUBMIT && transaction.accepted();
        return request.refund() == null && ChargeDecisions.isWaiting(transaction) && !isRepetition
                ? ChargeDecisions.decide(transaction, request.call(), askedAt, outcome, facts, now)
                : Decision.store(transaction);
    }

    /**
     * An outcome other than settled for a transaction that has its outcome. Nothing may be submitted for it, whatever the rail still knows
     * about it. Its rail call is a question that a notice caused, and is asked until an inquiry is answered: a late answer to a submission
     * says nothing about it.
     */
    private static Decision afterOutcome(
            Transaction transaction, RailCallKind asked, RailOutcome outcome, RailFacts facts, Instant now) {
        if (asked == RailCallKind.SUBMIT) {
            return Decision.store(transaction);
        }
        if (!(outcome instanceof RailOutcome.Unknown || outcome instanceof RailOutcome.NotStarted)) {
            return Decision.store(transaction.closeCall(null));
        }
        RailCall call = transaction.railCall(null).orElseGet(() -> RailCall.first(null, now, now));
        return Decision.store(transaction.with(call.waitingUntil(RailSchedule.afterAnswer(facts, call, now))));
    }

    static boolean hasOutcome(Transaction transaction) {
        return switch (transaction.status()) {
            case PAID, DENIED, CANCELED, REFUND, EXPIRED -> true;
            case PENDING, IN_PROCESS, IN_ANALYSIS -> false;
        };
    }
}
