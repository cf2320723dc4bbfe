package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a rail's outcomes on a transaction and its refunds. The submission of a cashout or refund is repeated, with the same id, in
 * three cases only: the rail did not start it, the rail does not know its id and has not acknowledged it, or resubmission is how this rail
 * is asked. So money moves at most once. It moves in the end, because the rail is asked about a rail call until it has settled or rejected
 * it.
 */
final class RailDecisions {

    private RailDecisions() {}

    static Decision decide(Context context, TransactionCommand.RailAnswer answer) {
        RailRequest request = new RailRequest(answer.call(), answer.refund(), answer.submission(), answer.sequence());
        boolean isOpen = context.transaction().railCall(answer.refund()).isPresent();
        boolean saysOfMoney =
                answer.outcome() instanceof RailOutcome.Settled || answer.outcome() instanceof RailOutcome.Surplus;
        if (!isOpen && context.hasOutcome() && !saysOfMoney) {
            // the question was settled by another answer
            return Decision.store(context.transaction());
        }
        return decide(context, request, answer.askedAt(), answer.outcome());
    }

    /**
     * Applies {@code outcome}, the rail's answer to {@code request}.
     *
     * @param askedAt just before the call
     */
    static Decision decide(Context context, RailRequest request, Instant askedAt, RailOutcome outcome) {
        return NoticeDecisions.keepQuestion(context.transaction(), askedAt, apply(context, request, askedAt, outcome));
    }

    private static Decision apply(Context context, RailRequest request, Instant askedAt, RailOutcome outcome) {
        if (outcome instanceof RailOutcome.Surplus surplus) {
            return apply(context, request, askedAt, surplus.outcome())
                    .withUnmatched(SettledDecisions.unmatched(context, surplus));
        }
        if (outcome instanceof RailOutcome.Settled settled) {
            return request.refund() == null
                    ? SettledDecisions.decide(context, settled)
                    : SettledDecisions.decideRefund(context, request.refund());
        }
        Transaction transaction = context.transaction();
        if (request.refund() == null && context.hasOutcome()) {
            return afterOutcome(context, request.call(), outcome);
        }
        Optional<RailCall> open = transaction.railCall(request.refund());
        if (open.isPresent()) {
            // an answer to an earlier submission says nothing about the latest one
            return request.submission() < open.get().submissions()
                    ? Decision.store(transaction)
                    : ofStoredCall(context, open.get(), request.call(), askedAt, outcome);
        }
        // the charge of an accepted cashin without a rail call is registered already: a retried batch has registered
        // it twice
        boolean isRepetition = request.call() == RailCallKind.SUBMIT && transaction.accepted();
        return request.refund() == null && Context.isWaitingCashin(transaction) && !isRepetition
                ? ofCharge(context, request.call(), askedAt, outcome)
                : Decision.store(transaction);
    }

    /**
     * An outcome other than settled for a transaction that has its outcome. Nothing may be submitted for it, whatever the rail still knows
     * about it. Its rail call is a question that a notice caused, and is asked until an inquiry is answered: a late answer to a submission
     * says nothing about it.
     */
    private static Decision afterOutcome(Context context, RailCallKind asked, RailOutcome outcome) {
        Transaction transaction = context.transaction();
        if (asked == RailCallKind.SUBMIT) {
            return Decision.store(transaction);
        }
        if (!(outcome instanceof RailOutcome.Unknown || outcome instanceof RailOutcome.NotStarted)) {
            return Decision.store(transaction.closeCall(null));
        }
        RailCall call = context.callOrFirst(context.now());
        return context.waitsUntil(call, context.afterAnswer(call));
    }

    /** What follows from an outcome other than settled, of the latest submission of a rail call. */
    private static Decision ofStoredCall(
            Context context, RailCall call, RailCallKind asked, Instant askedAt, RailOutcome outcome) {
        Transaction transaction = context.transaction();
        if (call.refund() == null && Context.openCancel(transaction).isPresent()) {
            return ofCancel(context, call, asked, askedAt, outcome);
        }
        if (outcome instanceof RailOutcome.Rejected rejected) {
            return ofRejection(context, call, asked, rejected.reason());
        }
        boolean isRejected = outcome instanceof RailOutcome.NotFound && call.rejection() != null;
        if (call.resolution() != null && !isRejected) {
            return ResolutionDecisions.decide(context, call, asked, askedAt, outcome);
        }
        Instant nextCheck = context.afterAnswer(call);
        if (context.isAnalysed(call)) {
            return outcome instanceof RailOutcome.NotStarted || outcome instanceof RailOutcome.NotFound
                    ? SubmissionDecisions.submitCashout(context.with(transaction.closeCall(null)))
                    : context.waitsUntil(call, nextCheck);
        }
        // an inquiry that the rail does not start says nothing about the submission
        if (outcome instanceof RailOutcome.NotStarted && asked == RailCallKind.SUBMIT) {
            return Decision.store(transaction.with(call.notStarted(nextCheck)));
        }
        boolean neverPaid = asked == RailCallKind.INQUIRE && context.isUnpaid(askedAt);
        if (outcome instanceof RailOutcome.NotFound && !neverPaid) {
            return ofNotFound(context, call, askedAt);
        }
        if (Context.isWaitingCashin(transaction)) {
            return ofCharge(context, asked, askedAt, outcome);
        }
        boolean isAcknowledged = outcome instanceof RailOutcome.Pending || outcome instanceof RailOutcome.InReview;
        return Decision.store(
                transaction.with(isAcknowledged ? call.acknowledged(nextCheck) : call.waitingUntil(nextCheck)));
    }

