package dev.ligeiro.processor.decide;

import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What follows for a transaction from what its rail says about a dispute. The rail is read again and again, and most of it is known: then
 * nothing changes. A dispute that has ended stays as it is, whatever the rail says later.
 */
public final class DisputeDecisions {

    private DisputeDecisions() {}

    /**
     * Whether {@code transaction} is the one that the claim is about: a cashin that this payment has paid. No more than its amount can be
     * disputed.
     */
    public static boolean takes(Transaction transaction, StoredDispute told) {
        return transaction.operation() == Operation.CASHIN
                && transaction.history().lastAt(Status.PAID).isPresent()
                && transaction.terms().rail().equals(told.rail())
                && transaction.endToEndId().equals(told.endToEndId())
                && told.amount().cents() <= transaction.terms().amount().cents();
    }

    /** Whether {@code transaction} does not know all of it. */
    public static boolean tellsSomethingNew(Transaction transaction, StoredDispute told) {
        return decide(transaction, told, told.openedAt()) != transaction;
    }

    /** @param told as MongoDB has it; null if it does not */
    static Transaction decide(Transaction transaction, @Nullable StoredDispute told, Instant now) {
        if (told == null || told.status() == null || !takes(transaction, told)) {
            return transaction;
        }
        boolean isKnown = transaction.history().dispute(told.id()).isPresent();
        Transaction opened = isKnown ? transaction : transaction.with(opened(told, now));
        Dispute dispute = opened.history().dispute(told.id()).orElseThrow();
        if (dispute.status().isFinal()) {
            return opened;
        }
        Transaction updated = updated(opened, dispute, told, now);
        Transaction answered = refused(updated, told, now);
        return told.isFinal() ? answered.with(new Entry.DisputeClosed(told.id(), told.status(), now)) : answered;
    }

    private static Entry opened(StoredDispute told, Instant now) {
        return new Entry.DisputeOpened(
                told.id(),
                told.amount(),
                told.reason(),
                told.situation(),
                told.deadline(),
                told.openedAt(),
                told.railId(),
                told.protocol(),
                now);
    }

    /** The rail has a defence, or another deadline. A defence that the rail has is never taken back. */
    private static Transaction updated(Transaction before, Dispute dispute, StoredDispute told, Instant now) {
        boolean isDefended = dispute.status() == Dispute.Status.DEFENDED
                || told.status() == Dispute.Status.DEFENDED
                || told.defense() != null;
        Dispute.Status status = isDefended ? Dispute.Status.DEFENDED : dispute.status();
        Instant deadline = told.deadline() == null ? dispute.deadline() : told.deadline();
        boolean isSame = status == dispute.status() && (deadline == null || deadline.equals(dispute.deadline()));
        if (isSame) {
            return before;
        }
        UUID ours = isDefended
                ? open(before, told.id()).stream()
                        .filter(defense ->
                                told.defense() == null || told.defense().equals(StoredDispute.nameOf(defense.text())))
                        .map(defense -> defense.change().id())
                        .findFirst()
                        .orElse(null)
                : null;
        return before.with(new Entry.DisputeUpdated(told.id(), status, deadline, ours, now));
    }

    /** Refuses the defences that the rail will not take any more. */
    private static Transaction refused(Transaction before, StoredDispute told, Instant now) {
        Transaction after = before;
        boolean isDefended = before.history().dispute(told.id()).orElseThrow().status() == Dispute.Status.DEFENDED;
        for (Entry.DefenseRequested defense : open(before, told.id())) {
            StoredDispute.Refusal refusal = told.refusal();
            ChangeRefusal code = isDefended
                    ? ChangeRefusal.ALREADY_DEFENDED
                    : told.isFinal()
                            ? ChangeRefusal.DISPUTE_CLOSED
                            : refusal != null
                                            && refusal.change()
                                                    .equals(defense.change().id())
                                    ? refusal.code()
                                    : null;
            if (code != null) {
                after = ChangeDecisions.refused(after, defense.change(), code, now);
            }
        }
        return after;
    }

    private static List<Entry.DefenseRequested> open(Transaction transaction, UUID dispute) {
        return transaction.history().openDefenses().stream()
                .filter(defense -> defense.dispute().equals(dispute))
                .toList();
    }
}
