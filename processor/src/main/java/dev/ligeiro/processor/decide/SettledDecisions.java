package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What follows when a rail says that money has moved. Money that the transaction cannot take is an unmatched payment. */
final class SettledDecisions {

    private SettledDecisions() {}

    static Decision decide(Context context, RailOutcome.Settled settled) {
        Transaction transaction = context.transaction();
        Settlement settlement = settled.settlement();
        if (transaction.allowedMoves().contains(Status.PAID)) {
            Settlement known = withKnownPayer(transaction, settlement);
            Transaction paid = transaction
                    .with(new Entry.StatusChanged(Status.PAID, context.now(), Source.RAIL, null, known, null))
                    .closeCall(null);
            Decision decision =
                    returned(context, ChangeDecisions.cancelRefused(transaction, paid, context.now()), settled);
            return PayerDecisions.paid(context, decision, settlement == null ? null : settlement.payer());
        }
        Amount amount = transaction.terms().amount();
        if (settlement != null && isPaidByAnother(transaction, settlement)) {
            return Decision.unmatched(
                    transaction.closeCall(null),
                    unmatched(context, settlement.endToEndId(), amount, UnmatchedPayment.Reason.PAID_TWICE));
        }
        if (transaction.status() == Status.PAID || transaction.status() == Status.REFUND) {
            Decision decision = returned(context, transaction.closeCall(null), settled);
            return settled.returned().stream().anyMatch(returned -> waitsForRefund(decision.after(), returned))
                    ? askedAgain(context, decision)
                    : PayerDecisions.answered(context, decision, settled);
        }
        boolean hasEnded = transaction.status() == Status.DENIED || transaction.status() == Status.CANCELED;
        return Decision.unmatched(
                context.hasOutcome() ? transaction.closeCall(null) : transaction,
                unmatched(
                        context,
                        settlement == null ? nameOf(transaction) : settlement.endToEndId(),
                        amount,
                        hasEnded
                                ? UnmatchedPayment.Reason.PAID_AFTER_ITS_END
                                : UnmatchedPayment.Reason.NEVER_SUBMITTED));
    }

    /** Some banks name the payer in the report of a payment only. It is kept to be shown, but not where personal data was removed. */
    private static @Nullable Settlement withKnownPayer(Transaction transaction, @Nullable Settlement settlement) {
        if (settlement != null && transaction.terms().payer().wasRemoved()) {
            return settlement.withoutPayer();
        }
        Settlement reported = transaction.railCall(null).map(RailCall::reported).orElse(null);
        return settlement != null
                        && settlement.payer() == null
                        && reported != null
                        && reported.endToEndId().equals(settlement.endToEndId())
                ? new Settlement(settlement.endToEndId(), settlement.at(), reported.payer())
                : settlement;
    }

    private static UnmatchedPayment unmatched(
            Context context, String endToEndId, Amount amount, UnmatchedPayment.Reason reason) {
        return new UnmatchedPayment(
                context.facts().name(), endToEndId, context.transaction().id(), amount, reason, context.now());
    }

    /** Whether operators have assigned an unmatched payment to the cashin, which was then paid itself. */
    private static boolean isPaidByAnother(Transaction transaction, Settlement settlement) {
        return transaction.operation() == Operation.CASHIN
                && !settlement.endToEndId().equals(transaction.endToEndId())
                && transaction.history().entries().stream()
                        .anyMatch(entry -> entry instanceof Entry.StatusChanged changed
                                && changed.status() == Status.PAID
                                && changed.source() == Source.OPERATOR);
    }

    /** Of its payment, for the operator. A rail may settle a live transaction without naming the payment. */
    private static String nameOf(Transaction transaction) {
        return transaction.endToEndId().isEmpty() ? transaction.id().toString() : transaction.endToEndId();
    }

    /** The rail says that it has made a refund. */
    static Decision decideRefund(Context context, RefundId refund) {
        Transaction transaction = context.transaction();
        if (transaction.railCall(refund).isPresent()) {
            return Decision.store(refundMade(transaction, refund, null, context.now()));
        }
        return transaction.history().refunds().stream()
                .filter(known -> known.id().equals(refund) && known.state() == Refund.State.FAILED)
                .findFirst()
                .map(failed -> Decision.unmatched(
                        transaction,
                        unmatched(
                                context,
                                refund.toString(),
                                failed.amount(),
                                UnmatchedPayment.Reason.REFUNDED_AFTER_FAILURE)))
                .orElseGet(() -> Decision.store(transaction));
    }

