package dev.ligeiro.desk.money;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Whether a decision fits the state of its transaction or unmatched payment. The processor checks the transaction again: it may have changed in
 * between.
 */
@Component
class CheckProposal {

    private static final Settlement ANY = new Settlement("E", Instant.EPOCH);

    private final TransactionStore transactions;
    private final UnmatchedStore payments;
    private final ResolutionProperties properties;

    CheckProposal(TransactionStore transactions, UnmatchedStore payments, ResolutionProperties properties) {
        this.transactions = transactions;
        this.payments = payments;
        this.properties = properties;
    }

    /**
     * The tenant in whose books the money is.
     *
     * @throws Problem 409 {@code not_resolvable} if it has changed, or its outcome has not been unknown for long enough
     */
    Tenant check(Proposal proposal, Instant now) {
        if (proposal.unmatchedPayment() != null) {
            return payment(proposal, proposal.unmatchedPayment());
        }
        Transaction transaction = find(proposal.transaction());
        if (transaction == null) {
            throw Problem.transactionNotFound();
        }
        return unknown(proposal, transaction, now);
    }

    private Tenant unknown(Proposal proposal, Transaction transaction, Instant now) {
        RefundId refund = proposal.refund() == null ? null : new RefundId(proposal.refund());
        boolean isKnown = refund == null
                || transaction.history().refunds().stream()
                        .anyMatch(one -> one.id().equals(refund));
        if (!isKnown) {
            throw Problem.notFound("The transaction has no such refund");
        }
        if (!isUnknown(transaction, refund)) {
            throw notResolvable(
                    "The outcome is known: the " + transaction.operation().code() + " is "
                            + transaction.status().code() + (refund == null ? "" : ", and the refund has ended"));
        }
        Instant from = resolvableAt(transaction, refund);
        if (now.isBefore(from)) {
            throw notResolvable("The rail may still answer: this can be decided from " + from + " on")
                    .with("resolvable_at", from);
        }
        return transaction.tenant();
    }

    /** Whether operators could decide about the cashout or one of its refunds, now or later. */
    static boolean isUnknown(Transaction transaction, @Nullable RefundId refund) {
        return (refund != null || transaction.operation() == Operation.CASHOUT)
                && ChangeRules.isResolvable(transaction, new ChangeAction.Resolve(refund, true, ANY));
    }

    /** Before, the rail may still answer. */
    Instant resolvableAt(Transaction transaction, @Nullable RefundId refund) {
        Instant since = refund == null
                ? transaction.history().statusSince()
                : transaction.history().entries().stream()
                        .filter(entry -> entry instanceof Entry.RefundRequested requested
                                && requested.refund().equals(refund))
                        .findFirst()
                        .orElseThrow()
                        .at();
        return since.plus(properties.unknownFor());
    }

    private Tenant payment(Proposal proposal, String id) {
        UnmatchedPayment payment =
                payments.find(id).orElseThrow(() -> Problem.notFound("There is no unmatched payment with this id"));
        return tenant(proposal, payment, find(payment.transactionId()), find(proposal.transaction()));
    }

    /**
     * @param own the transaction that the rail has named; null if it is not stored
     * @param target the one of the decision; null if it names none, or it is not stored
     */
    private static Tenant tenant(
            Proposal proposal, UnmatchedPayment payment, @Nullable Transaction own, @Nullable Transaction target) {
        if (payment.resolution() != null) {
            throw notResolvable("Operators have decided about this payment before");
        }
        if (proposal.transaction() != null && target == null) {
            throw Problem.transactionNotFound();
        }
        boolean isElsewhere = target != null
                && (own != null && !own.tenant().equals(target.tenant())
                        || (target.tenant().mode() == Mode.TEST) != payment.isSimulated());
        if (isElsewhere) {
            throw Problem.invalid("transaction", "expected one of the payment's merchant, mode and rail");
        }
        if (!fitting(payment, own).contains(proposal.decision())) {
            throw Problem.invalid("decision", expected(payment, proposal));
        }
        if (proposal.decision() == ResolutionDecision.ASSIGN) {
            requireAssignable(payment, target);
        }
        Transaction ofBooks = own == null ? target : own;
        if (ofBooks == null) {
            throw Problem.invalid(
                    "transaction",
                    "expected one of the merchant in whose books the payment is kept: its own is not stored");
        }
        return ofBooks.tenant();
    }

    /**
     * The decisions that fit a payment: without an amount, nothing can be booked to a merchant; only money that has come in can be assigned to a
     * cashin; only money that has come in at a bank can be sent back.
     *
     * @param own the transaction that the rail has named; null if it is not stored
     */
    static List<ResolutionDecision> fitting(UnmatchedPayment payment, @Nullable Transaction own) {
        if (!payment.hasAmount()) {
            return List.of(ResolutionDecision.KEEP);
        }
        boolean isIncoming = !payment.isBack() && (own == null || own.operation() == Operation.CASHIN);
        List<ResolutionDecision> fitting = new ArrayList<>();
        if (isIncoming) {
            fitting.add(ResolutionDecision.ASSIGN);
        }
        fitting.add(ResolutionDecision.CREDIT);
        fitting.add(ResolutionDecision.KEEP);
        if (isIncoming && !payment.isSimulated()) {
            fitting.add(ResolutionDecision.RETURN);
        }
        return fitting;
    }

    private static String expected(UnmatchedPayment payment, Proposal proposal) {
        if (!payment.hasAmount()) {
            return "expected keep: the rail has reported no amount";
        }
        return proposal.decision() == ResolutionDecision.ASSIGN
                ? "expected credit or keep: only money that has come in can be assigned, to a cashin"
                : "expected credit or keep: only money that has come in at a bank can be sent back";
    }

    private static void requireAssignable(UnmatchedPayment payment, @Nullable Transaction target) {
        if (target == null || target.operation() != Operation.CASHIN) {
            throw Problem.invalid(
                    "decision", "expected credit or keep: only money that has come in can be assigned, to a cashin");
        }
        if (!target.terms().rail().equals(payment.rail())) {
            throw Problem.invalid("transaction", "expected one of the payment's merchant, mode and rail");
        }
        if (!target.terms().amount().equals(payment.amount())) {
            throw Problem.invalid("transaction", "expected one of the payment's amount, " + payment.amount());
        }
        if (!canBecomePaid(target)) {
            throw notResolvable("A cashin that is " + target.status().code() + " cannot become paid");
        }
    }

    /** Whether the payment can pay the transaction that the rail has named. */
    static boolean isAssignable(UnmatchedPayment payment, Transaction own) {
        return own.operation() == Operation.CASHIN
                && own.terms().rail().equals(payment.rail())
                && own.terms().amount().equals(payment.amount())
                && canBecomePaid(own);
    }

    private static boolean canBecomePaid(Transaction cashin) {
        return ChangeRules.isResolvable(cashin, new ChangeAction.Resolve(null, true, ANY));
    }

    private @Nullable Transaction find(@Nullable UUID id) {
        return id == null ? null : transactions.find(new TransactionId(id)).orElse(null);
    }

    private static Problem notResolvable(String detail) {
        return Problem.of(ProblemCode.NOT_RESOLVABLE, detail);
    }
}
