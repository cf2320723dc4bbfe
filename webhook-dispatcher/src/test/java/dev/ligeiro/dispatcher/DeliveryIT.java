package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.standardwebhooks.Webhook;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One dispatcher, and deliveries that succeed, or that the gateway schedules again without their payloads. */
class DeliveryIT {

    /** On a machine with twenty times its load, too. */
    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher(TestEnvironment.LONG_ATTEMPTS);

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();
    private static final WebhookReceiver RECEIVER = ENVIRONMENT.receiver();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final String path = "/" + tenant.key();

    @Test
    void anEventIsDeliveredOnceAndTheOfficialLibraryVerifiesItsSignature() throws Exception {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = ENVIRONMENT.paid(tenant);
        ENVIRONMENT.events().publish(event);
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");

        assertThat(RECEIVER.received(path)).hasSize(1);
        Received webhook = RECEIVER.received(path).get(0);
        new Webhook(Endpoints.SECRET.text())
                .verify(webhook.body(), HttpHeaders.of(webhook.headers(), (name, value) -> true));
        assertThat(webhook.header("webhook-id")).isEqualTo(event.id().toString());
        assertThat(webhook.header("content-type")).isEqualTo("application/json");
        assertThat(webhook.body()).contains("\"type\":\"transaction.paid\"", "\"previous_status\":\"pending\"");

        Document delivery = ENVIRONMENT.deliveries().newest(endpoint).orElseThrow();
        assertThat(delivery).containsKey("endpoint").doesNotContainKeys("body", "nextAttemptAt");
        assertThat(TestDeliveries.attempts(delivery)).singleElement().satisfies(attempt -> {
            assertThat(attempt.getString("outcome")).isEqualTo("delivered");
            assertThat(attempt.getInteger("statusCode")).isEqualTo(204);
        });
    }

