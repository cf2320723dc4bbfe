package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCall;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.OpenCall;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a rail's outcomes on a transaction and its refunds. Money moves at most once, because a submission is repeated only
 * after the rail has not found the earlier one, and always with the same id; and it moves in the end, because an open call is looked at
 * until the rail has settled or rejected it.
 */
final class RailDecisions {

    private RailDecisions() {}

    static Decision decide(
            Transaction transaction, TransactionCommand.RailAnswer answer, RailFacts facts, Instant now) {
        RailRequest request = new RailRequest(answer.call(), answer.refund(), answer.submission(), answer.sequence());
        boolean isOpen = transaction.openCall(answer.refund()).isPresent();
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
        if (outcome instanceof RailOutcome.Surplus surplus) {
            return decide(transaction, request, askedAt, surplus.outcome(), facts, now)
                    .withStrays(strays(transaction, surplus, facts, now));
        }
        Optional<OpenCall> open = transaction.openCall(request.refund());
        if (outcome instanceof RailOutcome.Settled settled) {
            return request.refund() == null
                    ? settled(transaction, settled, facts, now)
                    : refundSettled(transaction, request.refund(), facts, now);
        }
        if (request.refund() == null && hasOutcome(transaction)) {
            return afterOutcome(transaction, request.call(), outcome, facts, now);
        }
        if (open.isPresent()) {
            // an answer to an earlier submission says nothing about the latest one
            return request.submission() < open.get().submissions()
                    ? Decision.store(transaction)
                    : answered(transaction, open.get(), request.call(), askedAt, outcome, facts, now);
        }
        // the charge of an accepted cashin is registered: a batch that was retried has registered it once more
        boolean isRepetition = request.call() == RailCall.SUBMIT && transaction.accepted();
        return request.refund() == null && isWaitingCashin(transaction) && !isRepetition
                ? waitingCashin(transaction, request.call(), askedAt, outcome, facts, now)
                : Decision.store(transaction);
    }

    /** The call that {@code request} began is still under way: a processor looks at it again if no answer comes. */
    static Transaction underWay(Transaction transaction, RailRequest request, RailFacts facts, Instant now) {
        // an open call of a new cashout would be taken for its submission
        boolean isNewCashout = transaction.operation() == Operation.CASHOUT && !transaction.accepted();
        return isNewCashout || transaction.openCall(request.refund()).isPresent()
                ? transaction
                : transaction.with(OpenCall.first(request.refund(), now, RailSchedule.afterCall(facts, now)));
    }

    /** Looks at an open call that is due. */
    static Decision look(Transaction transaction, OpenCall call, RailFacts facts, Instant now) {
        boolean asksById = facts.inquiry() == RailFacts.Inquiry.BY_ID && (call.begun() || isExpiring(transaction, now));
        boolean isNotice = call.refund() == null && hasOutcome(transaction);
        if (asksById || isNotice || isAnalysed(transaction, call)) {
            Instant dueAt = RailSchedule.afterCall(facts, now);
            return Decision.inquire(transaction.with(call.asked(dueAt)), call.refund());
        }
        return call.begun()
                ? Decision.submit(
                        transaction.with(call.repeated(now, RailSchedule.afterCall(facts, now))), call.refund())
                : takeOver(transaction, call, facts, now);
    }

    /** Stores the call, then registers the charge: its rejection is then known to be that of the first registration. */
    static Decision registerCharge(Transaction cashin, RailFacts facts, Instant now) {
        return Decision.submit(cashin.with(OpenCall.first(null, now, RailSchedule.afterCall(facts, now))), null);
    }

    /** Stores {@code in_process}, then submits. */
    static Decision submitCashout(Transaction transaction, RailFacts facts, Instant now) {
        return Decision.submit(
                transaction
                        .moveTo(Status.IN_PROCESS, now, Source.SYSTEM)
                        .with(OpenCall.first(null, now, RailSchedule.afterCall(facts, now))),
                null);
    }

    /** Ends a refund that has moved its money. */
    static Transaction refundMade(Transaction transaction, RefundId refund, Instant now) {
        Transaction made = transaction.with(new Entry.RefundMade(refund, false, now));
        boolean completes = ChangeRules.refunded(made).equals(made.terms().amount());
        return (completes ? transaction.with(new Entry.RefundMade(refund, true, now)) : made).closeCall(refund);
    }

    private static Decision settled(
            Transaction transaction, RailOutcome.Settled settled, RailFacts facts, Instant now) {
        Settlement settlement = settled.settlement();
        if (transaction.allowedMoves().contains(Status.PAID)) {
            Transaction paid = transaction
                    .with(new Entry.StatusChanged(Status.PAID, now, Source.RAIL, null, settlement, null))
                    .closeCall(null);
            return returned(paid, settled, facts, now);
        }
        if (transaction.status() == Status.PAID || transaction.status() == Status.REFUND) {
            return returned(transaction.closeCall(null), settled, facts, now);
        }
        boolean hasEnded = transaction.status() == Status.DENIED || transaction.status() == Status.CANCELED;
        return Decision.stray(
                hasOutcome(transaction) ? transaction.closeCall(null) : transaction,
                new Stray(
                        facts.name(),
                        settlement == null ? transaction.endToEndId() : settlement.endToEndId(),
                        transaction.id(),
                        transaction.terms().amount(),
                        hasEnded ? Stray.Reason.PAID_AFTER_ITS_END : Stray.Reason.NEVER_SUBMITTED,
                        now));
    }

