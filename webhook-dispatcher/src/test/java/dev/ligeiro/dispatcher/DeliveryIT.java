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
        ENVIRONMENT.events().createTopic();
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
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = TestEvents.paid(tenant);
        ENVIRONMENT.events().publish(event);
        awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path)).hasSize(1);
        Received webhook = RECEIVER.received(path).get(0);
        new Webhook(Endpoints.SECRET.text())
                .verify(webhook.body(), HttpHeaders.of(webhook.headers(), (name, value) -> true));
        assertThat(webhook.header("webhook-id")).isEqualTo(event.id().toString());
        assertThat(webhook.header("content-type")).isEqualTo("application/json");
        assertThat(webhook.body()).contains("\"type\":\"transaction.paid\"", "\"previous_status\":\"pending\"");

        Document delivery = ENVIRONMENT.deliveries().newest(endpoint).orElseThrow();
        assertThat(delivery).doesNotContainKeys("body", "endpoint", "nextAttemptAt");
        assertThat(attempts(delivery)).singleElement().satisfies(attempt -> {
            assertThat(attempt.getString("outcome")).isEqualTo("delivered");
            assertThat(attempt.getInteger("statusCode")).isEqualTo(204);
        });
    }

    @Test
    void theMerchantsHeadersAreSent() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        EncryptedText value = Endpoints.KEYS.encryptHeader(endpoint.id(), "authorization", "Basic dXNlcjpwYXNz");
        ENVIRONMENT.endpoints().replace(Endpoints.withHeaders(endpoint, Map.of("authorization", value)));
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path).get(0).header("authorization")).isEqualTo("Basic dXNlcjpwYXNz");
    }

    /** The operator removed a key too early; with the key, the next attempt succeeds. */
    @Test
    void aSecretThatCannotBeDecryptedIsRetried() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        EndpointSecret unknown = new EndpointSecret(new EncryptedText("lost:AAAA"), null);
        ENVIRONMENT.endpoints().replace(Endpoints.withSecrets(endpoint, List.of(unknown)));
        List<ILoggingEvent> warnings = warningsOf(() -> {
            ENVIRONMENT.events().publish(TestEvents.paid(tenant));
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
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = TestEvents.paid(tenant);
        ENVIRONMENT.events().publish(event);
        awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path)).hasSize(3).allSatisfy(webhook -> assertThat(webhook.header("webhook-id"))
                .isEqualTo(event.id().toString()));
        assertThat(RECEIVER.received(path).stream().map(Received::body).distinct())
                .hasSize(1);
        assertThat(outcomes(endpoint)).containsExactly("rejected", "rejected", "delivered");
        assertThat(ENVIRONMENT.deliveries().newest(endpoint).orElseThrow())
                .doesNotContainKeys("body", "endpoint", "nextAttemptAt");
    }

    @Test
    void theLastFailureExhaustsADelivery() {
        RECEIVER.behave(path, WebhookReceiver.status(503));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(endpoint, "exhausted");
        assertThat(outcomes(endpoint)).containsExactly("rejected", "rejected", "rejected", "rejected");
        assertThat(ENVIRONMENT.deliveries().newest(endpoint).orElseThrow()).doesNotContainKey("body");
    }

    @Test
    void anEndpointThatRespondsGoneIsDisabled() {
        RECEIVER.behave(path, WebhookReceiver.status(410));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(endpoint, "canceled");
        assertThat(outcomes(endpoint)).containsExactly("gone");
        await().atMost(SOON)
                .until(() -> !ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"));
        WebhookEndpoint disabled = EndpointDocument.read(ENVIRONMENT.endpoints().stored(endpoint));
        assertThat(disabled.status().reason()).isEqualTo(DisabledReason.GONE);
        assertThat(disabled.status().since()).isBetween(endpoint.status().since(), Instant.now());
        assertThat(disabled.version()).isEqualTo(endpoint.version() + 1);

        WebhookEndpoint witness = ENVIRONMENT.endpoints().register(tenant, path + "/witness");
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(witness, "delivered");
        assertThat(RECEIVER.received(path)).hasSize(1);
        // what the endpoint misses is stored, so that the merchant can ask for it
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(endpoint).size() == 2);
        List<Document> deliveries = ENVIRONMENT.deliveries().of(endpoint);
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
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(endpoint, "delivered");
        assertThat(outcomes(endpoint)).containsExactly("redirected", "delivered");
        assertThat(RECEIVER.received(path + "/elsewhere")).isEmpty();
    }

    @Test
    void aSlowAttemptIsStoredWithALeaseAndCompletedLater() {
        CountDownLatch release = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint slow = ENVIRONMENT.endpoints().register(tenant, path);
        WebhookEndpoint quick = ENVIRONMENT.endpoints().register(tenant, path + "/quick");
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));

        // the quick one may outlast the window of the round, too, and is then completed by itself
        awaitStatus(slow, "scheduled");
        awaitStatus(quick, "delivered");
        Document leased = ENVIRONMENT.deliveries().newest(slow).orElseThrow();
        assertThat(leased).containsKeys("body", "endpoint");
        assertThat(leased.getDate("nextAttemptAt").toInstant())
                .isAfter(Instant.now().plusSeconds(30));

        release.countDown();
        awaitStatus(slow, "delivered");
        assertThat(outcomes(slow)).containsExactly("delivered");
        assertThat(ENVIRONMENT.deliveries().newest(slow).orElseThrow())
                .doesNotContainKeys("body", "endpoint", "nextAttemptAt");
        assertThat(RECEIVER.received(path)).hasSize(1);
    }

    @Test
    void aDisconnectIsRetried() {
        RECEIVER.behave(path, WebhookReceiver.firstTimes(1, WebhookReceiver.drop(), WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(endpoint, "delivered");
        assertThat(outcomes(endpoint)).containsExactly("disconnected", "delivered");
    }

    @Test
    void retryAfterIsHonoured() {
        RECEIVER.behave(path, WebhookReceiver.status(429, "Retry-After", "3600"));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        // an attempt that outlasts the window of the round is stored without its outcome at first
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(outcomes(endpoint))
                .containsExactly("throttled"));
        assertThat(ENVIRONMENT
                        .deliveries()
                        .newest(endpoint)
                        .orElseThrow()
                        .getDate("nextAttemptAt")
                        .toInstant())
                .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3601));
    }

    @Test
    void aLongResponseIsCutOffAndItsStatusCounts() {
        RECEIVER.behave(path, WebhookReceiver.body(200, new byte[1 << 20]));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(endpoint, "delivered");
    }

    @Test
    void aDeliveryToAForbiddenAddressIsRetriedByTheSchedule() {
        WebhookEndpoint endpoint =
                ENVIRONMENT.endpoints().registerUrl(tenant, RECEIVER.url(path).replace("127.0.0.1", "127.0.0.2"));
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(endpoint, "exhausted");
        assertThat(outcomes(endpoint)).hasSize(4).containsOnly("refused_address");
        assertThat(ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"))
                .isTrue();
    }

    @Test
    void invalidRecordsDoNotStopTheOthers() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent before = TestEvents.paid(tenant);
        TransactionEvent after = TestEvents.paid(tenant);
        String unknownType = "{\"type\":\"transaction.melted\"}";
        String withoutData = "{\"type\":\"transaction.created\"}";
        // one key: one partition, so that the four are read in this order
        ENVIRONMENT.events().publish(path.getBytes(), MessageJson.write(before), List.of());
        ENVIRONMENT.events().publish(path.getBytes(), unknownType.getBytes(), List.of());
        ENVIRONMENT.events().publish(path.getBytes(), withoutData.getBytes(), List.of());
        ENVIRONMENT.events().publish(path.getBytes(), MessageJson.write(after), List.of());

        await().atMost(SOON).until(() -> statuses(endpoint).equals(List.of("delivered", "delivered")));
        assertThat(RECEIVER.received(path).stream().map(webhook -> webhook.header("webhook-id")))
                .containsExactlyInAnyOrder(before.id().toString(), after.id().toString());
        awaitDeadLetters(unknownType, withoutData);
        assertThat(ENVIRONMENT.events().deadLetters(path)).allSatisfy(letter -> {
            assertThat(TopicReader.header(letter, "reason")).contains("invalid_message");
            assertThat(TopicReader.header(letter, "exception-class")).contains(InvalidMessage.class.getName());
            assertThat(TopicReader.header(letter, "original-topic")).contains(Topics.EVENTS);
        });
    }

    /** A newer version has written it, for example. */
    @Test
    void theEventsOfAMerchantWithAnEndpointThatCannotBeReadAreDeadLettersToo() {
        WebhookEndpoint readable = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.endpoints().set(ENVIRONMENT.endpoints().register(tenant, path + "/unreadable"), "url", 7);
        byte[] event = MessageJson.write(TestEvents.paid(tenant));
        ENVIRONMENT.events().publish(path.getBytes(), event, TestEvents.headers(tenant, EventType.PAID));

        awaitStatus(readable, "delivered");
        awaitDeadLetters(new String(event));
        assertThat(ENVIRONMENT.events().deadLetters(path))
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
        ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT
                .events()
                .publish(path.getBytes(), "created".getBytes(), TestEvents.headers(tenant, EventType.CREATED));
        ENVIRONMENT.events().publish(path.getBytes(), "paid".getBytes(), TestEvents.headers(tenant, EventType.PAID));

        awaitDeadLetters("paid");
    }

    @Test
    void anEndpointRegisteredJustBeforeAnEventReceivesIt() {
        for (int i = 0; i < 10; i++) {
            Tenant justNow = ENVIRONMENT.tenant();
            WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(justNow, path + i);
            ENVIRONMENT.events().publish(TestEvents.paid(justNow));
            awaitStatus(endpoint, "delivered");
        }
    }

    @Test
    void aDeletedEndpointIsNotAttemptedAgain() {
        CountDownLatch deleted = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(deleted, WebhookReceiver.status(500)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 1);
        ENVIRONMENT.endpoints().delete(endpoint);
        deleted.countDown();
        awaitStatus(endpoint, "canceled");
        assertThat(outcomes(endpoint)).containsExactly("rejected");
        assertThat(RECEIVER.received(path)).hasSize(1);
    }

    @Test
    void anEventThatArrivesTwiceHasOneUnchangedDelivery() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = TestEvents.paid(tenant);
        ENVIRONMENT.events().publish(event);
        awaitStatus(endpoint, "delivered");
        Document first = ENVIRONMENT.deliveries().newest(endpoint).orElseThrow();

        RECEIVER.behave(path, WebhookReceiver.status(500));
        ENVIRONMENT.events().publish(event);
        WebhookEndpoint witness = ENVIRONMENT.endpoints().register(tenant, path + "/witness");
        ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        awaitStatus(witness, "delivered");
        assertThat(ENVIRONMENT.deliveries().of(endpoint)).contains(first);
        assertThat(ENVIRONMENT.deliveries().of(endpoint).stream()
                        .filter(delivery -> Objects.equals(delivery.get("_id"), first.get("_id"))))
                .hasSize(1);
    }

    /** The gateway schedules a delivery again without its payload. Meanwhile the transaction has changed. */
    @Test
    void aDeliveryThatIsScheduledAgainHasTheSameIdAndPayload() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = TestEvents.paid(tenant);
        ENVIRONMENT.transactions().store(event.transaction().moveTo(Status.REFUND, Instant.now(), Source.RAIL));
        ENVIRONMENT.events().publish(event);
        awaitStatus(endpoint, "delivered");

        ENVIRONMENT.deliveries().scheduleAgain(endpoint);
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
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent unreadable = TestEvents.paid(tenant);
        TransactionEvent readable = TestEvents.paid(tenant);
        List.of(unreadable, readable).forEach(event -> {
            ENVIRONMENT.transactions().store(event.transaction());
            ENVIRONMENT.events().publish(event);
        });
        await().atMost(SOON).until(() -> statuses(endpoint).equals(List.of("delivered", "delivered")));
        ENVIRONMENT.transactions().makeUnreadable(unreadable.transaction());
        List<ILoggingEvent> warnings = warningsOf(() -> {
            ENVIRONMENT.deliveries().scheduleAgain(endpoint);
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
        return ENVIRONMENT.deliveries().of(endpoint).stream()
                .map(delivery -> delivery.getString("status"))
                .sorted()
                .toList();
    }

    @Test
    void deliveriesAboveTheEndpointsLimitAreStoredAndMadeLater() {
        CountDownLatch release = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint slow = ENVIRONMENT.endpoints().register(tenant, path);
        Tenant other = ENVIRONMENT.tenant();
        WebhookEndpoint quick = ENVIRONMENT.endpoints().register(other, path + "/quick");
        for (int i = 0; i < 30; i++) {
            ENVIRONMENT.events().publish(TestEvents.paid(tenant));
        }
        ENVIRONMENT.events().publish(TestEvents.paid(other));
        awaitStatus(quick, "delivered");
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(slow).size() == 30);
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 20);
        release.countDown();
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(slow).stream()
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
                .untilAsserted(() ->
                        assertThat(ENVIRONMENT.deliveries().status(endpoint)).isEqualTo(status));
    }

    /** Waits for the dead letters with this test's key. Two batches may be under way, so the second may write its letters first. */
    private void awaitDeadLetters(String... values) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(
                        ENVIRONMENT.events().deadLetters(path))
                .extracting(letter -> new String(letter.value()))
                .containsExactlyInAnyOrder(values));
    }

    private static List<String> outcomes(WebhookEndpoint endpoint) {
        return attempts(ENVIRONMENT.deliveries().newest(endpoint).orElseThrow()).stream()
                .map(attempt -> attempt.getString("outcome"))
                .toList();
    }

    private static List<Document> attempts(Document delivery) {
        return delivery.getList("attempts", Document.class);
    }
}
