package dev.ligeiro.processor.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.ArchiveFields.State;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Months wait for what must stay, for as long as a metric says. */
class WaitingMonthsIT extends WithOldMonths {

    @Test
    void aMonthWaitsForWhatMustStayAndHoldsUpNoOther() {
        Transaction open = Transactions.like(Transactions.cashin(id(FIRST, 7), new Amount(100)))
                .accepted(true)
                .build();
        mongodb.stored(open);
        run(NOW);
        run(MINUTES_LATER);
        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("unsettled");
        assertThat(month(FIRST).get(ArchiveFields.TRANSACTION_ID, UUID.class))
                .isEqualTo(id(FIRST, 7).value());
        assertThat(state(SECOND)).isEqualTo(State.ARCHIVED);
        assertThat(stored().keySet()).containsAll(idsOf(FIRST));

        mongodb.replace(open.moveTo(Status.EXPIRED, open.terms().expiresAt(), Source.SYSTEM));
        run(NOW.plus(Duration.ofDays(8)));
        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("personal_data");

        mongodb.replace(Redaction.of(mongodb.read(id(FIRST, 7))));
        Mono.from(collection(CollectionNames.UNMATCHED_PAYMENTS)
                        .insertOne(new Document("_id", "pix/E1")
                                .append(
                                        UnmatchedPaymentFields.TRANSACTION_ID,
                                        id(FIRST, 1).value())))
                .block(TIMEOUT);
        run(NOW.plus(Duration.ofDays(16)));
        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("unmatched_payment");

        Mono.from(collection(CollectionNames.UNMATCHED_PAYMENTS).drop()).block(TIMEOUT);
        Mono.from(collection(CollectionNames.UNMATCHED_PAYMENTS)
                        .createIndex(Indexes.ascending(UnmatchedPaymentFields.TRANSACTION_ID)))
                .block(TIMEOUT);
        run(NOW.plus(Duration.ofDays(24)));
        assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
    }

    @Test
    void aMonthWaitsForAMerchantWithLongerRetentionAndIsNotReadMeanwhile() {
        Mono.from(collection(CollectionNames.MERCHANTS)
                        .insertOne(new Document("number", 9L).append("retentionDays", 440)))
                .block(TIMEOUT);

        run(NOW);

        assertThat(month(FIRST).getString(ArchiveFields.REASON)).isEqualTo("personal_data");
        assertThat(month(FIRST).get(ArchiveFields.TRANSACTION_ID, UUID.class))
                .isEqualTo(id(FIRST, 3).value());
        assertThat(folder.resolve("2025-01")).doesNotExist();
        assertThat(state(SECOND)).isEqualTo(State.WAITING);
        // 446 days after the end of January, 418 after that of February
        run(NOW.plus(Duration.ofDays(8)));
        assertThat(state(FIRST)).isEqualTo(State.ARCHIVED);
        assertThat(state(SECOND)).isEqualTo(State.WAITING);
    }

    @Test
    void whilePausedNothingIsDone() {
        pause(true);
        run(NOW);
        assertThat(months()).isEmpty();
        // the first month should have left at the end of February 2026
        assertThat(behind()).isEqualTo(Duration.ofDays(45).plusHours(12));

        pause(false);
        run(NOW);
        pause(true);
        run(MINUTES_LATER);
        assertThat(stored()).hasSize(3 * PER_MONTH);
        pause(false);
        run(MINUTES_LATER);
        assertThat(stored()).hasSize(PER_MONTH);
        ask(FIRST, State.RESTORING);
        run(MINUTES_LATER);
        run(DAYS_LATER);
        assertThat(stored()).hasSize(2 * PER_MONTH);
        assertThat(behind()).isZero();
    }

    private void pause(boolean isPaused) {
        Mono.from(collection(CollectionNames.LEASES)
                        .updateOne(
                                Filters.eq(ArchiveFields.WORK),
                                Updates.set(LeaseStore.PAUSED, isPaused),
                                new UpdateOptions().upsert(true)))
                .block(TIMEOUT);
    }
}
