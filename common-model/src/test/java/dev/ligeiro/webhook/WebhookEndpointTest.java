package dev.ligeiro.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookEndpointTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:20Z");

    private final WebhookEndpoint endpoint =
            Endpoints.endpoint(Transactions.ID.value(), Transactions.TENANT, "https://shop.example/hooks?token=1");

    /** The clocks of gateway and processor may differ by 5 s. */
    @ParameterizedTest
    @CsvSource({
        "PAID, 0, true",
        "PAID, -5000, true",
        "PAID, -5001, false",
        "REFUND, -5001, true",
        "REFUND, -65000, true",
        "REFUND, -65001, false",
        "DENIED, 0, false"
    })
    void wantsTheEventsSinceEachSubscription(EventType type, long eventAfterMillis, boolean expected) {
        WebhookEndpoint subscribed =
                Endpoints.withEvents(endpoint, Map.of(EventType.PAID, NOW, EventType.REFUND, NOW.minusSeconds(60)));

        assertThat(subscribed.wants(type, NOW.plusMillis(eventAfterMillis))).isEqualTo(expected);
        EndpointStatus disabled = EndpointStatus.disabled(DisabledReason.MERCHANT, NOW);
        assertThat(Endpoints.withStatus(subscribed, disabled).wants(type, NOW.plusMillis(eventAfterMillis)))
                .isEqualTo(expected);
    }

    @Test
    void anEarlierSecretSignsUntilItsTime() {
        EncryptedText current = new EncryptedText("k:current");
        EncryptedText previous = new EncryptedText("k:previous");
        WebhookEndpoint rotated = Endpoints.withSecrets(
                endpoint, List.of(new EndpointSecret(current, null), new EndpointSecret(previous, NOW)));

        assertThat(rotated.secretsAt(NOW.minusMillis(1))).containsExactly(current, previous);
        assertThat(rotated.secretsAt(NOW)).containsExactly(current);
    }

    @Test
    void itsTextContainsNoSecret() {
        assertThat(endpoint).hasToString("WebhookEndpoint[id=" + Transactions.ID + ", tenant=14]");
        assertThat(endpoint.secrets().toString()).doesNotContain("tests:");
    }
}
