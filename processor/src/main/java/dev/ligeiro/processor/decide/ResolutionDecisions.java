package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Resolution;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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

    static Decision begin(Context context, ChangeAction.Resolve resolve, ChangeRef change) {
        Transaction transaction = context.transaction();
        Instant now = context.now();
        if (resolve.refund() == null && transaction.operation() == Operation.CASHIN) {
            Entry paid = new Entry.StatusChanged(
                    Status.PAID, now, Source.OPERATOR, Resolution.REASON, resolve.settlement(), change);
            Transaction assigned = closed(ChangeDecisions.cancelRefused(transaction, transaction.with(paid), now));
            return PayerDecisions.paid(context, Decision.store(assigned), null);
        }
        RailCall call = transaction.railCall(resolve.refund()).orElseThrow();
        Resolution resolution = new Resolution(change.id(), resolve.moved(), resolve.settlement(), now);
        return Decision.inquire(transaction.with(call.resolving(resolution, context.afterCall())), resolve.refund());
    }

    /**
     * What follows from an outcome other than settled and rejected. An answer from before the decision, or about a submission, was known to the
     * operators. Without an answer, be it that the rail has not answered in time, nothing is applied.
     *
     * @param call with the decision
     * @param asked the call that was answered
     * @param askedAt just before it
     */
    static Decision decide(Context context, RailCall call, RailCallKind asked, Instant askedAt, RailOutcome outcome) {
        Resolution resolution = Objects.requireNonNull(call.resolution());
        Instant now = context.now();
        Instant notFoundCountsFrom = context.notFoundCountsFrom(call);
        boolean isAsked = asked == RailCallKind.INQUIRE && !askedAt.isBefore(resolution.at());
        boolean tells = !(outcome instanceof RailOutcome.Unknown || outcome instanceof RailOutcome.NotStarted)
                && !(outcome instanceof RailOutcome.NotFound && askedAt.isBefore(notFoundCountsFrom));
        // a submission that began just before the decision may still arrive
        Instant askedUntil = resolution.at().plus(ASKED_FOR);
        Instant end = notFoundCountsFrom.isAfter(askedUntil) ? notFoundCountsFrom : askedUntil;
        if (isAsked && (tells || !now.isBefore(end))) {
            return Decision.store(applied(context, call, resolution));
        }
        Instant soon = now.plus(context.facts().inquireAfter());
        return context.waitsUntil(call, soon.isBefore(end) || !now.isBefore(end) ? soon : end);
    }

    /** Refuses the decisions that were open before and are not applied: the rail, or the sandbox, was first. */
    static Decision refused(Transaction before, Decision decision, Instant now) {
        Transaction after = decision.after();
        for (RailCall call : before.railCalls()) {
            UUID id = call.resolution() == null ? null : call.resolution().id();
            if (id != null && !isKnown(after, id)) {
                after = ChangeDecisions.refused(after, new ChangeRef(id, null), ChangeRefusal.INVALID_TRANSITION, now);
            }
        }
        return after == decision.after() ? decision : decision.withAfter(after);
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

    private static Transaction applied(Context context, RailCall call, Resolution resolution) {
        Transaction transaction = context.transaction();
        Instant now = context.now();
        if (call.refund() == null) {
            return closed(transaction.with(new Entry.StatusChanged(
                    resolution.moved() ? Status.PAID : Status.DENIED,
                    now,
                    Source.OPERATOR,
                    Resolution.REASON,
                    resolution.settlement(),
                    new ChangeRef(resolution.id(), null))));
        }
        return resolution.moved()
                ? SettledDecisions.refundMade(transaction, call.refund(), resolution.id(), now)
                : transaction
                        .with(new Entry.RefundFailed(call.refund(), Resolution.REASON, now, resolution.id()))
                        .closeCall(call.refund());
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