    @Test
    void aSlowAttemptIsStoredWithALeaseAndCompletedLater() {
        CountDownLatch release = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(release, WebhookReceiver.status(200)));
        WebhookEndpoint slow = ENVIRONMENT.endpoints().register(tenant, path);
        WebhookEndpoint quick = ENVIRONMENT.endpoints().register(tenant, path + "/quick");
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));

        // the quick one may outlast the window of the batch, too, and is then completed by itself
        ENVIRONMENT.deliveries().awaitStatus(slow, "scheduled");
        ENVIRONMENT.deliveries().awaitStatus(quick, "delivered");
        Document leased = ENVIRONMENT.deliveries().newest(slow).orElseThrow();
        assertThat(leased).containsKeys("endpoint").doesNotContainKey("body");
        assertThat(leased.getDate("nextAttemptAt").toInstant())
                .isAfter(Instant.now().plusSeconds(30));

        release.countDown();
        ENVIRONMENT.deliveries().awaitStatus(slow, "delivered");
        assertThat(ENVIRONMENT.deliveries().outcomes(slow)).containsExactly("delivered");
        assertThat(ENVIRONMENT.deliveries().newest(slow).orElseThrow())
                .containsKey("endpoint")
                .doesNotContainKeys("body", "nextAttemptAt");
        assertThat(RECEIVER.received(path)).hasSize(1);
    }

    @Test
    void aDeletedEndpointIsNotAttemptedAgain() {
        CountDownLatch deleted = new CountDownLatch(1);
        RECEIVER.behave(path, WebhookReceiver.when(deleted, WebhookReceiver.status(500)));
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 1);
        ENVIRONMENT.endpoints().delete(endpoint);
        deleted.countDown();
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "canceled");
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).containsExactly("rejected");
        assertThat(RECEIVER.received(path)).hasSize(1);
    }

    @Test
    void anEventThatTheProcessorSendsTwiceIsAttemptedTwiceAndHasOneUnchangedDelivery() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = ENVIRONMENT.paid(tenant);
        ENVIRONMENT.events().publish(event);
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");
        Document first = ENVIRONMENT.deliveries().newest(endpoint).orElseThrow();

        RECEIVER.behave(path, WebhookReceiver.status(500));
        ENVIRONMENT.events().publish(event);
        WebhookEndpoint witness = ENVIRONMENT.endpoints().register(tenant, path + "/witness");
        ENVIRONMENT.events().publish(ENVIRONMENT.paid(tenant));
        ENVIRONMENT.deliveries().awaitStatus(witness, "delivered");
        await().atMost(SOON)
                .until(() -> RECEIVER.received(path).stream()
                                .filter(webhook -> event.id().toString().equals(webhook.header("webhook-id")))
                                .count()
                        == 2);
        assertThat(ENVIRONMENT.deliveries().of(endpoint)).contains(first);
        assertThat(ENVIRONMENT.deliveries().of(endpoint).stream()
                        .filter(delivery -> Objects.equals(delivery.get("_id"), first.get("_id"))))
                .hasSize(1);
    }

    /**
     * Processors may announce an old change again. With the fault, an endpoint that was registered again, or had lost its delivery after 30
     * days, got the old webhook once more.
     */
    @Test
    void anOldEventThatIsAnnouncedAgainGoesToNoYoungerSubscription() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        TransactionEvent event = at(ENVIRONMENT.paid(tenant), now.minusSeconds(60));
        TransactionEvent expired = at(ENVIRONMENT.paid(tenant), now.minus(Duration.ofDays(30)));
        TransactionEvent kept = at(ENVIRONMENT.paid(tenant), now.minus(Duration.ofDays(29)));
        WebhookEndpoint older = ENVIRONMENT.endpoints().register(tenant, path + "/older");
        WebhookEndpoint again = ENVIRONMENT.endpoints().register(tenant, path + "/again");
        ENVIRONMENT.endpoints().set(again, EndpointFields.CREATED_AT, Date.from(now));
        WebhookEndpoint adding = ENVIRONMENT.endpoints().register(tenant, path + "/adding");
        ENVIRONMENT
                .endpoints()
                .set(
                        adding,
                        EndpointFields.ADDED_EVENTS,
                        List.of(new Document(EndpointFields.NAME, "transaction.paid")
                                .append(EndpointFields.SINCE, Date.from(now))));
        WebhookEndpoint feed = ENVIRONMENT.endpoints().makeFeed(tenant);
        TransactionEvent next = ENVIRONMENT.paid(tenant);
        List.of(expired, kept, event, next).forEach(ENVIRONMENT.events()::publish);

        await().atMost(SOON).until(() -> ENVIRONMENT.deliveries().of(older).size() == 3);
        for (WebhookEndpoint younger : List.of(again, adding, feed)) {
            await().atMost(SOON)
                    .until(() -> !ENVIRONMENT.deliveries().of(younger).isEmpty());
            assertThat(ENVIRONMENT.deliveries().of(younger))
                    .extracting(delivery -> delivery.get("_id", Binary.class))
                    .containsExactly(new Binary(new DeliveryId(younger.id(), next.id()).bytes()));
        }
        assertThat(ENVIRONMENT.deliveries().of(older))
                .extracting(delivery -> delivery.get("_id", Binary.class))
                .doesNotContain(new Binary(new DeliveryId(older.id(), expired.id()).bytes()));
    }

    private static TransactionEvent at(TransactionEvent event, Instant at) {
        return new TransactionEvent(
                event.type(),
                event.sequence(),
                at,
                event.previousStatus(),
                event.resolved(),
                event.dispute(),
                event.blocked(),
                event.transaction());
    }

    /** The gateway stores test events with their payloads. */
    @Test
    void anEventWithoutATransactionHasItsStoredPayload() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        ENVIRONMENT
                .deliveries()
                .insert(Delivery.due(
                        new DeliveryId(endpoint.id(), new EventId(TransactionId.at(Instant.now()), 1)),
                        "webhook.test",
                        Instant.now(),
                        Instant.now(),
                        "{\"type\":\"webhook.test\"}".getBytes(StandardCharsets.UTF_8)));
        ENVIRONMENT.lanes().markDue(endpoint);

        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");
        assertThat(RECEIVER.received(path)).extracting(Received::body).containsExactly("{\"type\":\"webhook.test\"}");
        assertThat(ENVIRONMENT.deliveries().newest(endpoint).orElseThrow()).doesNotContainKey("body");
    }

    /** The gateway schedules a delivery again without its payload. Meanwhile the transaction has changed. */
    @Test
    void aDeliveryThatIsScheduledAgainHasTheSameIdAndPayload() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        Transaction paid = TestTransactions.paid(tenant);
        ENVIRONMENT.transactions().store(paid.moveTo(Status.REFUND, Instant.now(), Source.RAIL));
        ENVIRONMENT.events().publish(TransactionEvent.of(paid, 2));
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");

        ENVIRONMENT.deliveries().scheduleAgain(endpoint);
        await().atMost(SOON).until(() -> RECEIVER.received(path).size() == 2);
        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");
        Received first = RECEIVER.received(path).get(0);
        Received second = RECEIVER.received(path).get(1);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("webhook-id")).isEqualTo(first.header("webhook-id"));
        assertThat(ENVIRONMENT.deliveries().outcomes(endpoint)).containsExactly("delivered", "delivered");
    }

    /** Alert WebhooksLate fired for each merchant that had its missed webhooks sent again. */
    @Test
    void aReplayOfAnEventThatWasNeverAttemptedIsNoLateFirstAttempt() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        Transaction paid = TestTransactions.paid(tenant);
        ENVIRONMENT.transactions().store(paid);
        TransactionEvent event = TransactionEvent.of(paid, 2);
        Instant hoursAgo = Instant.now().minus(Duration.ofHours(5));
        ENVIRONMENT
                .deliveries()
                .insert(Delivery.ended(
                        new DeliveryId(endpoint.id(), event.id()),
                        event.type().code(),
                        hoursAgo,
                        DeliveryStatus.CANCELED,
                        List.of(),
                        hoursAgo));
        ENVIRONMENT.deliveries().scheduleAgain(endpoint);

        ENVIRONMENT.deliveries().awaitStatus(endpoint, "delivered");
        assertThat(ENVIRONMENT
                        .dispatchers()
                        .get(0)
                        .getBean(MeterRegistry.class)
                        .get("ligeiro.webhook.first_attempt")
                        .timer()
                        .max(TimeUnit.HOURS))
                .isLessThan(1);
    }

    /** Both deliveries are scheduled again without their payloads. */
    @Test
    void aTransactionThatCannotBeReadDoesNotStopTheOtherDeliveries() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent unreadable = ENVIRONMENT.paid(tenant);
        TransactionEvent readable = ENVIRONMENT.paid(tenant);
        List.of(unreadable, readable).forEach(ENVIRONMENT.events()::publish);
        await().atMost(SOON)
                .until(() -> ENVIRONMENT.deliveries().statuses(endpoint).equals(List.of("delivered", "delivered")));
        ENVIRONMENT.transactions().makeUnreadable(unreadable.id().transactionId());
        List<ILoggingEvent> warnings = AttemptWarnings.during(() -> {
            ENVIRONMENT.deliveries().scheduleAgain(endpoint);
            await().atMost(SOON)
                    .until(() -> ENVIRONMENT.deliveries().statuses(endpoint).equals(List.of("delivered", "exhausted")));
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
}
