package dev.ligeiro.desk.money;

import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What people can decide about a transaction now, for its page ({@code money/decisions.jte}): an approval, an unknown outcome, an unmatched payment
 * that names it; only decisions that fit, each with the fields that it needs.
 */
@Component
public class OpenDecisions {

    private static final String REASON = "reason";

    private final TransactionStore transactions;
    private final UnmatchedStore payments;
    private final ResolutionStore resolutions;
    private final CheckProposal check;
    private final Clock clock;

    OpenDecisions(
            TransactionStore transactions,
            UnmatchedStore payments,
            ResolutionStore resolutions,
            CheckProposal check,
            Clock clock) {
        this.transactions = transactions;
        this.payments = payments;
        this.resolutions = resolutions;
        this.check = check;
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

    /**
     * An outcome that the rail has not told.
     *
     * @param refunded the amount of the refund that it is about; null for the cashout itself
     * @param resolvableAt before, the rail may still answer, and there are no choices
     */
    public record Unknown(@Nullable Amount refunded, Instant resolvableAt, List<Choice> choices) {}

    public record Unmatched(UnmatchedPayment payment, List<Choice> choices) {}

    /**
     * A decision that fits.
     *
     * @param values what its form is filled in with, names and values alternating
     */
    public record Choice(ResolutionDecision decision, List<String> values) {

        private static Choice of(ResolutionDecision decision, String asked, String... values) {
            return new Choice(
                    decision,
                    Stream.of(Stream.of("decision", decision.code()), Stream.of(values), Stream.of("fields", asked))
                            .flatMap(part -> part)
                            .toList());
        }

        public String link(Frame frame) {
            return frame.action("resolutions propose", values.toArray(String[]::new));
        }
    }

    /** None for a transaction that is not stored. */
    public Decisions of(UUID transactionId) {
        return transactions
                .find(new TransactionId(transactionId))
                .map(this::of)
                .orElseGet(() -> new Decisions(transactionId, false, List.of(), List.of(), List.of()));
    }

    private Decisions of(Transaction transaction) {
        UUID id = transaction.id().value();
        List<UnmatchedPayment> open = payments.open(id);
        List<Unknown> unknown = new ArrayList<>();
        List<String> subjects = new ArrayList<>();
        if (transaction.railCall(null).isPresent()) {
            subjects.add("transaction/" + id);
        }
        if (CheckProposal.isUnknown(transaction, null)) {
            unknown.add(unknown(transaction, null));
        }
        for (Refund refund : transaction.history().refunds()) {
            if (transaction.railCall(refund.id()).isPresent()) {
                subjects.add("refund/" + refund.id().value());
            }
            if (CheckProposal.isUnknown(transaction, refund.id())) {
                unknown.add(unknown(transaction, refund));
            }
        }
        open.forEach(payment -> subjects.add("unmatched_payment/" + payment.id()));
        return new Decisions(
                id,
                transaction.approvalSince() != null,
                unknown,
                open.stream()
                        .map(payment -> new Unmatched(payment, choices(payment, transaction)))
                        .toList(),
                resolutions.open(subjects));
    }

    private Unknown unknown(Transaction transaction, @Nullable Refund refund) {
        RefundId refundId = refund == null ? null : refund.id();
        Instant resolvableAt = check.resolvableAt(transaction, refundId);
        String id = transaction.id().toString();
        List<Choice> choices = refundId == null
                ? List.of(
                        Choice.of(ResolutionDecision.PAID, "e2e_id,paid_at,reason", "transaction", id),
                        Choice.of(ResolutionDecision.DENIED, REASON, "transaction", id))
                : Stream.of(ResolutionDecision.MADE, ResolutionDecision.FAILED)
                        .map(decision -> Choice.of(
                                decision,
                                REASON,
                                "transaction",
                                id,
                                "refund",
                                refundId.value().toString()))
                        .toList();
        return new Unknown(
                refund == null ? null : refund.amount(),
                resolvableAt,
                clock.instant().isBefore(resolvableAt) ? List.of() : choices);
    }

    /** @param own the transaction that the rail has named; null if it is not stored, so that another one must be named */
    static List<Choice> choices(UnmatchedPayment payment, @Nullable Transaction own) {
        return CheckProposal.fitting(payment, own).stream()
                .map(decision -> own == null
                                || decision == ResolutionDecision.ASSIGN && !CheckProposal.isAssignable(payment, own)
                        ? Choice.of(decision, "transaction,reason", "unmatched_payment", payment.id())
                        : Choice.of(
                                decision,
                                REASON,
                                "unmatched_payment",
                                payment.id(),
                                "transaction",
                                own.id().toString()))
                .toList();
    }
}
