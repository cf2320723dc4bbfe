package dev.ligeiro.desk.money;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.money.ResolutionController.Resolution;
import dev.ligeiro.desk.money.UnmatchedController.UnmatchedPayment;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ResolutionFields;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.stereotype.Component;

/**
 * What people can decide about a transaction now, for its page: an approval, an unknown outcome, an unmatched payment that names it. Whether a
 * proposal fits is checked here too; the processor checks the transaction again, which may have changed in between.
 */
@Component
public class OpenDecisions {

    private static final Settlement ANY = new Settlement("E", Instant.EPOCH);

    private final TransactionStore transactions;
    private final MongoTemplate mongo;
    private final ResolutionController.Settings settings;
    private final Clock clock;

    OpenDecisions(
            TransactionStore transactions, MongoTemplate mongo, ResolutionController.Settings settings, Clock clock) {
        this.transactions = transactions;
        this.mongo = mongo;
        this.settings = settings;
        this.clock = clock;
    }

    /** @param proposed those that wait for a second operator or for a processor */
    public record Decisions(
            UUID transaction,
            boolean waitsForApproval,
            List<Unknown> unknown,
            List<Unmatched> unmatched,
            List<Resolution> proposed) {

        public boolean isEmpty() {
            return !waitsForApproval && unknown.isEmpty() && unmatched.isEmpty() && proposed.isEmpty();
        }
    }

    /** @param resolvableAt before, the rail may still answer, and there are no choices */
    public record Unknown(@Nullable Amount refunded, Instant resolvableAt, List<Choice> choices) {}

    public record Unmatched(UnmatchedPayment payment, long ageSeconds, List<Choice> choices) {}

    /** @param values what its form is filled in with, names and values alternating */
    public record Choice(ResolutionDecision decision, List<String> values) {

        private static Choice of(ResolutionDecision decision, String asked, String... values) {
            return new Choice(
                    decision,
                    Stream.concat(Stream.of("decision", decision.code(), "fields", asked), Stream.of(values))
                            .toList());
        }

        public String link(Frame frame) {
            return frame.action("resolutions propose", values.toArray(String[]::new));
        }
    }

    /** None for a transaction that is not stored. */
    public Decisions of(UUID transactionId) {
        Transaction transaction = find(transactionId);
        return transaction == null
                ? new Decisions(transactionId, false, List.of(), List.of(), List.of())
                : of(transaction);
    }

    private Decisions of(Transaction transaction) {
        UUID id = transaction.id().value();
        List<Unknown> unknown = new ArrayList<>();
        List<String> subjects = new ArrayList<>();
        subjects.add("transaction/" + id);
        if (isUnknown(transaction, null)) {
            unknown.add(unknown(transaction, null));
        }
        for (Refund refund : transaction.history().refunds()) {
            subjects.add("refund/" + refund.id().value());
            if (isUnknown(transaction, refund)) {
                unknown.add(unknown(transaction, refund));
            }
        }
        Criteria named = where(UnmatchedPaymentFields.TRANSACTION_ID)
                .is(id)
                .and(UnmatchedPaymentFields.RESOLVED)
                .exists(false);
        List<UnmatchedPayment> open = UnmatchedPayment.each(
                mongo.find(
                        Slice.oldestFirst(named, UnmatchedPaymentFields.AT, null, PageCursor::id),
                        Document.class,
                        CollectionNames.UNMATCHED_PAYMENTS),
                mongo);
        open.forEach(payment -> subjects.add("unmatched_payment/" + payment.id()));
        return new Decisions(
                id,
                transaction.approvalSince() != null,
                unknown,
                open.stream()
                        .map(payment -> new Unmatched(
                                payment,
                                Duration.between(payment.at(), clock.instant()).toSeconds(),
                                choices(payment, transaction)))
                        .toList(),
                mongo.find(query(where(ResolutionFields.OPEN).in(subjects)), Resolution.class));
    }

    private Unknown unknown(Transaction transaction, @Nullable Refund refund) {
        Instant from = resolvableAt(transaction, refund);
        if (clock.instant().isBefore(from)) {
            return new Unknown(refund == null ? null : refund.amount(), from, List.of());
        }
        String id = transaction.id().toString();
        if (refund == null) {
            return new Unknown(
                    null,
                    from,
                    List.of(
                            Choice.of(ResolutionDecision.PAID, "e2e_id,paid_at,reason", "transaction", id),
                            Choice.of(ResolutionDecision.DENIED, "reason", "transaction", id)));
        }
        String refundId = refund.id().value().toString();
        return new Unknown(
                refund.amount(),
                from,
                List.of(
                        Choice.of(ResolutionDecision.MADE, "reason", "transaction", id, "refund", refundId),
                        Choice.of(ResolutionDecision.FAILED, "reason", "transaction", id, "refund", refundId)));
    }

