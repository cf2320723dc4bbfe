package dev.ligeiro.gateway.backup;

import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What some records say about transactions.
 *
 * @param latest the latest state of each transaction that the records contain
 * @param records how many were read
 * @param unreadable how many of them this version cannot read
 * @param next the last position of this page; null if there were no later records when it was read
 */
record RecordPage(Map<TransactionId, Transaction> latest, int records, int unreadable, @Nullable RecordPosition next) {

    RecordPage {
        latest = Map.copyOf(latest);
    }

    /** The records of a page so far. */
    static final class Draft {

        private final Map<TransactionId, Transaction> latest = new HashMap<>();
        private int records;
        private int unreadable;
        private @Nullable RecordPosition last;

        /** @param state null for a record without a whole transaction */
        void add(RecordPosition position, @Nullable Transaction state) {
            records++;
            last = position;
            if (state != null) {
                latest.merge(state.id(), state, Draft::later);
            }
        }

        void addUnreadable(RecordPosition position) {
            add(position, null);
            unreadable++;
        }

        int records() {
            return records;
        }

        @Nullable
        RecordPosition last() {
            return last;
        }

        RecordPage page(@Nullable RecordPosition next) {
            return new RecordPage(latest, records, unreadable, next);
        }

        private static Transaction later(Transaction one, Transaction other) {
            return one.history().sequence() >= other.history().sequence() ? one : other;
        }
    }
}
