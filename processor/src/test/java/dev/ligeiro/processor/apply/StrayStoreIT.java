package dev.ligeiro.processor.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.decide.Stray;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StrayFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Amount;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class StrayStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Instant AT = Instant.parse("2026-03-10T14:31:00.456Z");

    private final String name = "stray_store_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final StrayStore store = new StrayStore(database, meters);

    @AfterEach
    void close() {
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }

    @Test
    void aStrayThatIsReportedAgainIsRecordedAndCountedOnce() {
        Stray stray = stray("E1", new Amount(12_34), Stray.Reason.PAID_TWICE, AT);

        store.record(List.of(stray)).block(TIMEOUT);
        store.record(List.of(
                        stray("E1", new Amount(12_34), Stray.Reason.PAID_TWICE, AT.plusSeconds(60)),
                        stray("E2", null, Stray.Reason.OTHER_AMOUNT, AT.plusSeconds(60))))
                .block(TIMEOUT);

        List<Document> stored = Flux.from(
                        database.getCollection(CollectionNames.STRAYS).find().sort(new Document("_id", 1)))
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        assertThat(stored).hasSize(2);
        assertThat(stored.get(0))
                .containsEntry(StrayFields.ID, "simulator/E1")
                .containsEntry(StrayFields.AMOUNT, 1_234L)
                .containsEntry(StrayFields.REASON, "paid_twice")
                .containsEntry(StrayFields.AT, Date.from(AT));
        assertThat(stored.get(1)).containsEntry(StrayFields.ID, "simulator/E2").doesNotContainKey(StrayFields.AMOUNT);
        assertThat(counted("paid_twice")).isEqualTo(1);
        assertThat(counted("other_amount")).isEqualTo(1);
    }

    /** Before, it counted as temporary, and its partition stood still. */
    @Test
    void aStrayThatCannotBeStoredIsAPermanentFaultAndTheOthersAreRecorded() {
        Mono.from(database.createCollection(
                        CollectionNames.STRAYS,
                        new CreateCollectionOptions()
                                .validationOptions(
                                        new ValidationOptions().validator(Filters.lt(StrayFields.AMOUNT, 100)))))
                .block(TIMEOUT);
        List<Stray> found = List.of(
                stray("E1", new Amount(99), Stray.Reason.PAID_TWICE, AT),
                stray("E2", new Amount(100), Stray.Reason.PAID_TWICE, AT),
                stray("E3", new Amount(98), Stray.Reason.PAID_TWICE, AT));

        assertThatThrownBy(() -> store.record(found).block(TIMEOUT)).isInstanceOf(MongoBulkWriteException.class);

        assertThat(Flux.from(database.getCollection(CollectionNames.STRAYS)
                                .find()
                                .sort(new Document("_id", 1)))
                        .map(stored -> stored.getString(StrayFields.END_TO_END_ID))
                        .collectList()
                        .block(TIMEOUT))
                .containsExactly("E1", "E3");
    }

    private double counted(String reason) {
        return meters.get("ligeiro.strays").tag("reason", reason).counter().count();
    }

    private static Stray stray(String endToEndId, @Nullable Amount amount, Stray.Reason reason, Instant at) {
        return new Stray("simulator", endToEndId, Transactions.ID, amount, reason, at);
    }
}
