package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Clocks;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** Whether a command has come before, to a process that ended before it sent the events. They are then sent again. */
final class Redelivery {

    private Redelivery() {}

    /**
     * Whether the command may be a redelivery. The events of the latest batch are then sent again.
     * <ul>
     *   <li>the answer of a rail: always, because it can change something each time</li>
     *   <li>the report of a rail: if it adds nothing to the history</li>
     *   <li>a request: if it changes nothing and has caused an entry</li>
     *   <li>a due check: if it changes nothing and nothing is due, or if its work was due at the latest event</li>
     *   <li>the report of a dispute: if it changes nothing, or the latest event is about a dispute. It can tell more when it comes again,
     *       because MongoDB has what it tells</li>
     *   <li>any other command: if it changes nothing</li>
     * </ul>
     *
     * @param stored the transaction in the store
     * @param before the transaction before {@code decision}
     */
    static boolean isPossible(
            TransactionCommand command, Transaction stored, Transaction before, Decision decision, Instant now) {
        boolean isChange = decision.changes(before);
        if (command instanceof TransactionCommand.RailAnswer) {
            return true;
        }
        if (command instanceof TransactionCommand.RailNotice) {
            return decision.after().history().sequence() == before.history().sequence();
        }
        if (command instanceof TransactionCommand.Change change) {
            return !isChange && ChangeDecisions.hasCaused(before, change.change());
        }
        if (command instanceof TransactionCommand.DueCheck check) {
            boolean wasDue = isDue(before, stored.history().lastAnnounced().at());
            return wasDue || !isChange && !isDue(before, check.until(now));
        }
        boolean mayTellMore = command instanceof TransactionCommand.DisputeReport
                && stored.history().lastAnnounced().dispute() != null;
        return !isChange || mayTellMore;
    }

    /** The first event of a change that was made at that time or later. */
    static int firstSince(Transaction transaction, Instant since) {
        return 1
                + (int) transaction.history().entries().stream()
                        .filter(Entry::announced)
                        .takeWhile(entry -> entry.at().isBefore(since))
                        .count();
    }

    private static boolean isDue(Transaction transaction, Instant at) {
        Instant dueAt = transaction.dueAt();
        return dueAt != null && !dueAt.isAfter(at);
    }

    /**
     * The first event to send again. Events up to the sequence number of the rail call do not follow from the call's answer, nor those of
     * changes before a report was sent from the report: banks repeat reports, and make new ones for months.
     */
    static int unsentFrom(TransactionCommand command, Transaction transaction) {
        if (command instanceof TransactionCommand.RailAnswer answer) {
            return Math.max(transaction.unsentFrom(), answer.sequence() + 1);
        }
        if (command instanceof TransactionCommand.RailNotice notice && isAfterLatestChange(notice, transaction)) {
            return transaction.history().sequence() + 1;
        }
        return transaction.unsentFrom();
    }

    /** Not within 5 s: the processor that sent the report, and the one that made the change, may have different clocks. */
    private static boolean isAfterLatestChange(TransactionCommand.RailNotice notice, Transaction transaction) {
        Instant changedAt = transaction.history().lastAnnounced().at();
        return notice.sentAt() != null && changedAt.plus(Clocks.APART_MAX).isBefore(notice.sentAt());
    }
}
