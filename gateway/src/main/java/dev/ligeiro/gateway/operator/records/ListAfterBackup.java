package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.transaction.TransactionId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Compares what Kafka's records say with what MongoDB has. */
@Component
class ListAfterBackup {

    /** Some 2 MB of records. */
    static final int RECORDS_MAX = 1_000;

    /** Of records that are larger. */
    static final int BYTES_MAX = 4 * 1024 * 1024;

    private final RecordReader records;
    private final StoredStateStore stored;

    ListAfterBackup(RecordReader records, StoredStateStore stored) {
        this.records = records;
        this.stored = stored;
    }

    Mono<Compared> list(AfterBackupQuery query) {
        return records.page(query.since(), query.after(), RECORDS_MAX, BYTES_MAX)
                .flatMap(page -> stored.find(page.latest().keySet()).map(found -> compare(page, found)));
    }

    private static Compared compare(RecordPage page, Map<TransactionId, StoredState> stored) {
        List<LostState> lost = page.latest().values().stream()
                .map(known -> new LostState(known, stored.get(known.id().transactionId())))
                .filter(LostState::isLost)
                .sorted(Comparator.comparing(
                        each -> each.known().id().transactionId().toString()))
                .toList();
        return new Compared(page, lost);
    }

    /** @param lost in the order of creation; a later page may have a later state of the same transaction */
    record Compared(RecordPage page, List<LostState> lost) {}
}