    /**
     * Ends a refund that has moved its money.
     *
     * @param resolution the operators' decision that it has; null if the rail says so
     */
    static Transaction refundMade(Transaction transaction, RefundId refund, @Nullable UUID resolution, Instant now) {
        Transaction made = transaction.with(new Entry.RefundMade(refund, false, now, resolution));
        boolean completes = ChangeRules.refunded(made).equals(made.terms().amount());
        return (completes ? transaction.with(new Entry.RefundMade(refund, true, now, resolution)) : made)
                .closeCall(refund);
    }

    /**
     * Payments that an outcome does not explain. The reasons do not depend on the status, so that an answer which arrives again gives the
     * same unmatched payments.
     */
    static List<UnmatchedPayment> unmatched(Context context, RailOutcome.Surplus surplus) {
        Amount agreed = context.transaction().terms().amount();
        return surplus.payments().stream()
                .map(payment -> unmatched(
                        context,
                        payment.endToEndId(),
                        payment.amount(),
                        payment.amount().equals(agreed)
                                ? UnmatchedPayment.Reason.PAID_TWICE
                                : UnmatchedPayment.Reason.OTHER_AMOUNT))
                .toList();
    }

    /** Adds a refund for each amount above 0 that the rail has moved back by itself, once. Each one that is too much is an unmatched payment. */
    private static Decision returned(Context context, Transaction paid, RailOutcome.Settled settled) {
        Decision decision = Decision.store(paid);
        for (RailOutcome.Returned returned : settled.returned()) {
            decision = returned(context, decision.after(), returned).withUnmatched(decision.unmatched());
        }
        return decision;
    }

    private static Decision returned(Context context, Transaction paid, RailOutcome.Returned returned) {
        Optional<Refund> askedFor = paid.history().refunds().stream()
                .filter(known -> isAskedFor(known, returned))
                .findFirst();
        if (askedFor.isPresent()) {
            return decideRefund(context.with(paid), askedFor.get().id());
        }
        RefundId id = RefundId.ofRail(returned.id());
        if (has(paid, id) || returned.amount().equals(Amount.ZERO) || waitsForRefund(paid, returned)) {
            return Decision.store(paid);
        }
        if (returned.amount().cents() > ChangeRules.refundable(paid).cents()) {
            return Decision.unmatched(
                    paid,
                    unmatched(
                            context,
                            // the rail's id is unique within the transaction only
                            nameOf(paid) + "/" + returned.id(),
                            returned.amount(),
                            UnmatchedPayment.Reason.RETURNED_TOO_MUCH));
        }
        Entry entry = Entry.RefundRequested.byRail(id, returned.amount(), returned.rail(), context.now());
        return Decision.store(refundMade(paid.with(entry), id, null, context.now()));
    }

    private static boolean has(Transaction paid, RefundId id) {
        return paid.history().refunds().stream().anyMatch(known -> known.id().equals(id));
    }

    /**
     * Whether refunds that are under way leave too little for what the rail has moved back by itself. The rail will reject one of them, and what
     * it has moved is then a refund. Recorded as too much before, it would be counted twice.
     */
    private static boolean waitsForRefund(Transaction paid, RailOutcome.Returned returned) {
        long moved = returned.amount().cents();
        long left = paid.terms().amount().cents() - ChangeRules.refunded(paid).cents();
        return moved <= left
                && moved > ChangeRules.refundable(paid).cents()
                && !has(paid, RefundId.ofRail(returned.id()))
                && paid.history().refunds().stream().noneMatch(known -> isAskedFor(known, returned));
    }

    /** The rail is asked about the transaction until its refunds have their outcomes. */
    private static Decision askedAgain(Context before, Decision decision) {
        RailCall call = before.callOrFirst(before.now());
        return decision.withAfter(decision.after().with(call.waitingUntil(before.afterAnswer(call))));
    }

    /** A rail lists the refunds that it was asked for too, by the id that it was given: the UUID, mostly without hyphens. */
    private static boolean isAskedFor(Refund known, RailOutcome.Returned returned) {
        return known.id()
                .toString()
                .replace("-", "")
                .equalsIgnoreCase(returned.id().replace("-", ""));
    }
}
