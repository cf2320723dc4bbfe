package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One dispatcher, and deliveries that the gateway schedules again, without their payloads. */
class RedeliveryIT {

    /** On a machine with twenty times its load, too. */
    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final StartedDispatcher DISPATCHER = new StartedDispatcher(TestEnvironment.LONG_ATTEMPTS);

    private static final TestEnvironment ENVIRONMENT = DISPATCHER.environment();
    private static final WebhookReceiver RECEIVER = ENVIRONMENT.receiver();

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final String path = "/" + tenant.key();

    /** The gateway schedules a delivery again without its payload. Meanwhile the transaction has changed. */
    @Test
    void aDeliveryThatIsScheduledAgainHasTheSameIdAndPayload() {
        WebhookEndpoint endpoint = ENVIRONMENT.endpoints().register(tenant, path);
        TransactionEvent event = TestEvents.paid(tenant);
        ENVIRONMENT.transactions().store(event.transaction().moveTo(Status.REFUND, Instant.now(), Source.RAIL));
        ENVIRONMENT.events().publish(event);
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
        await().atMost(SOON)
                .until(() -> ENVIRONMENT.deliveries().statuses(endpoint).equals(List.of("delivered", "delivered")));
        ENVIRONMENT.transactions().makeUnreadable(unreadable.transaction());
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
