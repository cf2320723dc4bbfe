package dev.ligeiro.gateway;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.EventId;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A gateway process with the heap of {@code infra/run}, which ends when it runs out of memory. Three merchants have a page each of the largest
 * transactions, all but their last refund made.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("nightly")
class LargeTransactionsIT {

    private static final String EXPORT = ALL + ".csv";
    private static final String FEED = "/api/v1/events";
    private static final long HEAP_MEGABYTES = GatewayMemoryBudget.HEAP_BYTES_MIN / 1024 / 1024;
    private static final Pattern FULL_COLLECTION = Pattern.compile("Pause Full .*->([0-9]+)M");
    private static final int MERCHANTS = 3;
    private static final int TRANSACTIONS = 101;

    private final RunningGateway other = RunningGateway.start();
    private final int port = Ports.free();
    private final List<TestMerchant> merchants = new ArrayList<>();
    private final List<List<Transaction>> transactions = new ArrayList<>();
    private final Path collections;
    private final ChildProcess gateway;

    LargeTransactionsIT(@TempDir Path logs) {
        this.collections = logs.resolve("gc.log");
        this.gateway = ChildProcess.spawn(
                "gateway",
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx" + HEAP_MEGABYTES + "m",
                        "-Xmn53m",
                        "-XX:+UseSerialGC",
                        "-XX:MaxTenuringThreshold=1",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Xlog:gc:file=" + collections,
                        "-cp",
                        System.getProperty("java.class.path"),
                        GatewayApplication.class.getName(),
                        "--server.port=" + port,
                        "--management.server.port=0",
                        "--ligeiro.rate-limits.enabled=false",
                        "--ligeiro.webhook.secret-keys=" + Endpoints.SECRET_KEYS,
                        "--spring.mongodb.uri=" + TestBrokers.mongodbUri(other.database()),
                        "--spring.kafka.bootstrap-servers=" + TestBrokers.kafkaBootstrapServers()),
                Map.of(),
                logs.resolve("gateway.log"));
    }

    @BeforeAll
    void store() {
        StoredData stored = other.stored();
        for (int i = 0; i < MERCHANTS; i++) {
            TestMerchant merchant = other.newMerchant();
            Tenant tenant = stored.find(merchant.created(merchant.cashin())).tenant();
            List<Transaction> all =
                    Stream.generate(() -> large(tenant)).limit(TRANSACTIONS).toList();
            stored.insert(all);
            number(merchant, all, stored);
            merchants.add(merchant);
            transactions.add(all);
        }
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> api(merchants.get(0)).get(ONE + "x").status() == 404);
    }

    @AfterAll
    void close() {
        gateway.kill();
        other.close();
    }

    @Test
    void readsAtTheSameTimeAreAnsweredOrRefused() {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < MERCHANTS; i++) {
            Api api = api(merchants.get(i));
            answers.add(api.getAsync(ALL));
            answers.add(api.getAsync(ALL + "?status=paid&platform=" + Transactions.PLATFORM));
            answers.add(api.getAsync(EXPORT));
            Stream.generate(() -> api.getAsync(FEED)).limit(4).forEach(answers::add);
            transactions.get(i).forEach(each -> answers.add(api.getAsync(ONE + each.id())));
        }
        assertThat(answers)
                .extracting(answer -> answer.join().status())
                .contains(200)
                .isSubsetOf(200, 429, 503);
        assertThatOthersAreServed();
    }

    @Test
    void largeTransactionsAreListedExportedAndInTheFeedLikeOthers() {
        Api api = api(merchants.get(0));

        JsonNode page = api.get(ALL).expect(200).json();
        JsonNode next =
                api.get(page.path("next_page_url").stringValue()).expect(200).json();

        assertThat(page.path("transactions")).hasSize(100);
        assertThat(page.at("/transactions/0/refunds_count").asInt()).isEqualTo(99);
        assertThat(page.at("/transactions/0/refunds")).hasSize(20);
        assertThat(page.path("total").asInt()).isEqualTo(TRANSACTIONS + 1);
        assertThat(next.path("transactions")).hasSize(2);
        assertThat(api.get(EXPORT).expect(200).body().lines()).hasSize(1 + TRANSACTIONS + 1);
        assertThat(api.get(FEED).expect(200).json().path("events")).hasSize(100);
    }

    /** The buffers of the system take 3 to 4 MB of each, so most of them hold little memory of the gateway. */
    @Test
    void pagesThatAreNotReadStopNobody() {
        TestMerchant silent = merchants.get(0);
        List<RawConnection> unread = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                RawConnection connection = new RawConnection(port);
                connection.send("GET " + ALL + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + silent.key()
                        + "\r\n\r\n");
                assertThat(connection.readLine()).isIn("HTTP/1.1 200 OK", "HTTP/1.1 429 Too Many Requests");
                unread.add(connection);
            }

            assertThat(api(merchants.get(1)).get(ALL).status()).isEqualTo(200);
            assertThatOthersAreServed();
        } finally {
            unread.forEach(RawConnection::close);
        }
    }

    /** No processor is there, so each of 1,212 waits for 2 s. If each held its transaction, they would need 250 MB. */
    @Test
    void manyChangesMayWaitAtOnce() {
        List<CompletableFuture<Answer>> refunds = IntStream.range(0, MERCHANTS)
                .boxed()
                .flatMap(i -> transactions.get(i).stream()
                        .flatMap(each -> Stream.of(1, 2, 3, 4).map(cents -> api(merchants.get(i))
                                .postAsync(ONE + each.id() + "/refund", "{\"amount\":0.0" + cents + "}"))))
                .toList();

        // a busy machine may take longer than the time limit of a read
        assertThat(refunds)
                .extracting(answer -> answer.join().status())
                .contains(202)
                .isSubsetOf(202, 503);
        assertThatOthersAreServed();
    }

    private void assertThatOthersAreServed() {
        assertThat(gateway.isAlive()).isTrue();
        assertThat(megabytesAfterFullCollections()).allMatch(left -> left < HEAP_MEGABYTES * 3 / 4);
        TestMerchant ordinary = other.newMerchant();
        String id = api(ordinary).post(CASHIN, ordinary.cashin()).expect(201).transactionId();
        api(ordinary).get(ONE + id).expect(200);
        api(ordinary).get(ALL).expect(200);
    }

    private List<Integer> megabytesAfterFullCollections() {
        try {
            return FULL_COLLECTION
                    .matcher(Files.readString(collections))
                    .results()
                    .map(collection -> Integer.valueOf(collection.group(1)))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Api api(TestMerchant merchant) {
        return new Api("http://localhost:" + port, merchant.key());
    }

    /** An event of each transaction, as the dispatcher numbers them. */
    private static void number(TestMerchant merchant, List<Transaction> all, StoredData webhooks) {
        String cursor = merchant.api().get(FEED).expect(200).text("next_cursor");
        for (int i = 0; i < all.size(); i++) {
            webhooks.number(cursor, new EventId(all.get(i).id(), 2), i + 1L);
        }
    }

    /** As {@link Transactions#largest} without its last refund; references and idempotency keys are unique. */
    private static Transaction large(Tenant tenant) {
        Transaction largest = Transactions.largest();
        TransactionId id = TransactionId.at(Instant.now());
        List<Entry> entries = largest.history().entries();
        List<Entry> own = entries.subList(0, entries.size() - 2).stream()
                .map(entry -> entry instanceof Entry.RefundRequested requested ? withKey(requested, id) : entry)
                // paid just now, so it can be refunded
                .map(entry -> entry.newStatus() == Status.PAID
                        ? Entry.StatusChanged.to(Status.PAID, Instant.now(), Source.RAIL)
                        : entry)
                .toList();
        Transaction like = Transactions.like(largest)
                .createdAs(id)
                .tenant(tenant)
                .reference(id + "😀".repeat(14))
                .history(new History(own))
                .build();
        return like.accept();
    }

    private static Entry withKey(Entry.RefundRequested requested, TransactionId id) {
        return new Entry.RefundRequested(
                requested.refund(),
                requested.amount(),
                requested.source(),
                requested.reference(),
                requested.description(),
                requested.at(),
                id.toString() + requested.refund() + "k".repeat(183));
    }
}
