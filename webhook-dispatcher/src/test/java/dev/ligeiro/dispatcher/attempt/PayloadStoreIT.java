package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.dispatcher.TestEnvironment;
import dev.ligeiro.dispatcher.TestTransactions;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The payloads of many deliveries at once, with real transactions. */
class PayloadStoreIT {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();
    private static final Queries QUERIES = new Queries();
    private static final MongoClient MONGO = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(
                    TestBrokers.mongodbUri(ENVIRONMENT.database().getName())))
            .uuidRepresentation(UuidRepresentation.STANDARD)
            .addCommandListener(QUERIES)
            .build());

    private static final ViewProperties VIEW = Settings.defaults(ViewProperties.class);
    private final WebhookPayload payload = VIEW.payload();
    private final PayloadStore payloads =
            payloads(MONGO.getDatabase(ENVIRONMENT.database().getName()));

    @AfterAll
    static void close() {
        MONGO.close();
        ENVIRONMENT.close();
    }

    private PayloadStore payloads(MongoDatabase database) {
        return new PayloadStore(database, VIEW, Settings.defaults(WebhookProperties.class));
    }

    /** The first delivery does not wait; the other ones share queries, in which a transaction has one place, whoever wants it. */
    @Test
    void twentyEndpointsShareTheReadsOfTheirTransactions() {
        List<Transaction> transactions =
                Stream.generate(PayloadStoreIT::largest).limit(20).toList();
        transactions.forEach(ENVIRONMENT.transactions()::store);
        QUERIES.transactionIds.clear();

        List<CompletableFuture<byte[]>> found = transactions.stream()
                .flatMap(transaction -> IntStream.range(0, 20)
                        .mapToObj(endpoint -> payloads.of(transaction.tenant(), delivery(endpoint, event(transaction)))
                                .toFuture()))
                .toList();

        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i)
                            .orTimeout(WAIT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)
                            .join())
                    .isEqualTo(payload.of(
                            TransactionEvent.of(transactions.get(i / 20), sequence(transactions.get(i / 20)))));
        }
        // 400 deliveries: the first one alone, then groups of 64, each of at most 5 transactions
        assertThat(QUERIES.transactionIds).hasSizeLessThanOrEqualTo(8).allMatch(ids -> ids <= 16);
        assertThat(QUERIES.transactionIds.stream().mapToInt(ids -> ids).sum()).isLessThan(40);
    }

    @Test
    void aTransactionThatCannotBeReadTakesNoOtherPayloadAway() {
        Tenant tenant = ENVIRONMENT.tenant();
        Transaction readable = TestTransactions.paid(tenant);
        Transaction unreadable = TestTransactions.paid(tenant);
        List.of(readable, unreadable).forEach(ENVIRONMENT.transactions()::store);
        ENVIRONMENT.transactions().makeUnreadable(unreadable.id());
        EventId notAnnounced = new EventId(readable.id(), 3);
        EventId notStored = new EventId(TransactionId.at(Instant.now()), 1);

        List<CompletableFuture<byte[]>> found = Stream.of(
                        event(unreadable), event(readable), notAnnounced, notStored, event(readable))
                .map(event -> payloads.of(tenant, delivery(0, event)).toFuture())
                .toList();

        byte[] body = payload.of(TransactionEvent.of(readable, 2));
        assertThat(found.stream().map(CompletableFuture::join)).containsExactly(null, body, null, null, body);
    }

    /** Only test events have a stored payload. */
    @Test
    void aStoredPayloadOfAnotherTypeTakesNoOtherPayloadAway() {
        Tenant tenant = ENVIRONMENT.tenant();
        Transaction readable = TestTransactions.paid(tenant);
        ENVIRONMENT.transactions().store(readable);
        DeliveryId damaged = delivery(0, new EventId(TransactionId.at(Instant.now()), 1));
        TestEnvironment.run(ENVIRONMENT
                .deliveries()
                .collection()
                .insertOne(new Document("_id", new Binary(damaged.bytes()))
                        .append("endpoint", damaged.endpointId())
                        .append("body", "text")));

        List<CompletableFuture<byte[]>> found = Stream.of(damaged, delivery(0, event(readable)))
                .map(delivery -> payloads.of(tenant, delivery).toFuture())
                .toList();

        assertThat(found.stream().map(CompletableFuture::join))
                .containsExactly(null, payload.of(TransactionEvent.of(readable, 2)));
    }

    private static Transaction largest() {
        return TestTransactions.largest(ENVIRONMENT.tenant());
    }

    private static int sequence(Transaction transaction) {
        return transaction.history().sequence();
    }

    private static EventId event(Transaction transaction) {
        return new EventId(transaction.id(), sequence(transaction));
    }

    private static DeliveryId delivery(int endpoint, EventId event) {
        return new DeliveryId(new UUID(0, endpoint), event);
    }

    /** How many transactions each query has asked for. */
    private static final class Queries implements CommandListener {

        private final List<Integer> transactionIds = new CopyOnWriteArrayList<>();

        @Override
        public void commandStarted(CommandStartedEvent event) {
            BsonDocument command = event.getCommand();
            if (event.getCommandName().equals("find")
                    && command.getString("find").getValue().equals(CollectionNames.TRANSACTIONS)) {
                transactionIds.add(command.getDocument("filter")
                        .getDocument("_id")
                        .getArray("$in")
                        .size());
            }
        }
    }
}
