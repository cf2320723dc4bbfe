package dev.ligeiro.processor.dispute;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Dispute;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class DisputeStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private final TestDatabase mongodb = new TestDatabase();
    private final DisputeStore store = new DisputeStore(mongodb.database());

    @AfterEach
    void close() {
        mongodb.close();
    }

    /** With the fault, a claim of which only unknown statuses were told was in no list of the operators. */
    @Test
    void aClaimWithAnUnknownStatusIsUndecidedAndForTheOperators() {
        save(1, Dispute.Status.WON, -50, null);
        save(2, null, -40, null);
        save(3, Dispute.Status.OPEN, -10, null);

        assertThat(store.oldestUndecided("bank").block(TIMEOUT)).isEqualTo(day(-40));
        assertThat(store.counts("bank").block(TIMEOUT))
                .containsEntry("open", 1L)
                .containsEntry("unmatched", 1L);
    }

    @Test
    void theNextDeadlineIsThatOfADisputeWithoutADefence() {
        save(1, Dispute.Status.OPEN, -9, -1);
        save(2, Dispute.Status.DEFENDED, -5, 1);
        save(3, Dispute.Status.OPEN, -5, 4);
        save(4, Dispute.Status.OPEN, -5, 3);

        assertThat(store.nextDeadline("bank", NOW).block(TIMEOUT)).isEqualTo(day(3));
        assertThat(store.nextDeadline("another", NOW).block(TIMEOUT)).isNull();
    }

    @Test
    void aReportIsPutOffOnlyIfNothingNewHasCome() {
        StoredDispute read = save(1, Dispute.Status.LOST, -5, null).withReportAt(NOW);
        store.save(read).block(TIMEOUT);

        store.reportAgain(read, day(1)).block(TIMEOUT);
        assertThat(reportAt()).isEqualTo(day(1));
        store.reportAgain(read, day(2)).block(TIMEOUT);
        assertThat(reportAt()).isEqualTo(day(1));
    }

    /** With the fault, no claim was read and no dispute reported while one document was damaged. */
    @Test
    void aDamagedDocumentHidesNoOther() {
        store.save(save(1, Dispute.Status.OPEN, -5, null).withReportAt(NOW)).block(TIMEOUT);
        store.save(save(2, Dispute.Status.OPEN, -5, null).withReportAt(NOW)).block(TIMEOUT);
        Mono.from(mongodb.database()
                        .getCollection(CollectionNames.DISPUTES)
                        .updateOne(Filters.eq(new UUID(0, 1)), Updates.set(StoredDispute.STATUS, "unknown")))
                .block(TIMEOUT);

        assertThat(store.toReport("bank", NOW, 10)
                        .map(StoredDispute::railId)
                        .collectList()
                        .block(TIMEOUT))
                .containsExactly("claim-2");
        assertThat(store.find(List.of(new UUID(0, 1), new UUID(0, 2))).block(TIMEOUT))
                .containsOnlyKeys(new UUID(0, 2));
    }

    private @Nullable Instant reportAt() {
        return store.find(List.of(new UUID(0, 1))).blockOptional(TIMEOUT).orElseThrow().values().stream()
                .map(StoredDispute::reportAt)
                .findFirst()
                .orElseThrow();
    }

    private StoredDispute save(
            int number, Dispute.@Nullable Status status, int openedDay, @Nullable Integer deadlineDay) {
        StoredDispute dispute = new StoredDispute(
                new UUID(0, number),
                "bank",
                "claim-" + number,
                null,
                "E" + number,
                Transactions.TENANT,
                Transactions.ID,
                new Amount(100),
                "claimed",
                null,
                status,
                "status",
                day(openedDay),
                deadlineDay == null ? null : day(deadlineDay),
                null,
                null,
                null);
        store.save(dispute).block(TIMEOUT);
        return dispute;
    }

    private static Instant day(int number) {
        return NOW.plus(Duration.ofDays(number));
    }
}
