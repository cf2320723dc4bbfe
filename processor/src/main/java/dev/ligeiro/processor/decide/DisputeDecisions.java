package dev.ligeiro.processor.decide;

import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.BlockedAmount;
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
 * nothing changes. A dispute that has ended stays so, whatever the rail says later.
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

    /** Whether something follows from it for {@code transaction}. */
    public static boolean tellsSomethingNew(Transaction transaction, StoredDispute told, Instant now) {
        return decide(transaction, told, now) != transaction;
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
            return released(opened, dispute, now);
        }
        Transaction updated = updated(opened, dispute, told, now);
        Transaction answered = refused(updated, told, now);
        return told.isFinal() ? answered.with(new Entry.DisputeClosed(told.id(), told.status(), now)) : answered;
    }

    /** Ends the block of a lost dispute whose money the rail has not moved back in time. */
    private static Transaction released(Transaction before, Dispute dispute, Instant now) {
        boolean isOver = BlockedAmount.waitsForReturn(before, dispute.id())
                && !now.isBefore(closedAt(before, dispute.id()).plus(Dispute.RETURNED_WITHIN));
        return isOver ? before.with(new Entry.DisputeReleased(dispute.id(), now)) : before;
    }

    private static Instant closedAt(Transaction transaction, UUID dispute) {
        return transaction.history().entries().stream()
                .filter(entry -> entry instanceof Entry.DisputeClosed closed
                        && closed.dispute().equals(dispute))
                .map(Entry::at)
                .findFirst()
                .orElseThrow();
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
