package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Resolution;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The operators' decision about an outcome that stays unknown. The rail is asked once more: if it settles or rejects, its word counts and the
 * decision is refused. Otherwise the decision is applied. Nothing is submitted from its beginning on.
 */
final class ResolutionDecisions {

    /** How long a rail that does not answer is asked. */
    static final Duration ASKED_FOR = Duration.ofMinutes(1);

    private ResolutionDecisions() {}

    static Decision begin(
            Transaction transaction, ChangeAction.Resolve resolve, ChangeRef change, Instant nextCheck, Instant now) {
        if (resolve.refund() == null && transaction.operation() == Operation.CASHIN) {
            Entry paid = new Entry.StatusChanged(
                    Status.PAID, now, Source.OPERATOR, Resolution.REASON, resolve.settlement(), change);
            return Decision.store(closed(CancelDecisions.refused(transaction, transaction.with(paid), now)));
        }
        RailCall call = transaction.railCall(resolve.refund()).orElseThrow();
        Resolution resolution = new Resolution(change.id(), resolve.moved(), resolve.settlement(), now);
        return Decision.inquire(transaction.with(call.resolving(resolution, nextCheck)), resolve.refund());
    }

    /** Whether the call waits for the answer that comes before the operators' decision. */
    static boolean isOpen(RailCall call) {
        return call.resolution() != null;
    }

    /** Asks again. Without an answer, be it that the rail has not answered in time, nothing is applied. */
    static Decision dueCheck(Transaction transaction, RailCall call, RailFacts facts, Instant now) {
        return Decision.inquire(transaction.with(call.asked(RailSchedule.afterCall(facts, now))), call.refund());
    }

    /**
     * What follows from an outcome other than settled and rejected. An answer from before the decision, or about a submission, was known to the
     * operators.
     *
     * @param asked the call that was answered
     * @param askedAt just before it
     */
    static Decision decide(
            Transaction transaction,
            RailCall call,
            RailCallKind asked,
            Instant askedAt,
            RailOutcome outcome,
            RailFacts facts,
            Instant now) {
        boolean isAsked = asked == RailCallKind.INQUIRE
                && !askedAt.isBefore(resolution(call).at());
        boolean tells = !(outcome instanceof RailOutcome.Unknown || outcome instanceof RailOutcome.NotStarted)
                && !(outcome instanceof RailOutcome.NotFound
                        && askedAt.isBefore(RailSchedule.notFoundCountsFrom(facts, call)));
        Instant end = askedUntil(call, facts);
        if (isAsked && (tells || !now.isBefore(end))) {
            return Decision.store(applied(transaction, call, now));
        }
        Instant soon = now.plus(facts.inquireAfter());
        return Decision.store(
                transaction.with(call.waitingUntil(soon.isBefore(end) || !now.isBefore(end) ? soon : end)));
    }

    /** Refuses the decisions that were open before and are not applied: the rail, or the sandbox, was first. */
    static Decision refused(Transaction before, Decision decision, Instant now) {
        Transaction after = decision.after();
        if (before.railCalls().stream().noneMatch(ResolutionDecisions::isOpen)) {
            return decision;
        }
        for (RailCall call : before.railCalls()) {
            UUID id = isOpen(call) ? resolution(call).id() : null;
            if (id != null && !isKnown(after, id)) {
                after = ChangeDecisions.refused(after, new ChangeRef(id, null), ChangeRefusal.INVALID_TRANSITION, now);
            }
        }
        return after == decision.after() ? decision : new Decision(after, decision.railRequest(), decision.unmatched());
    }

    /** Whether a call or an entry has the decision. */
    static boolean isKnown(Transaction transaction, UUID id) {
        Stream<UUID> waiting = transaction.railCalls().stream()
                .flatMap(call -> Stream.ofNullable(call.resolution()))
                .map(Resolution::id);
        Stream<UUID> ended =
                transaction.history().entries().stream().flatMap(entry -> Stream.ofNullable(entry.changeId()));
        return Stream.concat(waiting, ended).anyMatch(id::equals);
    }

    /** A submission that began just before the decision may still arrive. */
    private static Instant askedUntil(RailCall call, RailFacts facts) {
        Instant end = resolution(call).at().plus(ASKED_FOR);
        Instant arrived = RailSchedule.notFoundCountsFrom(facts, call);
        return arrived.isAfter(end) ? arrived : end;
    }

    private static Resolution resolution(RailCall call) {
        return Optional.ofNullable(call.resolution()).orElseThrow();
    }

    private static Transaction applied(Transaction transaction, RailCall call, Instant now) {
        Resolution resolution = resolution(call);
        RefundId refund = call.refund();
        if (refund == null) {
            Status status = resolution.moved() ? Status.PAID : Status.DENIED;
            Entry entry = new Entry.StatusChanged(
                    status,
                    now,
                    Source.OPERATOR,
                    Resolution.REASON,
                    resolution.settlement(),
                    new ChangeRef(resolution.id(), null));
            return closed(transaction.with(entry));
        }
        return resolution.moved()
                ? SettledDecisions.refundMade(transaction, refund, resolution.id(), now)
                : transaction
                        .with(new Entry.RefundFailed(refund, Resolution.REASON, now, resolution.id()))
                        .closeCall(refund);
    }

    /** The question of a rail's report stays open: the report may be of a payment. */
    private static Transaction closed(Transaction transaction) {
        return transaction
                .railCall(null)
                .filter(call -> call.reportedAt() != null)
                .map(call -> transaction.with(call.withoutResolution()))
                .orElseGet(() -> transaction.closeCall(null));
    }
}
