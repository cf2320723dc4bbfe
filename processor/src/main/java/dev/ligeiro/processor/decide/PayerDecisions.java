package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What follows from who has paid a cashin whose payer must have its document. It is paid in any case, and the merchant is told of a mismatch.
 * An unknown payer is none. The rail's report alone decides nothing, because anyone may have a bank send one: only what the rail itself
 * answers.
 */
final class PayerDecisions {

    /** How long a rail is asked that answers without telling. */
    static final Duration ASKED_FOR = Duration.ofHours(1);

    private PayerDecisions() {}

    /**
     * Compares the payer of a cashin that {@code paid} has made paid. If the payer is not told, the rail is asked, after a pause in which its
     * lists learn of the payment.
     *
     * @param payer as the rail itself names it; null when not told
     */
    static Decision paid(Context context, Decision paid, @Nullable Payer payer) {
        Transaction cashin = paid.after();
        // without its document, which an erasure has removed, nobody can be compared
        if (!cashin.terms().payerMustMatch() || cashin.terms().payer().wasRemoved()) {
            return paid;
        }
        Boolean matches =
                payer == null ? null : payer.has(cashin.terms().payer().document());
        if (Boolean.FALSE.equals(matches)) {
            return mismatch(context, paid);
        }
        boolean asks = matches == null && context.facts().tellsPayer();
        Instant dueAt = context.now().plus(context.facts().inquireAfter());
        return asks
                ? paid.withAfter(
                        cashin.with(context.with(cashin).callOrFirst(dueAt).checkingPayer(dueAt)))
                : paid;
    }

    /**
     * Keeps the payer that a report of the known payment names, if nobody has before. If it is not the one who must have paid, the rail is asked:
     * its answer counts. Only for merchants with rules about payers: older processes cannot read the entry.
     */
    static Transaction named(Context context, @Nullable Payer payer) {
        Transaction cashin = context.transaction();
        if (payer == null
                || cashin.terms().payerRules() == null
                || cashin.history().payer().isPresent()
                || cashin.terms().payer().wasRemoved()) {
            return cashin;
        }
        Transaction named = cashin.with(new Entry.PayerNamed(payer, context.now()));
        boolean asks = cashin.terms().payerMustMatch()
                && context.facts().tellsPayer()
                && !cashin.history().hasPayerMismatch()
                && Boolean.FALSE.equals(payer.has(cashin.terms().payer().document()));
        Instant dueAt = context.now().plus(context.facts().inquireAfter());
        return asks ? named.with(context.with(named).callOrFirst(dueAt).checkingPayer(dueAt)) : named;
    }

    /** Applies the answer to that question. {@code answered} is what follows from the rest of the answer, and has closed the call. */
    static Decision answered(Context context, Decision answered, RailOutcome.Settled settled) {
        Transaction cashin = answered.after();
        Optional<RailCall> question = context.transaction().railCall(null).filter(RailCall::checksPayer);
        if (question.isEmpty() || cashin.history().hasPayerMismatch()) {
            return answered;
        }
        Boolean matches = matches(cashin, settled);
        if (Boolean.FALSE.equals(matches)) {
            return mismatch(context, answered);
        }
        Instant paidAt = cashin.history().lastAt(Status.PAID).orElseThrow();
        boolean asksAgain = matches == null && context.now().isBefore(paidAt.plus(ASKED_FOR));
        return asksAgain
                ? answered.withAfter(cashin.with(question.get().waitingUntil(context.afterAnswer(question.get()))))
                : answered;
    }

    private static @Nullable Boolean matches(Transaction cashin, RailOutcome.Settled settled) {
        Payer payer = settled.settlement() == null ? null : settled.settlement().payer();
        Boolean named = payer == null ? null : payer.has(cashin.terms().payer().document());
        return named == null ? settled.payerMatches() : named;
    }

    /** Refunds what is left, if the merchant wants it. The refund has the same id each time, so that it moves money once. */
    private static Decision mismatch(Context context, Decision paid) {
        Transaction cashin = paid.after().with(new Entry.PayerMismatch(context.now()));
        PayerRules rules = cashin.terms().payerRules();
        Amount left = ChangeRules.refundable(cashin);
        if (rules == null || !rules.refundsMismatch() || left.equals(Amount.ZERO)) {
            return paid.withAfter(cashin);
        }
        RefundId id = RefundId.ofPayerMismatch(cashin.id());
        Entry requested = Entry.RefundRequested.bySystem(id, left, Entry.PayerMismatch.REASON, context.now());
        return SubmissionDecisions.submitRefund(context.with(cashin.with(requested)), id)
                .withUnmatched(paid.unmatched());
    }
}
