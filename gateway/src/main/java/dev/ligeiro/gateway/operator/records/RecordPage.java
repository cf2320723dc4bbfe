package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.TransactionId;
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
record RecordPage(
        Map<TransactionId, TransactionEvent> latest, int records, int unreadable, @Nullable RecordPosition next) {

    RecordPage {
        latest = Map.copyOf(latest);
    }
}
