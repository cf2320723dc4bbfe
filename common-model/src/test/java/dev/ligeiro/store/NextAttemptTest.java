package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextAttemptTest {

    private static final Instant NOW = Transactions.CREATED_AT;

    /** With the fault, the deliveries of a paused or disabled endpoint were due in the past. */
    @ParameterizedTest
    @CsvSource({"true, -60, , -60", "true, -60, 300, 300", "true, 600, 300, 600", "true, , 300, ", "false, -60, , "})
    void aDeliveryIsNotAttemptedWhileItsEndpointIsPausedOrDisabled(
            boolean enabled, @Nullable Long due, @Nullable Long pausedUntil, @Nullable Long expected) {
        WebhookEndpoint endpoint = Endpoints.withStatus(
                Endpoints.endpoint(Transactions.ID.value(), Transactions.TENANT, "https://shop.example/hooks"),
                enabled ? EndpointStatus.enabled(NOW) : EndpointStatus.disabled(DisabledReason.FAILING, NOW));
        StoredDelivery delivery = new StoredDelivery(
                new DeliveryId(endpoint.id(), new EventId(Transactions.ID, 2)),
                "transaction.paid",
                NOW,
                due == null ? "delivered" : "scheduled",
                List.of(),
                at(due),
                due == null ? NOW : null,
                null,
                Origin.NONE);

        assertThat(delivery.nextAttemptAt(endpoint, at(pausedUntil))).isEqualTo(at(expected));
    }

    private static @Nullable Instant at(@Nullable Long seconds) {
        return seconds == null ? null : NOW.plusSeconds(seconds);
    }
}
