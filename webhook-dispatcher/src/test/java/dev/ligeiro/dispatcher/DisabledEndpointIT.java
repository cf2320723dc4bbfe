package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Endpoints that the dispatcher disables, or finds disabled or enabled again: their deliveries and their lanes. */
class DisabledEndpointIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher();

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();
    private static final WebhookReceiver RECEIVER = ENVIRONMENT.receiver();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final String path = "/" + tenant.key();

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

    /** The operator removed a key too early, after the endpoint's last failure. */
    @Test
    void aDeliveryThatCannotBeSentDoesNotDisableItsEndpoint() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        EndpointSecret unknown = new EndpointSecret(new EncryptedText("lost:AAAA"), null);
        ENVIRONMENT.endpoints().replace(Endpoints.withSecrets(endpoint, List.of(unknown)));
        insertLaneThatFailsForSixDays(endpoint);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));

        await().atMost(SOON).until(() -> !List.of("none", "scheduled")
                .contains(ENVIRONMENT.deliveries().status(endpoint)));
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).hasSize(4).containsOnly("unsendable");
        assertThat(ENVIRONMENT.endpoints().stored(endpoint).getBoolean("enabled"))
                .isTrue();
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
