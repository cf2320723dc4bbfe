package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.standardwebhooks.Webhook;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.slf4j.LoggerFactory;

/** One dispatcher, and merchants that respond in every possible way. */
class DeliveryIT {

    /** On a machine with twenty times its load, too. */
    private static final Duration SOON = Duration.ofSeconds(60);

    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();
    private static final WebhookReceiver RECEIVER = ENVIRONMENT.receiver();

    private String path = "";
    private Tenant tenant = ENVIRONMENT.tenant();

    @BeforeAll
    static void start() {
        ENVIRONMENT.createTopic();
        // on a busy machine an attempt may take long, and one that the test holds back must not time out
        ENVIRONMENT.startDispatcher("ligeiro.webhook.total-timeout=50s", "ligeiro.webhook.round.lease=180s");
    }

    @AfterAll
    static void stop() {
        ENVIRONMENT.close();
    }

    @BeforeEach
    void ownPathAndTenant(TestInfo test) {
        path = "/" + test.getTestMethod().orElseThrow().getName();
        tenant = ENVIRONMENT.tenant();
    }

    @Test
    void anEventIsDeliveredOnceAndTheOfficialLibraryVerifiesItsSignature() throws Exception {
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        TransactionEvent event = TestEnvironment.paid(tenant);
        ENVIRONMENT.publish(event);
        awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path)).hasSize(1);
        Received webhook = RECEIVER.received(path).get(0);
        new Webhook(TestEnvironment.SECRET)
                .verify(webhook.body(), HttpHeaders.of(webhook.headers(), (name, value) -> true));
        assertThat(webhook.header("webhook-id")).isEqualTo(event.id().toString());
        assertThat(webhook.header("content-type")).isEqualTo("application/json");
        assertThat(webhook.body()).contains("\"type\":\"transaction.paid\"", "\"previous_status\":\"pending\"");

        Document delivery = ENVIRONMENT.delivery(endpoint).orElseThrow();
        assertThat(delivery).doesNotContainKeys("body", "endpoint", "nextAttemptAt");
        assertThat(attempts(delivery)).singleElement().satisfies(attempt -> {
            assertThat(attempt.getString("outcome")).isEqualTo("delivered");
            assertThat(attempt.getInteger("statusCode")).isEqualTo(204);
        });
    }

    @Test
    void theMerchantsHeadersAreSent() {
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        EncryptedText value = Endpoints.KEYS.encryptHeader(endpoint.id(), "authorization", "Basic dXNlcjpwYXNz");
        ENVIRONMENT.replace(Endpoints.withHeaders(endpoint, Map.of("authorization", value)));
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path).get(0).header("authorization")).isEqualTo("Basic dXNlcjpwYXNz");
    }

    /** The operator removed a key too early; with the key, the next attempt succeeds. */
    @Test
    void aSecretThatCannotBeDecryptedIsRetried() {
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        EndpointSecret unknown = new EndpointSecret(new EncryptedText("lost:AAAA"), null);
        ENVIRONMENT.replace(Endpoints.withSecrets(endpoint, List.of(unknown)));
        List<ILoggingEvent> warnings = warningsOf(() -> {
            ENVIRONMENT.publish(TestEnvironment.paid(tenant));
            awaitStatus(endpoint, "exhausted");
        });

        assertThat(outcomes(endpoint)).hasSize(4).containsOnly("unsendable");
        assertThat(RECEIVER.received(path)).isEmpty();
        assertThat(warnings).isNotEmpty().allSatisfy(line -> assertThat(
                        line.getKeyValuePairs().toString())
                .contains(
                        endpoint.id().toString(),
                        "reason=\"encrypted with the key lost (expected: one of [tests, old])\""));
    }

    @Test
    void aFailedDeliveryIsRetriedWithTheSameIdUntilItSucceeds() {
        RECEIVER.behave(path, WebhookReceiver.firstTimes(2, WebhookReceiver.status(500), WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        TransactionEvent event = TestEnvironment.paid(tenant);
        ENVIRONMENT.publish(event);
        awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path)).hasSize(3).allSatisfy(webhook -> assertThat(webhook.header("webhook-id"))
                .isEqualTo(event.id().toString()));
        assertThat(RECEIVER.received(path).stream().map(Received::body).distinct())
                .hasSize(1);
        assertThat(outcomes(endpoint)).containsExactly("rejected", "rejected", "delivered");
        assertThat(ENVIRONMENT.delivery(endpoint).orElseThrow())
                .doesNotContainKeys("body", "endpoint", "nextAttemptAt");
    }

    @Test
    void theLastFailureExhaustsADelivery() {
        RECEIVER.behave(path, WebhookReceiver.status(503));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(endpoint, "exhausted");
        assertThat(outcomes(endpoint)).containsExactly("rejected", "rejected", "rejected", "rejected");
        assertThat(ENVIRONMENT.delivery(endpoint).orElseThrow()).doesNotContainKey("body");
    }

    @Test
    void anEndpointThatRespondsGoneIsDisabled() {
        RECEIVER.behave(path, WebhookReceiver.status(410));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(endpoint, "canceled");
        assertThat(outcomes(endpoint)).containsExactly("gone");
        await().atMost(SOON).until(() -> !ENVIRONMENT.endpoint(endpoint).getBoolean("enabled"));
        WebhookEndpoint disabled = EndpointDocument.read(ENVIRONMENT.endpoint(endpoint));
        assertThat(disabled.status().reason()).isEqualTo(DisabledReason.GONE);
        assertThat(disabled.status().since()).isBetween(endpoint.status().since(), Instant.now());
        assertThat(disabled.version()).isEqualTo(endpoint.version() + 1);

        WebhookEndpoint witness = ENVIRONMENT.register(tenant, path + "/witness");
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(witness, "delivered");
        assertThat(RECEIVER.received(path)).hasSize(1);
        // what the endpoint misses is stored, so that the merchant can ask for it
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries(endpoint).size() == 2);
        List<Document> deliveries = ENVIRONMENT.deliveries(endpoint);
        assertThat(deliveries.get(0).getString("status")).isEqualTo("canceled");
        assertThat(attempts(deliveries.get(0))).isEmpty();
    }

    @Test
    void aRedirectIsAFailureAndIsNotFollowed() {
        RECEIVER.behave(
                path,
                WebhookReceiver.firstTimes(
                        1,
                        WebhookReceiver.status(307, "Location", RECEIVER.url(path + "/elsewhere")),
                        WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(endpoint, "delivered");
        assertThat(outcomes(endpoint)).containsExactly("redirected", "delivered");
        assertThat(RECEIVER.received(path + "/elsewhere")).isEmpty();
    }

    @Test
    void aSlowAttemptIsStoredWithALeaseAndCompletedLater() {
        CountDownLatch release = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint slow = ENVIRONMENT.register(tenant, path);
        WebhookEndpoint quick = ENVIRONMENT.register(tenant, path + "/quick");
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));

        // the quick one may outlast the window of the round, too, and is then completed by itself
        awaitStatus(slow, "scheduled");
        awaitStatus(quick, "delivered");
        Document leased = ENVIRONMENT.delivery(slow).orElseThrow();
        assertThat(leased).containsKeys("body", "endpoint");
        assertThat(leased.getDate("nextAttemptAt").toInstant())
                .isAfter(Instant.now().plusSeconds(30));

        release.countDown();
        awaitStatus(slow, "delivered");
        assertThat(outcomes(slow)).containsExactly("delivered");
        assertThat(ENVIRONMENT.delivery(slow).orElseThrow()).doesNotContainKeys("body", "endpoint", "nextAttemptAt");
        assertThat(RECEIVER.received(path)).hasSize(1);
    }

    @Test
    void aDisconnectIsRetried() {
        RECEIVER.behave(path, WebhookReceiver.firstTimes(1, WebhookReceiver.drop(), WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(endpoint, "delivered");
        assertThat(outcomes(endpoint)).containsExactly("disconnected", "delivered");
    }

    @Test
    void retryAfterIsHonoured() {
        RECEIVER.behave(path, WebhookReceiver.status(429, "Retry-After", "3600"));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        // an attempt that outlasts the window of the round is stored without its outcome at first
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(outcomes(endpoint))
                .containsExactly("throttled"));
        assertThat(ENVIRONMENT
                        .delivery(endpoint)
                        .orElseThrow()
                        .getDate("nextAttemptAt")
                        .toInstant())
                .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3601));
    }

    @Test
    void aLongResponseIsCutOffAndItsStatusCounts() {
        RECEIVER.behave(path, WebhookReceiver.body(200, new byte[1 << 20]));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(endpoint, "delivered");
    }

    @Test
    void aDeliveryToAForbiddenAddressIsRetriedByTheSchedule() {
        WebhookEndpoint endpoint =
                ENVIRONMENT.registerUrl(tenant, RECEIVER.url(path).replace("127.0.0.1", "127.0.0.2"));
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(endpoint, "exhausted");
        assertThat(outcomes(endpoint)).hasSize(4).containsOnly("refused_address");
        assertThat(ENVIRONMENT.endpoint(endpoint).getBoolean("enabled")).isTrue();
    }

    @Test
    void invalidRecordsDoNotStopTheOthers() {
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        TransactionEvent before = TestEnvironment.paid(tenant);
        TransactionEvent after = TestEnvironment.paid(tenant);
        String unknownType = "{\"type\":\"transaction.melted\"}";
        String withoutData = "{\"type\":\"transaction.created\"}";
        // one key: one partition, so that the four are read in this order
        ENVIRONMENT.publish(path.getBytes(), MessageJson.write(before), List.of());
        ENVIRONMENT.publish(path.getBytes(), unknownType.getBytes(), List.of());
        ENVIRONMENT.publish(path.getBytes(), withoutData.getBytes(), List.of());
        ENVIRONMENT.publish(path.getBytes(), MessageJson.write(after), List.of());

        await().atMost(SOON).until(() -> statuses(endpoint).equals(List.of("delivered", "delivered")));
        assertThat(RECEIVER.received(path).stream().map(webhook -> webhook.header("webhook-id")))
                .containsExactlyInAnyOrder(before.id().toString(), after.id().toString());
        awaitDeadLetters(unknownType, withoutData);
        assertThat(ENVIRONMENT.deadLetters(path)).allSatisfy(letter -> {
            assertThat(TopicReader.header(letter, "reason")).contains("invalid_message");
            assertThat(TopicReader.header(letter, "exception-class")).contains(InvalidMessage.class.getName());
            assertThat(TopicReader.header(letter, "original-topic")).contains(Topics.EVENTS);
        });
    }

    /** A newer version has written it, for example. */
    @Test
    void theEventsOfAMerchantWithAnEndpointThatCannotBeReadAreDeadLettersToo() {
        WebhookEndpoint readable = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.set(ENVIRONMENT.register(tenant, path + "/unreadable"), "url", 7);
        byte[] event = MessageJson.write(TestEnvironment.paid(tenant));
        ENVIRONMENT.publish(path.getBytes(), event, TestEnvironment.headers(tenant, EventType.PAID));

        awaitStatus(readable, "delivered");
        awaitDeadLetters(new String(event));
        assertThat(ENVIRONMENT.deadLetters(path))
                .allSatisfy(letter -> assertThat(TopicReader.header(letter, "exception-class"))
                        .hasValueSatisfying(name -> assertThat(name).contains("UnreadableEndpoint")));
        assertThat(RECEIVER.received(path + "/unreadable")).isEmpty();
    }

    /**
     * The headers give the type. Both records are malformed; only the one with a subscribed type is decoded, and becomes a dead
     * letter.
     */
    @Test
    void anEventThatNoEndpointSubscribesToIsNotDecoded() {
        ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(path.getBytes(), "created".getBytes(), TestEnvironment.headers(tenant, EventType.CREATED));
        ENVIRONMENT.publish(path.getBytes(), "paid".getBytes(), TestEnvironment.headers(tenant, EventType.PAID));

        awaitDeadLetters("paid");
    }

    @Test
    void anEndpointRegisteredJustBeforeAnEventReceivesIt() {
        for (int i = 0; i < 10; i++) {
            Tenant justNow = ENVIRONMENT.tenant();
            WebhookEndpoint endpoint = ENVIRONMENT.register(justNow, path + i);
            ENVIRONMENT.publish(TestEnvironment.paid(justNow));
            awaitStatus(endpoint, "delivered");
        }
    }

    @Test
    void aDeletedEndpointIsNotAttemptedAgain() {
        CountDownLatch deleted = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(deleted, WebhookReceiver.status(500)));
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 1);
        ENVIRONMENT.delete(endpoint);
        deleted.countDown();
        awaitStatus(endpoint, "canceled");
        assertThat(outcomes(endpoint)).containsExactly("rejected");
        assertThat(RECEIVER.received(path)).hasSize(1);
    }

    @Test
    void anEventThatArrivesTwiceHasOneUnchangedDelivery() {
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        TransactionEvent event = TestEnvironment.paid(tenant);
        ENVIRONMENT.publish(event);
        awaitStatus(endpoint, "delivered");
        Document first = ENVIRONMENT.delivery(endpoint).orElseThrow();

        RECEIVER.behave(path, WebhookReceiver.status(500));
        ENVIRONMENT.publish(event);
        WebhookEndpoint witness = ENVIRONMENT.register(tenant, path + "/witness");
        ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        awaitStatus(witness, "delivered");
        assertThat(ENVIRONMENT.deliveries(endpoint)).contains(first);
        assertThat(ENVIRONMENT.deliveries(endpoint).stream()
                        .filter(delivery -> Objects.equals(delivery.get("_id"), first.get("_id"))))
                .hasSize(1);
    }

    /** The gateway schedules a delivery again without its payload. Meanwhile the transaction has changed. */
    @Test
    void aDeliveryThatIsScheduledAgainHasTheSameIdAndPayload() {
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        TransactionEvent event = TestEnvironment.paid(tenant);
        ENVIRONMENT.store(event.transaction().moveTo(Status.REFUND, Instant.now(), Source.RAIL));
        ENVIRONMENT.publish(event);
        awaitStatus(endpoint, "delivered");

        ENVIRONMENT.scheduleAgain(endpoint);
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 2);
        awaitStatus(endpoint, "delivered");
        Received first = RECEIVER.received(path).get(0);
        Received second = RECEIVER.received(path).get(1);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("webhook-id")).isEqualTo(first.header("webhook-id"));
        assertThat(outcomes(endpoint)).containsExactly("delivered", "delivered");
    }

    /** Both deliveries are scheduled again without their payloads. */
    @Test
    void aTransactionThatCannotBeReadDoesNotStopTheOtherDeliveries() {
        WebhookEndpoint endpoint = ENVIRONMENT.register(tenant, path);
        TransactionEvent unreadable = TestEnvironment.paid(tenant);
        TransactionEvent readable = TestEnvironment.paid(tenant);
        List.of(unreadable, readable).forEach(event -> {
            ENVIRONMENT.store(event.transaction());
            ENVIRONMENT.publish(event);
        });
        await().atMost(SOON).until(() -> statuses(endpoint).equals(List.of("delivered", "delivered")));
        ENVIRONMENT.makeUnreadable(unreadable.transaction());
        List<ILoggingEvent> warnings = warningsOf(() -> {
            ENVIRONMENT.scheduleAgain(endpoint);
            await().atMost(SOON).until(() -> statuses(endpoint).equals(List.of("delivered", "exhausted")));
        });

        assertThat(RECEIVER.received(path).stream().map(webhook -> webhook.header("webhook-id")))
                .containsExactlyInAnyOrder(
                        unreadable.id().toString(),
                        readable.id().toString(),
                        readable.id().toString());
        assertThat(warnings).hasSize(3).allSatisfy(line -> assertThat(
                        line.getKeyValuePairs().toString())
                .contains(
                        "outcome=\"unsendable\"",
                        "webhook_id=\"" + unreadable.id() + "\"",
                        "reason=\"the transaction is not stored or not readable\""));
    }

    private static List<String> statuses(WebhookEndpoint endpoint) {
        return ENVIRONMENT.deliveries(endpoint).stream()
                .map(delivery -> delivery.getString("status"))
                .sorted()
                .toList();
    }

    @Test
    void deliveriesAboveTheEndpointsLimitAreStoredAndMadeLater() {
        CountDownLatch release = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint slow = ENVIRONMENT.register(tenant, path);
        Tenant other = ENVIRONMENT.tenant();
        WebhookEndpoint quick = ENVIRONMENT.register(other, path + "/quick");
        for (int i = 0; i < 30; i++) {
            ENVIRONMENT.publish(TestEnvironment.paid(tenant));
        }
        ENVIRONMENT.publish(TestEnvironment.paid(other));
        awaitStatus(quick, "delivered");
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries(slow).size() == 30);
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 20);
        release.countDown();
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries(slow).stream()
                .allMatch(delivery -> delivery.getString("status").equals("delivered")));
        assertThat(RECEIVER.received(path).stream()
                        .map(webhook -> webhook.header("webhook-id"))
                        .distinct())
                .hasSize(30);
    }

    /** The warnings about attempts during {@code task}. */
    private static List<ILoggingEvent> warningsOf(Runnable task) {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.ligeiro.dispatcher.attempt.AttemptJournal");
        lines.start();
        logger.addAppender(lines);
        task.run();
        logger.detachAppender(lines);
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .toList();
    }

    private static void awaitStatus(WebhookEndpoint endpoint, String status) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ENVIRONMENT.status(endpoint)).isEqualTo(status));
    }

    /** Waits for the dead letters with this test's key. Two batches may be under way, so the second may write its letters first. */
    private void awaitDeadLetters(String... values) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(ENVIRONMENT.deadLetters(path))
                .extracting(letter -> new String(letter.value()))
                .containsExactlyInAnyOrder(values));
    }

    private static List<String> outcomes(WebhookEndpoint endpoint) {
        return attempts(ENVIRONMENT.delivery(endpoint).orElseThrow()).stream()
                .map(attempt -> attempt.getString("outcome"))
                .toList();
    }

    private static List<Document> attempts(Document delivery) {
        return delivery.getList("attempts", Document.class);
    }
}
