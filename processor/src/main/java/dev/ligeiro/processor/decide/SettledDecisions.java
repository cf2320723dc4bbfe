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

    /** @param askAgainAt when the rail is asked about money that it moved back while refunds were under way */
    static Decision decide(
            Transaction transaction, RailOutcome.Settled settled, String rail, Instant askAgainAt, Instant now) {
        Settlement settlement = settled.settlement();
        if (transaction.allowedMoves().contains(Status.PAID)) {
            Transaction paid = transaction
                    .with(new Entry.StatusChanged(Status.PAID, now, Source.RAIL, null, settlement, null))
                    .closeCall(null);
            return returned(CancelDecisions.refused(transaction, paid, now), settled, rail, now);
        }
        if (settlement != null && isPaidByAnother(transaction, settlement)) {
            return Decision.unmatched(
                    transaction.closeCall(null),
                    new UnmatchedPayment(
                            rail,
                            settlement.endToEndId(),
                            transaction.id(),
                            transaction.terms().amount(),
                            UnmatchedPayment.Reason.PAID_TWICE,
                            now));
        }
        if (transaction.status() == Status.PAID || transaction.status() == Status.REFUND) {
            Decision decision = returned(transaction.closeCall(null), settled, rail, now);
            return settled.returned().stream().anyMatch(returned -> waitsForRefund(decision.after(), returned))
                    ? askedAgain(decision, transaction, askAgainAt, now)
                    : decision;
        }
        boolean hasEnded = transaction.status() == Status.DENIED || transaction.status() == Status.CANCELED;
        return Decision.unmatched(
                RailDecisions.hasOutcome(transaction) ? transaction.closeCall(null) : transaction,
                new UnmatchedPayment(
                        rail,
                        settlement == null ? nameOf(transaction) : settlement.endToEndId(),
                        transaction.id(),
                        transaction.terms().amount(),
                        hasEnded ? UnmatchedPayment.Reason.PAID_AFTER_ITS_END : UnmatchedPayment.Reason.NEVER_SUBMITTED,
                        now));
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
    static Decision decideRefund(Transaction transaction, RefundId refund, String rail, Instant now) {
        if (transaction.railCall(refund).isPresent()) {
            return Decision.store(refundMade(transaction, refund, null, now));
        }
        return transaction.history().refunds().stream()
                .filter(known -> known.id().equals(refund) && known.state() == Refund.State.FAILED)
                .findFirst()
                .map(failed -> Decision.unmatched(
                        transaction,
                        new UnmatchedPayment(
                                rail,
                                refund.toString(),
                                transaction.id(),
                                failed.amount(),
                                UnmatchedPayment.Reason.REFUNDED_AFTER_FAILURE,
                                now)))
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
    static List<UnmatchedPayment> unmatched(
            Transaction transaction, RailOutcome.Surplus surplus, String rail, Instant now) {
        Amount agreed = transaction.terms().amount();
        return surplus.payments().stream()
                .map(payment -> new UnmatchedPayment(
                        rail,
                        payment.endToEndId(),
                        transaction.id(),
                        payment.amount(),
                        payment.amount().equals(agreed)
                                ? UnmatchedPayment.Reason.PAID_TWICE
                                : UnmatchedPayment.Reason.OTHER_AMOUNT,
                        now))
                .toList();
    }

    /** Adds a refund for each amount above 0 that the rail has moved back by itself, once. Each one that is too much is an unmatched payment. */
    private static Decision returned(Transaction transaction, RailOutcome.Settled settled, String rail, Instant now) {
        Decision decision = Decision.store(transaction);
        for (RailOutcome.Returned returned : settled.returned()) {
            decision = returned(decision.after(), returned, rail, now).withUnmatched(decision.unmatched());
        }
        return decision;
    }

    private static Decision returned(Transaction paid, RailOutcome.Returned returned, String rail, Instant now) {
        Optional<Refund> askedFor = paid.history().refunds().stream()
                .filter(known -> isAskedFor(known, returned))
                .findFirst();
        if (askedFor.isPresent()) {
            return decideRefund(paid, askedFor.get().id(), rail, now);
        }
        RefundId id = RefundId.ofRail(returned.id());
        if (has(paid, id) || returned.amount().equals(Amount.ZERO) || waitsForRefund(paid, returned)) {
            return Decision.store(paid);
        }
        if (returned.amount().cents() > ChangeRules.refundable(paid).cents()) {
            return Decision.unmatched(paid, returnedTooMuch(paid, returned, rail, now));
        }
        Entry entry = new Entry.RefundRequested(id, returned.amount(), Source.RAIL, null, null, now, null);
        return Decision.store(refundMade(paid.with(entry), id, null, now));
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
    private static Decision askedAgain(Decision decision, Transaction before, Instant askAgainAt, Instant now) {
        RailCall call = before.railCall(null).orElseGet(() -> RailCall.first(null, now, askAgainAt));
        Transaction waiting = decision.after().with(call.waitingUntil(askAgainAt));
        return new Decision(waiting, decision.railRequest(), decision.unmatched());
    }

    private static UnmatchedPayment returnedTooMuch(
            Transaction paid, RailOutcome.Returned returned, String rail, Instant now) {
        return new UnmatchedPayment(
                rail,
                // the rail's id is unique within the transaction only
                nameOf(paid) + "/" + returned.id(),
                paid.id(),
                returned.amount(),
                UnmatchedPayment.Reason.RETURNED_TOO_MUCH,
                now);
    }

    /** A rail lists the refunds that it was asked for too, by the id that it was given: the UUID, mostly without hyphens. */
    private static boolean isAskedFor(Refund known, RailOutcome.Returned returned) {
        return known.id()
                .toString()
                .replace("-", "")
                .equalsIgnoreCase(returned.id().replace("-", ""));
    }
}