    /**
     * The rail may have answered before the submission arrived. After an acknowledgement "not found" never counts:
     * the rail may only have ended the look-up, or its copy of the data lags, and it could pay again.
     */
    private static Decision ofNotFound(Context context, RailCall call, Instant askedAt) {
        Instant now = context.now();
        Instant nextCheck = context.afterAnswer(call);
        if (call.acknowledged()) {
            return context.waitsUntil(call, nextCheck);
        }
        Instant countsFrom = context.notFoundCountsFrom(call);
        if (askedAt.isBefore(countsFrom)) {
            Instant countsNext = countsFrom.isBefore(now) ? now : countsFrom;
            return context.waitsUntil(call, nextCheck.isBefore(countsNext) ? nextCheck : countsNext);
        }
        return call.rejection() == null
                ? SubmissionDecisions.takeOver(context, call)
                : rejected(context, call.refund(), call.rejection());
    }

    /** A repeated write may be rejected because the first one worked, so it is read back before the rejection counts. */
    private static Decision ofRejection(Context context, RailCall call, RailCallKind asked, String reason) {
        Transaction transaction = context.transaction();
        // a rail that registers charges at once is called before the call is stored, again in each attempt at the batch
        boolean isUncountedRegistration = context.facts().registersAtOnce()
                && call.refund() == null
                && transaction.operation() == Operation.CASHIN;
        boolean mayBeRepeated = call.submissions() > 1 || isUncountedRegistration;
        return mayBeRepeated && asked == RailCallKind.SUBMIT
                ? Decision.inquire(transaction.with(call.rejected(reason, context.afterCall())), call.refund())
                : rejected(context, call.refund(), reason);
    }

    /** The money has not moved and never will. */
    private static Decision rejected(Context context, @Nullable RefundId refund, String reason) {
        Entry entry = refund == null
                ? new Entry.StatusChanged(Status.DENIED, context.now(), Source.RAIL, reason, null, null)
                : new Entry.RefundFailed(refund, reason, context.now());
        return Decision.store(context.transaction().with(entry).closeCall(refund));
    }

    /**
     * What follows from an outcome other than settled, of the charge of a waiting cashin, with or without a rail call. It may be registered
     * again, which moves no money.
     */
    private static Decision ofCharge(Context context, RailCallKind asked, Instant askedAt, RailOutcome outcome) {
        Transaction cashin = context.transaction();
        if (outcome instanceof RailOutcome.Rejected rejected) {
            // an earlier attempt at the batch may have registered it
            return asked == RailCallKind.SUBMIT
                    ? Decision.inquire(cashin, null)
                    : rejected(context, null, rejected.reason());
        }
        RailCall call = context.callOrFirst(context.afterCall());
        Instant nextCheck = context.afterAnswer(call);
        if (outcome instanceof RailOutcome.InReview) {
            return Decision.store(cashin.moveTo(Status.IN_ANALYSIS, context.now(), Source.RAIL)
                    .with(call.acknowledged(nextCheck)));
        }
        boolean isNotPaid = outcome instanceof RailOutcome.Pending
                || outcome instanceof RailOutcome.NotFound && asked == RailCallKind.INQUIRE;
        if (isNotPaid && context.isUnpaid(askedAt)) {
            return Decision.store(CommandRules.expired(context));
        }
        if (outcome instanceof RailOutcome.Pending) {
            // the payer may have paid since, and the answer to a later inquiry tells it
            boolean isLatest = !context.isAskedAfter(call, askedAt);
            return Decision.store((isLatest ? cashin.closeCall(null) : cashin).accept());
        }
        // an unknown registration counts as not begun: the charge is registered again
        return Decision.store(cashin.with(call.notStarted(nextCheck)));
    }

    /**
     * While the rail is asked to remove the charge of a cashin that is canceled. If the payer was first, the cashin is paid and the request
     * refused. A submission's answer says nothing about the charge as it is now.
     */
    private static Decision ofCancel(
            Context context, RailCall call, RailCallKind asked, Instant askedAt, RailOutcome outcome) {
        Transaction cashin = context.transaction();
        Instant now = context.now();
        boolean isRemoved = outcome instanceof RailOutcome.Rejected
                || outcome instanceof RailOutcome.NotFound && !askedAt.isBefore(context.notFoundCountsFrom(call));
        if (isRemoved && asked != RailCallKind.SUBMIT) {
            Entry canceled = new Entry.StatusChanged(Status.CANCELED, now, Source.MERCHANT, null, null, call.cancel());
            return Decision.store(cashin.with(canceled).closeCall(null));
        }
        if (outcome instanceof RailOutcome.Pending && asked != RailCallKind.SUBMIT && context.isUnpaid(askedAt)) {
            return Decision.store(ChangeDecisions.cancelRefused(cashin, CommandRules.expired(context), now));
        }
        return context.waitsUntil(call, context.afterAnswer(call));
    }
}
