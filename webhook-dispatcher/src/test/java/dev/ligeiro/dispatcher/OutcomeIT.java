package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One dispatcher, and attempts with every outcome but a time-out ({@link ClaimedMaxIT}). Endpoints that the dispatcher disables, or finds
 * disabled or enabled again: their deliveries and their lanes.
 */
class OutcomeIT {

    /** On a machine with twenty times its load, too. */
    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher(TestEnvironment.LONG_ATTEMPTS);

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();
    private static final WebhookReceiver RECEIVER = ENVIRONMENT.receiver();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final String path = "/" + tenant.key();

    @Test
    void aFailedDeliveryIsRetriedWithTheSameIdUntilItSucceeds() {
        RECEIVER.behave(path, WebhookReceiver.firstTimes(2, WebhookReceiver.status(500), WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = ENVIRONMENT.paid(tenant);
        ENVIRONMENT.events().publish(event);
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path)).hasSize(3).allSatisfy(webhook -> assertThat(webhook.header("webhook-id"))
                .isEqualTo(event.id().toString()));
        assertThat(RECEIVER.received(path).stream().map(Received::body).distinct())
                .hasSize(1);
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).containsExactly("rejected", "rejected", "delivered");
        assertThat(ENVIRONMENT.deliveries().newest(endpoint).orElseThrow())
                .containsKey("endpoint")
                .doesNotContainKeys("body", "nextAttemptAt");
    }

    /** The first attempt is inserted, the others are pushed. After four, each further one is asked for. */
    @Test
    void theResponsesToTheLastThreeFailedAttemptsAreKept() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        RECEIVER.behave(path, (exchange, nth) -> WebhookReceiver.body(
                        nth % 3 == 0 ? 200 : 500, ("reason " + nth).getBytes(StandardCharsets.UTF_8))
                .answer(exchange, nth));
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");
        for (String status : List.of("exhausted", "exhausted", "delivered")) {
            ENVIRONMENT.deliveries().scheduleAgain(endpoint);
            ENVIRONMENT.deliveries().awaitStatus(endpoint, status);
        }

        assertThat(ENVIRONMENT.deliveries().responses(endpoint))
                .containsExactly(null, "reason 2", null, "reason 4", "reason 5", null);
    }

    @Test
    void anEndpointThatRespondsGoneIsDisabled() {
        RECEIVER.behave(path, WebhookReceiver.status(410));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "canceled");
        // a retry may come before the endpoint is disabled
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).isNotEmpty().containsOnly("gone");
        await().atMost(SOON)
                .until(() -> !ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"));
        WebhookEndpoint disabled = EndpointDocument.read(ENVIRONMENT.endpoints().stored(endpoint));
        assertThat(disabled.status().reason()).isEqualTo(DisabledReason.GONE);
        assertThat(disabled.status().since()).isBetween(endpoint.status().since(), Instant.now());
        assertThat(disabled.version()).isEqualTo(endpoint.version() + 1);

        int attempts = RECEIVER.received(path).size();
        WebhookEndpoint witness = ENVIRONMENT.endpoints().register(tenant, path + "/witness");
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        ENVIRONMENT.deliveries().awaitStatus(witness, "delivered");
        assertThat(RECEIVER.received(path)).hasSize(attempts);
        // what the endpoint misses is stored, so that the merchant can ask for it
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(endpoint).size() == 2);
        List<Document> deliveries = ENVIRONMENT.deliveries().of(endpoint);
        assertThat(deliveries.get(0).getString("status")).isEqualTo("canceled");
        assertThat(TestDeliveries.attempts(deliveries.get(0))).isEmpty();
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
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).containsExactly("redirected", "delivered");
        assertThat(RECEIVER.received(path + "/elsewhere")).isEmpty();
    }

    /** The next event waits for the end of the pause, or for its merchant, who asks for it with a redelivery. */
    @Test
    void retryAfterHoldsForTheWholeEndpoint() {
        RECEIVER.behave(
                path,
                WebhookReceiver.firstTimes(
                        1, WebhookReceiver.status(429, "Retry-After", "3600"), WebhookReceiver.status(200)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        await().atMost(SOON).until(() -> ENVIRONMENT.lanes().of(endpoint).get("openUntil") != null);
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).containsExactly("throttled");
        assertThat(ENVIRONMENT
                        .deliveries()
                        .newest(endpoint)
                        .orElseThrow()
                        .getDate("nextAttemptAt")
                        .toInstant())
                .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3601));

        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(endpoint).size() == 2);
        WebhookEndpoint witness = ENVIRONMENT.endpoints().register(ENVIRONMENT.tenant(), path + "/witness");
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(witness.tenant()));
        ENVIRONMENT.deliveries().awaitStatus(witness, "delivered");
        assertThat(RECEIVER.received(path)).hasSize(1);

        ENVIRONMENT.lanes().markDue(endpoint);
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");
    }

    @Test
    void aDeliveryToAForbiddenAddressIsRetriedByTheSchedule() {
        WebhookEndpoint endpoint =
                ENVIRONMENT.endpoints().registerUrl(tenant, RECEIVER.url(path).replace("127.0.0.1", "127.0.0.2"));
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "exhausted");
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).hasSize(4).containsOnly("refused_address");
        assertThat(ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"))
                .isTrue();
    }

    /** The operator removed a key too early; with the key, the next attempt succeeds. The endpoint's last attempts have failed. */
    @Test
    void aSecretThatCannotBeDecryptedIsRetriedAndDoesNotDisableItsEndpoint() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        EndpointSecret unknown = new EndpointSecret(new EncryptedText("lost:AAAA"), null);
        ENVIRONMENT.endpoints().replace(Endpoints.withSecrets(endpoint, List.of(unknown)));
        insertLaneThatFailsForSixDays(endpoint);
        List<ILoggingEvent> warnings = AttemptWarnings.during(() -> {
            ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
            ENVIRONMENT.deliveries().awaitStatus(endpoint, "exhausted");
        });

        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).hasSize(4).containsOnly("unsendable");
        assertThat(RECEIVER.received(path)).isEmpty();
        assertThat(ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"))
                .isTrue();
        assertThat(warnings).isNotEmpty().allSatisfy(line -> assertThat(
                        line.getKeyValuePairs().toString())
                .contains(
                        endpoint.id().toString(),
                        "reason=\"encrypted with the key lost (expected: one of [tests, old])\""));
    }

    @Test
    void anEndpointThatFailsForFiveDaysIsDisabledWithItsReasonAndItsDeliveriesAreCanceled() {
        RECEIVER.behave(path, WebhookReceiver.status(500));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        insertLaneThatFailsForSixDays(endpoint);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));

        await().atMost(SOON)
                .until(() -> !ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"));
        assertThat(ENVIRONMENT.endpoints().stored(endpoint).getString("disabledReason"))
                .isEqualTo("failing");
        await().atMost(SOON)
                .until(() -> ENVIRONMENT.deliveries().count(endpoint, "canceled")
                                + ENVIRONMENT.deliveries().count(endpoint, "exhausted")
                        == 1);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(endpoint).size() == 2);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "scheduled") == 0);
        await().atMost(SOON).until(() -> ENVIRONMENT.lanes().of(endpoint).isEmpty());
    }

    /** Otherwise the metric of failing endpoints would count it until the lane is deleted, ten days later. */
    @Test
    void anEndpointThatIsDisabledAtARetryLeavesNoLane() {
        RECEIVER.behave(path, WebhookReceiver.firstTimes(1, WebhookReceiver.status(500), WebhookReceiver.status(410)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));

        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "canceled") == 1);
        await().atMost(SOON).until(() -> ENVIRONMENT.lanes().of(endpoint).isEmpty());
        assertThat(ENVIRONMENT.endpoints().stored(endpoint).getString("disabledReason"))
                .isEqualTo("gone");
    }

    /**
     * The dispatcher cancels up to 1,000 deliveries at once. A write of the last of them, not committed yet, makes it wait until the
     * endpoint is enabled again.
     */
    @Test
    void deliveriesToAnEndpointThatIsEnabledAgainAreNoLongerCanceled() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT
                .endpoints()
                .replace(Endpoints.withStatus(
                        endpoint, EndpointStatus.disabled(DisabledReason.MERCHANT, Transactions.CREATED_AT)));
        List<Document> scheduled = IntStream.rangeClosed(1, 1500)
                .mapToObj(number -> new Document("_id", deliveryId(endpoint, number))
                        .append("endpoint", endpoint.id())
                        .append("status", "scheduled")
                        .append("nextAttemptAt", Date.from(Instant.now().plusSeconds(3600 + number))))
                .toList();
        TestEnvironment.run(ENVIRONMENT.deliveries().collection().insertMany(scheduled));

        Runnable takeBack = ENVIRONMENT.deliveries().writeUncommitted(deliveryId(endpoint, 1000));
        ENVIRONMENT.lanes().markDue(endpoint);
        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "canceled") > 0);
        ENVIRONMENT.endpoints().replace(endpoint);
        takeBack.run();

        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().count(endpoint, "canceled") == 1000);
        await().atMost(SOON).until(() -> ENVIRONMENT.lanes().of(endpoint).get("claim") == null);
        assertThat(ENVIRONMENT.deliveries().count(endpoint, "scheduled")).isEqualTo(500);
    }

    private static void insertLaneThatFailsForSixDays(WebhookEndpoint endpoint) {
        TestEnvironment.run(ENVIRONMENT
                .lanes()
                .collection()
                .insertOne(new Document("_id", endpoint.id())
                        .append("tenant", endpoint.tenant().key())
                        .append("dueAt", Instant.now().plusSeconds(3600))
                        .append("failures", 3)
                        .append("failingSince", Instant.now().minus(Duration.ofDays(6)))
                        .append("marks", 1L)));
    }

    private static Binary deliveryId(WebhookEndpoint endpoint, int sequence) {
        return new Binary(new DeliveryId(endpoint.id(), new EventId(Transactions.ID, sequence)).bytes());
    }
}
