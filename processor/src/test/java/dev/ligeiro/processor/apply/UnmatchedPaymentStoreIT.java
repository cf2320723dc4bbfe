package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.transaction.Amount;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class UnmatchedPaymentStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant AT = Instant.parse("2026-03-10T14:31:00.456Z");

    private final TestDatabase mongodb = new TestDatabase();
    private final MongoDatabase database = mongodb.database();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final UnmatchedPaymentStore store = new UnmatchedPaymentStore(database, meters);

    @AfterEach
    void close() {
        mongodb.close();
    }

    @Test
    void anUnmatchedPaymentThatIsReportedAgainIsRecordedAndCountedOnce() {
        UnmatchedPayment payment = unmatched("E1", new Amount(12_34), UnmatchedPayment.Reason.PAID_TWICE, AT);

        store.record(List.of(payment)).block(TIMEOUT);
        store.record(List.of(
                        unmatched("E1", new Amount(12_34), UnmatchedPayment.Reason.PAID_TWICE, AT.plusSeconds(60)),
                        unmatched("E2", null, UnmatchedPayment.Reason.OTHER_AMOUNT, AT.plusSeconds(60))))
                .block(TIMEOUT);

        List<Document> stored = Flux.from(database.getCollection(CollectionNames.UNMATCHED_PAYMENTS)
                        .find()
                        .sort(new Document("_id", 1)))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        assertThat(stored).hasSize(2);
        assertThat(stored.get(0))
                .containsEntry(UnmatchedPaymentFields.ID, "simulator/E1")
                .containsEntry(UnmatchedPaymentFields.AMOUNT, 1_234L)
                .containsEntry(UnmatchedPaymentFields.REASON, "paid_twice")
                .containsEntry(UnmatchedPaymentFields.AT, Date.from(AT));
        assertThat(stored.get(1))
                .containsEntry(UnmatchedPaymentFields.ID, "simulator/E2")
                .doesNotContainKey(UnmatchedPaymentFields.AMOUNT);
        assertThat(counted("paid_twice")).isEqualTo(1);
        assertThat(counted("other_amount")).isEqualTo(1);
    }

    /** Before, it counted as temporary, and its partition stood still. */
    @Test
    void anUnmatchedPaymentThatCannotBeStoredIsAPermanentFaultAndTheOthersAreRecorded() {
        Mono.from(database.createCollection(
                        CollectionNames.UNMATCHED_PAYMENTS,
                        new CreateCollectionOptions()
                                .validationOptions(new ValidationOptions()
                                        .validator(Filters.lt(UnmatchedPaymentFields.AMOUNT, 100)))))
                .block(TIMEOUT);
        List<UnmatchedPayment> found = List.of(
                unmatched("E1", new Amount(99), UnmatchedPayment.Reason.PAID_TWICE, AT),
                unmatched("E2", new Amount(100), UnmatchedPayment.Reason.PAID_TWICE, AT),
                unmatched("E3", new Amount(98), UnmatchedPayment.Reason.PAID_TWICE, AT));

        assertThatThrownBy(() -> store.record(found).block(TIMEOUT)).isInstanceOf(MongoBulkWriteException.class);

        assertThat(Flux.from(database.getCollection(CollectionNames.UNMATCHED_PAYMENTS)
                                .find()
                                .sort(new Document("_id", 1)))
                        .map(stored -> stored.getString(UnmatchedPaymentFields.END_TO_END_ID))
                        .collectList()
                        .block(TIMEOUT))
                .containsExactly("E1", "E3");
    }

    private double counted(String reason) {
        return meters.get("ligeiro.unmatched.payments")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private static UnmatchedPayment unmatched(
            String endToEndId, @Nullable Amount amount, UnmatchedPayment.Reason reason, Instant at) {
        return new UnmatchedPayment("simulator", endToEndId, Transactions.ID, amount, reason, at);
    }
}