    /** @param own the transaction that the rail has named; null if it is not stored, so that another one must be named */
    static List<Choice> choices(UnmatchedPayment payment, @Nullable Transaction own) {
        return fitting(payment, own).stream()
                .map(decision -> {
                    String asked = Proposal.paysOut(decision) ? "amount,reason" : "reason";
                    if (own == null
                            || decision == ResolutionDecision.ASSIGN
                                    && !(hasTermsOf(payment, own) && canBecomePaid(own))) {
                        return Choice.of(decision, "transaction," + asked, "unmatched_payment", payment.id());
                    }
                    String id = own.id().toString();
                    return Choice.of(decision, asked, "unmatched_payment", payment.id(), "transaction", id);
                })
                .toList();
    }

    /**
     * The tenant in whose books the money of a proposal is.
     *
     * @throws Problem 409 {@code not_resolvable} if it has changed, or its outcome has not been unknown for long enough
     */
    Tenant check(Proposal proposal) {
        return proposal.unmatchedPayment() == null
                ? ofUnknown(proposal)
                : ofPayment(proposal, proposal.unmatchedPayment());
    }

    private Tenant ofUnknown(Proposal proposal) {
        Transaction transaction = find(proposal.transaction());
        if (transaction == null) {
            throw Problems.transactionNotFound();
        }
        Refund refund = transaction.history().refunds().stream()
                .filter(one -> one.id().value().equals(proposal.refund()))
                .findFirst()
                .orElse(null);
        if (proposal.refund() != null && refund == null) {
            throw Problem.notFound("The transaction has no such refund");
        }
        if (!isUnknown(transaction, refund)) {
            throw notResolvable(
                    "The outcome is known: the " + transaction.operation().code() + " is "
                            + transaction.status().code() + (refund == null ? "" : ", and the refund has ended"));
        }
        Instant from = resolvableAt(transaction, refund);
        if (clock.instant().isBefore(from)) {
            throw notResolvable("The rail may still answer: this can be decided from " + from + " on")
                    .with("resolvable_at", from);
        }
        Reason.requireSum(
                proposal.amount(), refund == null ? transaction.terms().amount() : refund.amount());
        return transaction.tenant();
    }

    /** Whether operators could decide about the cashout or one of its refunds, now or later. */
    private static boolean isUnknown(Transaction transaction, @Nullable Refund refund) {
        RefundId id = refund == null ? null : refund.id();
        return (refund != null || transaction.operation() == Operation.CASHOUT)
                && ChangeRules.isResolvable(transaction, new ChangeAction.Resolve(id, true, ANY));
    }

    /** Before, the rail may still answer. */
    private Instant resolvableAt(Transaction transaction, @Nullable Refund refund) {
        Instant since = refund == null ? transaction.history().statusSince() : refund.requestedAt();
        return since.plus(settings.unknownFor());
    }

    private Tenant ofPayment(Proposal proposal, String id) {
        UnmatchedPayment payment = mongo.findById(id, UnmatchedPayment.class);
        if (payment == null) {
            throw Problem.notFound("There is no unmatched payment with this id");
        }
        Transaction own = find(payment.transactionId());
        Transaction target = find(proposal.transaction());
        if (payment.resolution() != null) {
            throw notResolvable("Operators have decided about this payment before");
        }
        if (proposal.transaction() != null && target == null) {
            throw Problems.transactionNotFound();
        }
        if (target != null
                && (own != null && !own.tenant().equals(target.tenant())
                        || (target.tenant().mode() == Mode.LIVE) != payment.isLive())) {
            throw Problem.invalid("transaction", "expected one of the payment's merchant, mode and rail");
        }
        List<ResolutionDecision> fitting = fitting(payment, own);
        if (!fitting.contains(proposal.decision())) {
            throw Problem.invalid(
                    "decision",
                    "expected one of "
                            + fitting.stream().map(ResolutionDecision::code).toList());
        }
        if (proposal.decision() == ResolutionDecision.ASSIGN) {
            if (target == null || !hasTermsOf(payment, target)) {
                throw Problem.invalid("transaction", "expected a cashin of the payment's rail and amount");
            }
            if (!canBecomePaid(target)) {
                throw notResolvable("A cashin that is " + target.status().code() + " cannot become paid");
            }
        }
        Reason.requireSum(proposal.amount(), payment.amount());
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
    private static List<ResolutionDecision> fitting(UnmatchedPayment payment, @Nullable Transaction own) {
        if (!payment.hasAmount()) {
            return List.of(ResolutionDecision.KEEP);
        }
        if (payment.hasMovedBack() || own != null && own.operation() != Operation.CASHIN) {
            return List.of(ResolutionDecision.CREDIT, ResolutionDecision.KEEP);
        }
        return payment.isLive()
                ? List.of(
                        ResolutionDecision.ASSIGN,
                        ResolutionDecision.CREDIT,
                        ResolutionDecision.KEEP,
                        ResolutionDecision.RETURN)
                : List.of(ResolutionDecision.ASSIGN, ResolutionDecision.CREDIT, ResolutionDecision.KEEP);
    }

    /** Whether the payment can pay the transaction, if that can become paid. */
    private static boolean hasTermsOf(UnmatchedPayment payment, Transaction cashin) {
        return cashin.operation() == Operation.CASHIN
                && cashin.terms().rail().equals(payment.rail())
                && cashin.terms().amount().equals(payment.amount());
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
