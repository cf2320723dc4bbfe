package dev.ligeiro.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

class CollectionSetupIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private final String name = RunningGateway.newDatabase();
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final MongoCollection<Document> merchants = database.getCollection("merchants");
    private final TestClock clock = TestClock.ticking();
    private final CollectionSetup setup = new CollectionSetup(database, clock);

    @AfterEach
    void close() {
        setup.stop();
        client.close();
    }

    @Test
    void allIndexesCanBeCreatedTwice() {
        setup.start();
        await().atMost(WAIT_MAX).until(setup::isDone);

        CollectionSetup again = new CollectionSetup(database, clock);
        again.start();
        await().atMost(WAIT_MAX).until(again::isDone);
    }

    @Test
    void inANewInstallationTokensHaveTheirDayFromTheFirstOneOn() {
        setup.start();
        await().atMost(WAIT_MAX).until(setup::isDone);

        assertThat(setup.tokenDaysFrom()).isZero();
    }

    /** Gateways of the version before, which may still be running for some hours, do not find tokens with a day. */
    @Test
    void withStoredTransactionsTokensHaveTheirDayFromTheDayAfterTomorrowOn() {
        run(database.getCollection(CollectionNames.TRANSACTIONS).insertOne(new Document()));
        long today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay();
        setup.start();
        await().atMost(WAIT_MAX).until(setup::isDone);
        assertThat(setup.tokenDaysFrom()).isBetween(today + 2, today + 3); // at midnight

        clock.move(Duration.ofDays(100));
        CollectionSetup later = new CollectionSetup(database, clock);
        later.start();
        await().atMost(WAIT_MAX).until(later::isDone);
        assertThat(later.tokenDaysFrom()).isEqualTo(setup.tokenDaysFrom());
    }

    /** With the limit, MongoDB ended the build of an index over many documents after 10 minutes, and the gateway began it again for ever. */
    @Test
    void theBuildOfAnIndexHasNoTimeLimit() {
        List<BsonDocument> builds = new CopyOnWriteArrayList<>();
        CommandListener listener = new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                if (event.getCommandName().equals("createIndexes")) {
                    builds.add(event.getCommand().clone());
                }
            }
        };
        try (MongoClient observed = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(TestBrokers.mongodbUri(name)))
                .timeout(2_500, TimeUnit.MILLISECONDS)
                .addCommandListener(listener)
                .build())) {
            CollectionSetup observing = new CollectionSetup(observed.getDatabase(name), clock);
            observing.start();
            await().atMost(WAIT_MAX).until(observing::isDone);
        }

        assertThat(builds).hasSizeGreaterThan(5).noneMatch(build -> build.containsKey("maxTimeMS"));
    }

    @Test
    void anIndexThatConflictsWithAnotherOneIsNamedAndNotTriedAgain() {
        run(merchants.createIndex(Indexes.ascending("number"), new IndexOptions().name("number_1")));

        assertThat(refusal()).contains("code=\"86\"", "name: \"number_1\"");
    }

    /** A restored database without the unique indexes would take the same reference twice. */
    @Test
    void noTransactionIsStoredBeforeTheIndexesExist() {
        run(database.getCollection(CollectionNames.TRANSACTIONS)
                .createIndex(
                        Indexes.ascending(TransactionFields.TENANT, TransactionFields.REFERENCE),
                        new IndexOptions().name("tenant_1_reference_1")));
        try (RunningGateway gateway = RunningGateway.startUnready(name, TestClock.ticking())) {
            TestMerchant merchant = gateway.newMerchant();

            merchant.api().post(TestMerchant.CASHIN, merchant.cashin()).expectProblem(503, "unavailable");
        }
    }

    @Test
    void documentsThatBreakAUniqueIndexAreNotShown() {
        run(merchants.insertMany(List.of(new Document("number", 7654321), new Document("number", 7654321))));

        assertThat(refusal()).contains("code=\"11000\"", "index: number_1").doesNotContain("7654321");
    }

    /** The only line of the log. */
    private String refusal() {
        try (CapturedLogs logs = new CapturedLogs(CollectionSetup.class.getName())) {
            setup.start();
            await().atMost(WAIT_MAX).until(() -> !logs.lines().isEmpty());

            assertThat(setup.isDone()).isFalse();
            assertThat(logs.lines()).singleElement().asString().contains("event.action=\"collections_failed\"");
            return logs.lines().get(0);
        }
    }

    private static void run(Publisher<?> operation) {
        Mono.from(operation).block(WAIT_MAX);
    }
}
