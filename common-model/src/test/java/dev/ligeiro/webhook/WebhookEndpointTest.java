package dev.ligeiro.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventType;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookEndpointTest {

    @ParameterizedTest(name = "enabled {0}, {1}: {2}")
    @CsvSource({"true, PAID, true", "true, DENIED, false", "false, PAID, false"})
    void receivesItsSubscribedTypesWhileEnabled(boolean enabled, EventType type, boolean expected) {
        assertThat(endpoint(enabled).receives(type)).isEqualTo(expected);
    }

    @Test
    void itsTextContainsNoSecret() {
        assertThat(endpoint(true)).hasToString("WebhookEndpoint[id=" + Transactions.ID + ", tenant=14]");
    }

    private static WebhookEndpoint endpoint(boolean enabled) {
        return new WebhookEndpoint(
                Transactions.ID.value(),
                Transactions.TENANT,
                "https://shop.example/hooks?token=1",
                Set.of(EventType.PAID),
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                null,
                enabled,
                Transactions.CREATED_AT);
    }
}
