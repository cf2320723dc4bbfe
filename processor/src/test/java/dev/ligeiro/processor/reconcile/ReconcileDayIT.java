package dev.ligeiro.processor.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.TransactionId;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import reactor.core.publisher.Mono;

/** Measures how long a day takes, with the simulator's ledger as the list. infra/loadtest/README.md has the command and the figures. */
@EnabledIfSystemProperty(named = "ligeiro.reconcile.movements", matches = "\\d+")
class ReconcileDayIT {

    private static final int MOVEMENTS = Integer.getInteger("ligeiro.reconcile.movements", 0);
    private static final int BATCH = 5_000;

    @Test
    void aDayIsCompared() {
        try (ReconciledBooks books = new ReconciledBooks(RailProperties.SIMULATOR)) {
            RailList list = new SimulatorListStore(books.database);
            store(books);

            long begun = System.nanoTime();
            books.compareDays(list);
            Duration taken = Duration.ofNanos(System.nanoTime() - begun);

            assertThat(books.open()).isEmpty();
            assertThat(books.unreconciled()).isZero();
            System.out.printf(
                    "ReconcileDayIT: %,d movements, read twice in %.1f s, heap at most %d MB of %d MB%n",
                    MOVEMENTS,
                    taken.toMillis() / 1e3,
                    heapPeak() >> 20,
                    Runtime.getRuntime().maxMemory() >> 20);
        }
    }

    /** In the 24 hours from the beginning of the comparison. */
    private static void store(ReconciledBooks books) {
        List<Document> ledger = new ArrayList<>();
        List<Document> postings = new ArrayList<>();
        for (int i = 0; i < MOVEMENTS; i++) {
            Instant at = books.since.plusMillis(Duration.ofHours(24).toMillis() * i / MOVEMENTS);
            TransactionId id = TransactionId.at(at);
            ledger.add(new Document(SimulatorLedgerFields.ID, id.value())
                    .append(SimulatorLedgerFields.KIND, "cashout")
                    .append(SimulatorLedgerFields.TRANSACTION_ID, id.value())
                    .append(SimulatorLedgerFields.AMOUNT, 700L)
                    .append(SimulatorLedgerFields.STATE, "settled")
                    .append(SimulatorLedgerFields.SUBMISSIONS, 1)
                    .append(SimulatorLedgerFields.FIRST_AT, Date.from(at))
                    .append(SimulatorLedgerFields.LAST_AT, Date.from(at)));
            postings.add(ReconciledBooks.posting(
                    id + ":3", RailProperties.SIMULATOR, id.toString(), -700, at.plusMillis(40), id));
            if (ledger.size() == BATCH || i == MOVEMENTS - 1) {
                insert(books, CollectionNames.SIMULATOR_LEDGER, ledger);
                insert(books, CollectionNames.POSTINGS, postings);
            }
        }
    }

    private static void insert(ReconciledBooks books, String collection, List<Document> documents) {
        Mono.from(books.database.getCollection(collection).insertMany(documents))
                .block(ReconciledBooks.TIMEOUT);
        documents.clear();
    }

    private static long heapPeak() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
