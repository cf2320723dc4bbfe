package dev.ligeiro.gateway.api.create;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Two gateways, one database, and a routing table with a rail. What the processors and the rail do is not part of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveCashinIT {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(5);
    private static final String RAIL = "bank";
    private static final String[] ROUTES = {
        "ligeiro.rails.routes[0].rail=" + RAIL, "ligeiro.public-url=https://pix.example.com"
    };

    private final String name = RunningGateway.newDatabase();
    private final RunningGateway gateway = RunningGateway.startOn(name, TestClock.ticking(), ROUTES);
    private final RunningGateway other = RunningGateway.startOn(name, TestClock.ticking(), ROUTES);
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final PayloadLocationStore pool = new PayloadLocationStore(database);
    private final StoredData stored = gateway.stored();
    private long lastLocation = 9_000_000_000L;

    private TestMerchant test = gateway.newMerchant();
    private TestMerchant live = test.live();

    /** Each test begins with an empty pool, gateways without locations, and a merchant that has used none. */
    @AfterEach
    void useUpAllLocations() {
        run(database.getCollection(CollectionNames.PAYLOAD_LOCATIONS).deleteMany(Filters.empty()));
        // the second one uses what the first one may not have
        for (int i = 0; i < 2; i++) {
            test = gateway.newMerchant();
            live = test.live();
            useUp(live.api());
            useUp(otherApi());
        }
        test = gateway.newMerchant();
        live = test.live();
    }

    /** Creates cashins until none is left for the merchant; returns how many. */
    private int useUp(Api api) {
        int created = 0;
        while (api.post(CASHIN, live.cashin()).status() == 201) {
            created++;
        }
        return created;
    }

    @AfterAll
    void close() {
        other.close();
        gateway.close();
        client.close();
    }

    @Test
    void theCodeNamesALocationOfThePool() {
        fillPool(1);

        Answer created = live.api().post(CASHIN, live.cashin()).expect(201);

        JsonNode cashin = created.transaction();
        assertThat(cashin.path("qr_code").stringValue())
                .startsWith("00020101021226540014br.gov.bcb.pix2532pix.example.com/qr/v2/" + lastLocation)
                .contains("5204000053039865802BR5910Cafe do Ze6009SAO PAULO62070503***6304");
        assertThat(cashin.path("qr_code_image").stringValue()).startsWith("data:image/png;base64,");
        Terms terms = stored.find(created.transactionId()).terms();
        assertThat(terms.rail()).isEqualTo(RAIL);
        assertThat(terms.locationId()).isEqualTo(lastLocation);
        assertThat(Duration.between(stored.find(created.transactionId()).createdAt(), terms.expiresAt()))
                .isEqualTo(Duration.ofHours(24));
    }

    /** No index of the transactions has the ids that banks name; the books do, also those of a rail that has no route any more. */
    @ParameterizedTest
    @ValueSource(strings = {RAIL, "closed"})
    void aPaidOneIsFoundByTheEndToEndIdThatTheBankNamed(String rail) {
        Transaction paid = paid();
        assertThat(foundBy(paid.endToEndId())).isEmpty();

        stored.insert(
                CollectionNames.POSTINGS,
                new Document(PostingFields.ID, "of " + paid.id())
                        .append(PostingFields.TENANT, paid.tenant().key())
                        .append(PostingFields.TRANSACTION_ID, paid.id().value())
                        .append(PostingFields.RAIL_NAME, rail)
                        .append(PostingFields.RAIL_ID, paid.endToEndId()));
        stored.insert(
                CollectionNames.BALANCES,
                new Document(BalanceFields.ID, BalanceFields.id(paid.tenant()))
                        .append(BalanceFields.RAIL, new Document("closed", 1_00L)));

        JsonNode found = foundBy(paid.endToEndId()).path(0);
        assertThat(found.path("id").stringValue()).isEqualTo(paid.id().toString());
        assertThat(found.path("e2e_id").stringValue()).isEqualTo(paid.endToEndId());
    }

    /** The books have its payment as that of another transaction, which the bank has named. */
    @Test
    void oneThatOperatorsHaveAssignedAPaymentIsFoundByItsEndToEndId() {
        Transaction paid = paid();
        stored.insert(
                CollectionNames.UNMATCHED_PAYMENTS,
                new Document(UnmatchedPaymentFields.ID, RAIL + "/" + paid.endToEndId())
                        .append(
                                UnmatchedPaymentFields.RESOLVED,
                                new Document(UnmatchedPaymentFields.DECISION, "assign")
                                        .append(
                                                UnmatchedPaymentFields.TENANT,
                                                paid.tenant().key())
                                        .append(
                                                UnmatchedPaymentFields.TRANSACTION_ID,
                                                paid.id().value())));

        assertThat(foundBy(paid.endToEndId()).path(0).path("id").stringValue())
                .isEqualTo(paid.id().toString());
        assertThat(gateway.newMerchant()
                        .live()
                        .api()
                        .get(ALL + "?e2e_id=" + paid.endToEndId())
                        .expect(200)
                        .json()
                        .path("transactions"))
                .isEmpty();
    }

    private Transaction paid() {
        fillPool(1);
        String id = live.api().post(CASHIN, live.cashin()).expect(201).transactionId();
        String endToEndId = "E9988776620260310143114" + id.substring(27, 36);
        Instant paidAt = Instant.now();
        return stored.replace(stored.find(id)
                .with(new Entry.StatusChanged(
                        Status.PAID, paidAt, Source.RAIL, null, new Settlement(endToEndId, paidAt), null)));
    }

    private JsonNode foundBy(String endToEndId) {
        return live.api().get(ALL + "?e2e_id=" + endToEndId).expect(200).json().path("transactions");
    }

    @Test
    void withoutAnEndToEndIdItIsEmptyEverywhere() {
        fillPool(1);

        Answer created = live.api()
                .post(CASHIN, live.cashin().put("reference", "no-e2e"))
                .expect(201);

        assertThat(created.transaction().path("e2e_id").stringValue()).isEmpty();
        assertThat(live.api().get(ONE + created.transactionId()).expect(200).body())
                .isEqualTo(created.body());
        assertThat(live.api()
                        .get(ALL + "?reference=no-e2e")
                        .json()
                        .at("/transactions/0/e2e_id")
                        .stringValue())
                .isEmpty();
        assertThat(live.api().get(ALL + ".csv?reference=no-e2e").expect(200).body())
                .endsWith(live.platform() + ",," + created.transactionId().replace("-", "") + ",,,,\r\n");
        Answer cashout = live.api().post(CASHOUT, live.cashout()).expect(201);
        assertThat(cashout.transaction().path("e2e_id").stringValue()).isEmpty();
        assertThat(stored.find(cashout.transactionId()).terms().locationId()).isNull();
    }

    @Test
    void thePaymentLinkOpensAPageThatDoesNotSpeakOfATest() {
        fillPool(1);
        JsonNode cashin = live.api().post(CASHIN, live.cashin()).expect(201).transaction();

        String page = gateway.api()
                .get(URI.create(cashin.path("payment_link").stringValue()).getPath())
                .expect(200)
                .body();

        assertThat(page)
                .contains(cashin.path("qr_code").stringValue())
                .contains(cashin.path("qr_code_image").stringValue())
                .contains("Aguardando pagamento")
                .doesNotContain("teste");
    }

    @Test
    void concurrentCreatesOfTwoGatewaysNeverGetTheSameLocation() {
        fillPool(430);
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 240; i++) {
            calls.add((i % 2 == 0 ? live.api() : otherApi()).postAsync(CASHIN, live.cashin()));
        }

        Set<@Nullable Long> used = new HashSet<>();
        for (CompletableFuture<Answer> call : calls) {
            used.add(locationOf(call.join().expect(201)));
        }

        assertThat(used).hasSize(240).doesNotContainNull();
    }

    @Test
    void anEmptyPoolRefusesCashinsUntilItIsFilled() {
        long transactions = stored.count();
        double refused = gateway.metric("ligeiro_gateway_locations_missing");

        Answer answer = live.api().post(CASHIN, live.cashin());

        answer.expectProblem(503, "qr_code_unavailable");
        assertThat(answer.header("Retry-After")).isEqualTo("5");
        assertThat(gateway.metric("ligeiro_gateway_locations_missing")).isEqualTo(refused + 1);
        assertThat(stored.count()).isEqualTo(transactions);
        live.api().post(CASHOUT, live.cashout()).expect(201);
        test.created(test.cashin());
        fillPool(1);
        live.api().post(CASHIN, live.cashin()).expect(201);
    }

    @Test
    void theBurstOfOneMerchantLeavesLocationsForOthers() {
        fillPool(400);
        TestMerchant another = gateway.newMerchant().live();

        assertThat(useUp(live.api())).isEqualTo(375);
        for (int i = 0; i < 25; i++) {
            another.api().post(CASHIN, another.cashin()).expect(201);
        }
        another.api().post(CASHIN, another.cashin()).expectProblem(503, "qr_code_unavailable");
    }

    /** A client that repeats a request must not take the locations of all others. */
    @Test
    void aRefusedOrReplayedCreateUsesNoLocation() {
        fillPool(2);
        Answer first = live.post(CASHIN, live.cashin().put("reference", "once"), "a key")
                .expect(201);

        for (int i = 0; i < 3; i++) {
            assertThat(live.post(CASHIN, live.cashin().put("reference", "once"), "a key")
                            .body())
                    .isEqualTo(first.body());
            live.api()
                    .post(CASHIN, live.cashin().put("reference", "once"))
                    .expectProblem(409, "reference_already_used");
            live.post(CASHIN, live.cashin().put("amount", 1), "a key").expectProblem(422, "idempotency_key_reused");
        }

        Answer second = live.api().post(CASHIN, live.cashin()).expect(201);
        assertThat(locationOf(second)).isNotEqualTo(locationOf(first));
        live.api().post(CASHIN, live.cashin()).expectProblem(503, "qr_code_unavailable");
        assertThat(live.post(CASHIN, live.cashin().put("reference", "once"), "a key")
                        .body())
                .isEqualTo(first.body());
    }

    @Test
    void aLiveCreateHasAsManyCommandsAsOneInTestMode() {
        fillPool(150);
        live.api().post(CASHIN, live.cashin()).expect(201);
        live.api().post(CASHIN, live.cashin()).expect(201);
        await().until(() -> count() == 50);
        run(database.createCollection(
                "system.profile", new CreateCollectionOptions().capped(true).sizeInBytes(16 << 20)));
        run(database.runCommand(new Document("profile", 2)));

        for (int i = 0; i < 30; i++) {
            live.api().post(CASHIN, live.cashin()).expect(201);
        }
        long ofLive = commands();
        for (int i = 0; i < 30; i++) {
            test.created(test.cashin());
        }
        run(database.runCommand(new Document("profile", 0)));

        assertThat(ofLive).isEqualTo(30);
        assertThat(commands()).isEqualTo(2 * ofLive);
    }

    /** Without those of the sweeper and of the read of stops, which have nothing to do with a request. */
    private long commands() {
        return Flux.from(database.getCollection("system.profile")
                        .find(Filters.and(
                                Filters.ne("ns", name + ".system.profile"),
                                Filters.ne("ns", name + ".stops"),
                                Filters.ne("command.comment", "all shards: sweep"),
                                Filters.or(
                                        Filters.eq("ns", name + "." + CollectionNames.TRANSACTIONS),
                                        Filters.eq("ns", name + "." + CollectionNames.PAYLOAD_LOCATIONS)))))
                .count()
                .blockOptional(WAIT_MAX)
                .orElseThrow();
    }

    @Test
    void aStopReturnsWhatAGatewayHasNotUsed() {
        fillPool(150);
        Set<@Nullable Long> used = new HashSet<>();
        try (RunningGateway stopping = RunningGateway.startOn(name, TestClock.ticking(), ROUTES)) {
            Api api = stopping.api().withToken(live.key());
            for (int i = 0; i < 3; i++) {
                used.add(locationOf(api.post(CASHIN, live.cashin()).expect(201)));
            }
            await().until(() -> count() == 50);
        }

        assertThat(count()).isEqualTo(147);
        List<Long> left = new ArrayList<>();
        for (List<PayloadLocation> block; (block = pool.take(RAIL).block(WAIT_MAX)) != null; ) {
            block.forEach(location -> left.add(location.id()));
        }
        assertThat(left).hasSize(147).doesNotHaveDuplicates().doesNotContainAnyElementsOf(used);
    }

    @Test
    void aStoppedRouteRefusesNewTransactionsOnEveryGateway() {
        fillPool(300);
        Answer before = live.post(CASHIN, live.cashin(), "before the stop").expect(201);

        stop(true, Operation.CASHIN);

        Answer refused = live.api().post(CASHIN, live.cashin());
        refused.expectProblem(503, "route_stopped");
        assertThat(refused.header("Retry-After")).isEqualTo("60");
        await().atMost(NOTICED_WITHIN)
                .until(() -> otherApi().post(CASHIN, live.cashin()).status() == 503);
        otherApi().post(CASHIN, live.cashin()).expectProblem(503, "route_stopped");
        assertThat(live.post(CASHIN, live.cashin(), "before the stop").body()).isEqualTo(before.body());
        live.api().get(ONE + before.transactionId()).expect(200);
        live.api().post(CASHOUT, live.cashout()).expect(201);
        test.created(test.cashin());

        stop(false, Operation.CASHIN);

        live.api().post(CASHIN, live.cashin()).expect(201);
        await().atMost(NOTICED_WITHIN)
                .until(() -> otherApi().post(CASHIN, live.cashin()).status() == 201);
    }

    @Tag("nightly")
    @Test
    void aStopIsKnownAfterARestart() {
        stop(true, Operation.values());
        try (RunningGateway next = RunningGateway.startOn(name, TestClock.ticking(), ROUTES)) {
            Api api = next.api().withToken(live.key());

            api.post(CASHOUT, live.cashout()).expectProblem(503, "route_stopped");
            api.post(CASHIN, live.cashin()).expectProblem(503, "route_stopped");
        } finally {
            stop(false, Operation.values());
        }
    }

    private Api otherApi() {
        return other.api().withToken(live.key());
    }

    private void stop(boolean stopped, Operation... operations) {
        for (Operation operation : operations) {
            gateway.stop(Stop.ofRoute(RAIL, operation, "a test", "admin", Instant.now()), stopped);
        }
    }

    private void fillPool(int locations) {
        Flux.fromStream(LongStream.range(0, locations).mapToObj(i -> next()))
                .buffer(PayloadLocationStore.BLOCK_MAX)
                .concatMap(block -> pool.add(RAIL, block))
                .then()
                .block(WAIT_MAX);
    }

    private PayloadLocation next() {
        lastLocation++;
        return new PayloadLocation(lastLocation, new DynamicLocation("pix.example.com/qr/v2/" + lastLocation));
    }

    private int count() {
        return pool.count(RAIL).blockOptional(WAIT_MAX).orElseThrow();
    }

    private @Nullable Long locationOf(Answer created) {
        return stored.find(created.transactionId()).terms().locationId();
    }

    private static void run(Publisher<?> operation) {
        Mono.from(operation).then().block(WAIT_MAX);
    }
}
