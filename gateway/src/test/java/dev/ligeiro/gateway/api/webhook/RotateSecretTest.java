package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RotateSecretTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:20Z");

    private final WebhookEndpoint endpoint =
            Endpoints.endpoint(Transactions.ID.value(), Transactions.TENANT, "https://shop.example/hooks");

    @Test
    void thePreviousSecretSignsFor24Hours() {
        EncryptedText previous = endpoint.secrets().get(0).secret();

        WebhookEndpoint rotated = ChangeEndpoint.rotated(endpoint, secret("new"), NOW, (id, each) -> true);

        assertThat(rotated.secrets())
                .containsExactly(secret("new"), new EndpointSecret(previous, NOW.plus(Duration.ofHours(24))));
    }

    @Test
    void aSecondRotationKeepsTheTimeOfTheFirst() {
        EncryptedText first = endpoint.secrets().get(0).secret();

        WebhookEndpoint once = ChangeEndpoint.rotated(endpoint, secret("b"), NOW, (id, each) -> true);
        WebhookEndpoint twice = ChangeEndpoint.rotated(once, secret("c"), NOW.plusSeconds(60), (id, each) -> true);
        WebhookEndpoint later =
                ChangeEndpoint.rotated(twice, secret("d"), NOW.plus(Duration.ofHours(24)), (id, each) -> true);

        assertThat(twice.secrets()).contains(new EndpointSecret(first, NOW.plus(Duration.ofHours(24))));
        assertThat(later.secrets())
                .extracting(EndpointSecret::secret)
                .containsExactly(
                        secret("d").secret(), secret("c").secret(), secret("b").secret());
    }

    /** The operator has lost the key: the merchant repairs its endpoint by a rotation. */
    @Test
    void aSecretThatCannotBeReadIsDropped() {
        assertThat(ChangeEndpoint.rotated(endpoint, secret("new"), NOW, (id, each) -> false)
                        .secrets())
                .containsExactly(secret("new"));
    }

    private static EndpointSecret secret(String name) {
        return new EndpointSecret(new EncryptedText("k1:" + name), null);
    }
}
