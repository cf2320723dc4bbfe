package dev.ligeiro.processor.intake;

import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The transactions with many refunds among those processed lately. A transaction with 100 refunds has 180 kB and takes a hundred times as
 * long as others, so its commands are processed after the others of their batch.
 */
final class LongHistories {

    private static final int ENTRIES_MIN = 20;
    private static final int REMEMBERED_MAX = 2_000;

    private final Set<TransactionId> latest =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<TransactionId, Boolean> eldest) {
                    return size() > REMEMBERED_MAX;
                }
            }));

    /** Remembers the transaction if its history is long. */
    void remember(Transaction transaction) {
        if (transaction.history().entries().size() >= ENTRIES_MIN) {
            latest.add(transaction.id());
        }
    }

    /** The commands of other transactions, then those of these. Commands of one transaction stay together and in their order. */
    List<List<ReceivedCommand>> last(List<ReceivedCommand> commands) {
        Map<Boolean, List<ReceivedCommand>> parts = commands.stream()
                .collect(Collectors.partitioningBy(
                        received -> latest.contains(received.command().transactionId())));
        return List.of(parts.getOrDefault(false, List.of()), parts.getOrDefault(true, List.of()));
    }
}
