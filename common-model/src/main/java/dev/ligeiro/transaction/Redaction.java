package dev.ligeiro.transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The removal of personal data from a transaction: what is left of it, and when it may begin. Amounts, statuses, times, ids, the merchant's own
 * identifiers and codes of reasons are left, so sums, books and event ids stay as they are.
 */
public final class Redaction {

    /** Longer than Kafka keeps commands and events by default: a redelivered one would have other terms. Most webhooks have ended then too. */
    public static final Duration QUIET = Duration.ofDays(8);

    private Redaction() {}

    /** Why a transaction keeps its personal data for now. */
    public enum Reason implements Coded {
        /** Its outcome, or that of a refund or of a dispute, is not known yet. */
        UNSETTLED,
        /** It has changed within {@link #QUIET}. */
        RECENT,
        /** It can still be refunded, and disputed at the bank. */
        REFUND_WINDOW,
        /** The law requires the installation to keep it. */
        LEGAL_PERIOD
    }

    /** @param until null while the end is unknown */
    public record Held(Reason reason, @Nullable Instant until) {}

    /**
     * Why personal data must stay, by the reason that lasts longest; empty if it may be removed.
     *
     * @param legalPeriod how long after its last change a transaction must be kept whole
     */
    public static Optional<Held> held(Transaction transaction, Duration legalPeriod, Instant now) {
        Status status = transaction.status();
        boolean isUnsettled =
                switch (status) {
                    case PENDING, IN_PROCESS, IN_ANALYSIS -> true;
                    case PAID, DENIED, CANCELED, REFUND, EXPIRED -> false;
                };
        boolean isDisputed = transaction.history().disputes().stream()
                .anyMatch(dispute -> !dispute.status().isFinal());
        if (isUnsettled || isDisputed || !transaction.accepted() || transaction.dueAt() != null) {
            return Optional.of(new Held(Reason.UNSETTLED, null));
        }
        List<Entry> entries = transaction.history().entries();
        Instant changedAt = entries.get(entries.size() - 1).at();
        Held longest = new Held(Reason.RECENT, changedAt.plus(QUIET));
        if (transaction.operation() == Operation.CASHIN && status == Status.PAID) {
            Instant paidAt = transaction.history().lastAt(Status.PAID).orElseThrow();
            longest = longer(longest, new Held(Reason.REFUND_WINDOW, paidAt.plus(ChangeRules.REFUND_WINDOW)));
        }
        longest = longer(longest, new Held(Reason.LEGAL_PERIOD, changedAt.plus(legalPeriod)));
        return Optional.of(longest).filter(held -> !now.isAfter(until(held)));
    }

    private static Held longer(Held one, Held other) {
        return until(other).isAfter(until(one)) ? other : one;
    }

    private static Instant until(Held held) {
        return held.until() == null ? Instant.MAX : held.until();
    }

    /**
     * The transaction without personal data and with the next version, so that a change that is based on the present one fails. The same object
     * if it has none.
     */
    public static Transaction of(Transaction transaction) {
        Terms terms = terms(transaction.terms());
        History history = new History(transaction.history().entries().stream()
                .filter(entry -> !(entry instanceof Entry.PayerNamed))
                .map(Redaction::entry)
                .toList());
        return terms.equals(transaction.terms()) && history.equals(transaction.history())
                ? transaction
                : new Transaction(
                        transaction.id(),
                        transaction.tenant(),
                        transaction.operation(),
                        terms,
                        history,
                        transaction.railCalls(),
                        transaction.version() + 1,
                        transaction.accepted(),
                        transaction.unsentFrom());
    }

    private static Terms terms(Terms terms) {
        return new Terms(
                terms.amount(),
                terms.commission(),
                Party.REMOVED,
                "",
                terms.platform(),
                terms.reference(),
                null,
                null,
                terms.brCode(),
                terms.locationId(),
                terms.endToEndId(),
                terms.expiresAt(),
                terms.rail(),
                terms.commissionReturns(),
                null,
                null,
                terms.payerRules());
    }

    /** Without the texts that people have written, and who has paid. */
    private static Entry entry(Entry entry) {
        if (entry instanceof Entry.StatusChanged changed) {
            Settlement payment = changed.settlement();
            return new Entry.StatusChanged(
                    changed.status(),
                    changed.at(),
                    changed.source(),
                    changed.reason(),
                    payment == null ? null : payment.withoutPayer(),
                    changed.change(),
                    null);
        }
        if (entry instanceof Entry.RefundRequested asked) {
            return new Entry.RefundRequested(
                    asked.refund(),
                    asked.amount(),
                    asked.source(),
                    asked.reference(),
                    null,
                    asked.at(),
                    asked.idempotencyKey(),
                    asked.by(),
                    asked.reason(),
                    asked.rail());
        }
        return entry instanceof Entry.DefenseRequested asked
                ? new Entry.DefenseRequested(asked.dispute(), "", asked.change(), asked.at())
                : entry;
    }
}