    /** The reasons do not depend on the status, so that an answer which arrives again gives the same strays. */
    private static List<Stray> strays(
            Transaction transaction, RailOutcome.Surplus surplus, RailFacts facts, Instant now) {
        Amount agreed = transaction.terms().amount();
        return surplus.payments().stream()
                .map(payment -> new Stray(
                        facts.name(),
                        payment.endToEndId(),
                        transaction.id(),
                        payment.amount(),
                        payment.amount().equals(agreed) ? Stray.Reason.PAID_TWICE : Stray.Reason.OTHER_AMOUNT,
                        now))
                .toList();
    }

    /** Adds a refund for each amount that the rail has moved back by itself, once. Each one that is too much is a stray. */
    private static Decision returned(
            Transaction transaction, RailOutcome.Settled settled, RailFacts facts, Instant now) {
        Decision decision = Decision.store(transaction);
        for (RailOutcome.Returned returned : settled.returned()) {
            decision = returned(decision.after(), returned, facts, now).withStrays(decision.strays());
        }
        return decision;
    }

    private static Decision returned(Transaction paid, RailOutcome.Returned returned, RailFacts facts, Instant now) {
        RefundId id = returnedId(returned);
        if (paid.history().refunds().stream().anyMatch(known -> known.id().equals(id))) {
            return Decision.store(paid);
        }
        if (returned.amount().cents() > ChangeRules.refundable(paid).cents()) {
            return Decision.stray(paid, returnedTooMuch(paid, returned, facts, now));
        }
        Entry entry = new Entry.RefundRequested(id, returned.amount(), Source.RAIL, null, null, now, null);
        return Decision.store(refundMade(paid.with(entry), id, now));
    }

    private static Stray returnedTooMuch(
            Transaction paid, RailOutcome.Returned returned, RailFacts facts, Instant now) {
        return new Stray(
                facts.name(),
                // the rail's id is unique within the transaction only
                paid.endToEndId() + "/" + returned.id(),
                paid.id(),
                returned.amount(),
                Stray.Reason.RETURNED_TOO_MUCH,
                now);
    }

    /** The same id for the same movement, however often the rail reports it. */
    private static RefundId returnedId(RailOutcome.Returned returned) {
        return new RefundId(UUID.nameUUIDFromBytes(returned.id().getBytes(StandardCharsets.UTF_8)));
    }

    private static Decision refundSettled(Transaction transaction, RefundId refund, RailFacts facts, Instant now) {
        if (transaction.openCall(refund).isPresent()) {
            return Decision.store(refundMade(transaction, refund, now));
        }
        return transaction.history().refunds().stream()
                .filter(known -> known.id().equals(refund) && known.state() == Refund.State.FAILED)
                .findFirst()
                .map(failed -> Decision.stray(
                        transaction,
                        new Stray(
                                facts.name(),
                                refund.toString(),
                                transaction.id(),
                                failed.amount(),
                                Stray.Reason.REFUNDED_AFTER_FAILURE,
                                now)))
                .orElseGet(() -> Decision.store(transaction));
    }

    /**
     * An outcome other than settled for a transaction that has its outcome: the answer to a question that a notice caused. Nothing may be
     * submitted for it, whatever the rail still knows about it. The question is asked until it is answered.
     */
    private static Decision afterOutcome(
            Transaction transaction, RailCall asked, RailOutcome outcome, RailFacts facts, Instant now) {
        if (asked != RailCall.INQUIRE || !(outcome instanceof RailOutcome.Unknown)) {
            return Decision.store(transaction.closeCall(null));
        }
        OpenCall call = transaction.openCall(null).orElseGet(() -> OpenCall.first(null, now, now));
        return Decision.store(transaction.with(call.waitingUntil(RailSchedule.afterAnswer(facts, call, now))));
    }

    /** An outcome other than settled, of the latest submission of {@code call}. */
    private static Decision answered(
            Transaction transaction,
            OpenCall call,
            RailCall asked,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        Instant nextLook = RailSchedule.afterAnswer(facts, call, now);
        if (outcome instanceof RailOutcome.Rejected rejected) {
            boolean mayBeRepeated =
                    call.submissions() > 1 || isUncountedRegistration(transaction, call.refund(), facts);
            return mayBeRepeated && isReadBack(asked, facts)
                    ? Decision.inquire(
                            transaction.with(call.rejected(rejected.reason(), RailSchedule.afterCall(facts, now))),
                            call.refund())
                    : Decision.store(rejected(transaction, call, rejected.reason(), now));
        }
        if (isAnalysed(transaction, call)) {
            return outcome instanceof RailOutcome.NotStarted || outcome instanceof RailOutcome.NotFound
                    ? submitCashout(transaction.closeCall(null), facts, now)
                    : Decision.store(transaction.with(call.waitingUntil(nextLook)));
        }
        // an inquiry that the rail does not start says nothing about the submission
        if (outcome instanceof RailOutcome.NotStarted && asked == RailCall.SUBMIT) {
            return Decision.store(transaction.with(call.notStarted(nextLook)));
        }
        boolean neverPaid = isExpiring(transaction, askedAt) && asked == RailCall.INQUIRE;
        if (outcome instanceof RailOutcome.NotFound && !neverPaid) {
            return notFound(transaction, call, askedAt, facts, now);
        }
        if (isWaitingCashin(transaction)) {
            return waitingCashin(transaction, asked, askedAt, outcome, facts, now);
        }
        return Decision.store(transaction.with(call.waitingUntil(nextLook)));
    }

