package dev.ligeiro.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventType;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookEndpointTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:20Z");

    private final WebhookEndpoint endpoint =
            Endpoints.endpoint(Transactions.ID.value(), Transactions.TENANT, "https://shop.example/hooks?token=1");

    @ParameterizedTest(name = "enabled {0}, {1}: {2}")
    @CsvSource({"true, PAID, true", "true, DENIED, false", "false, PAID, false"})
    void receivesItsSubscribedTypesWhileEnabled(boolean enabled, EventType type, boolean expected) {
        EndpointStatus status =
                enabled ? EndpointStatus.enabled(NOW) : EndpointStatus.disabled(DisabledReason.MERCHANT, NOW);

        assertThat(Endpoints.withStatus(Endpoints.withEvents(endpoint, Set.of(EventType.PAID)), status)
                        .receives(type))
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