    /** The answer may be older than the submission's arrival, although it is read later. */
    private static Decision notFound(
            Transaction transaction, OpenCall call, Instant askedAt, RailFacts facts, Instant now) {
        Instant countsFrom = RailSchedule.notFoundCountsFrom(facts, call);
        if (askedAt.isBefore(countsFrom)) {
            Instant nextLook = RailSchedule.afterAnswer(facts, call, now);
            Instant countsNext = countsFrom.isBefore(now) ? now : countsFrom;
            Instant sooner = nextLook.isBefore(countsNext) ? nextLook : countsNext;
            return Decision.store(transaction.with(call.waitingUntil(sooner)));
        }
        return call.rejection() == null
                ? takeOver(transaction, call, facts, now)
                : Decision.store(rejected(transaction, call, call.rejection(), now));
    }

    /** Submits again with the same id; the compare-and-set of the open call makes this processor the only one that does. */
    private static Decision takeOver(Transaction transaction, OpenCall call, RailFacts facts, Instant now) {
        OpenCall next = call.takenOver(now, RailSchedule.afterCall(facts, now));
        return Decision.submit(transaction.with(next), call.refund());
    }

    private static Transaction rejected(Transaction transaction, OpenCall call, String reason, Instant now) {
        Entry entry = call.refund() == null
                ? new Entry.StatusChanged(Status.DENIED, now, Source.RAIL, reason, null, null)
                : new Entry.RefundFailed(call.refund(), reason, now);
        return transaction.with(entry).closeCall(call.refund());
    }

    /** A cashin without an outcome, whose charge the rail may know. It may be submitted again, which moves no money. */
    private static Decision waitingCashin(
            Transaction transaction,
            RailCall asked,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        OpenCall call = transaction
                .openCall(null)
                .orElseGet(() -> OpenCall.first(null, now, RailSchedule.afterCall(facts, now)));
        Instant nextLook = RailSchedule.afterAnswer(facts, call, now);
        if (outcome instanceof RailOutcome.Rejected rejected) {
            // nothing is stored yet: the call may be a repetition that an earlier attempt at the batch has made before
            return isReadBack(asked, facts)
                    ? Decision.inquire(transaction, null)
                    : Decision.store(rejected(transaction, call, rejected.reason(), now));
        }
        if (outcome instanceof RailOutcome.InReview) {
            return Decision.store(
                    transaction.moveTo(Status.IN_ANALYSIS, now, Source.RAIL).with(call.waitingUntil(nextLook)));
        }
        boolean isNotPaid = outcome instanceof RailOutcome.Pending
                || outcome instanceof RailOutcome.NotFound && asked == RailCall.INQUIRE;
        if (isNotPaid && !askedAt.isBefore(transaction.terms().expiresAt())) {
            return Decision.store(CommandRules.expired(transaction, now));
        }
        return Decision.store(
                outcome instanceof RailOutcome.Pending
                        ? transaction.closeCall(null).accept()
                        : transaction.with(call.notStarted(nextLook)));
    }

    /** A repeated write may be rejected because the first one worked. A rail without inquiries repeats its first answer instead. */
    private static boolean isReadBack(RailCall asked, RailFacts facts) {
        return asked == RailCall.SUBMIT && facts.inquiry() == RailFacts.Inquiry.BY_ID;
    }

    /** A rail that registers charges at once is called before the call is stored, again in each attempt at the batch. */
    private static boolean isUncountedRegistration(
            Transaction transaction, @Nullable RefundId refund, RailFacts facts) {
        return facts.registersAtOnce() && refund == null && transaction.operation() == Operation.CASHIN;
    }

    private static boolean isWaitingCashin(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN && transaction.status() == Status.PENDING;
    }

    private static boolean hasOutcome(Transaction transaction) {
        return switch (transaction.status()) {
            case PAID, DENIED, CANCELED, REFUND, EXPIRED -> true;
            case PENDING, IN_PROCESS, IN_ANALYSIS -> false;
        };
    }

    private static boolean isExpiring(Transaction transaction, Instant now) {
        return isWaitingCashin(transaction) && !now.isBefore(transaction.terms().expiresAt());
    }

    /** A cashout that the rail analyses has not been submitted. */
    private static boolean isAnalysed(Transaction transaction, OpenCall call) {
        return call.refund() == null
                && transaction.operation() == Operation.CASHOUT
                && transaction.status() == Status.IN_ANALYSIS;
    }
}
