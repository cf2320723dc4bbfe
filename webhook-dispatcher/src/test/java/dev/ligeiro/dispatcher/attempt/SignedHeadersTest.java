package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SignedHeadersTest {

    private static final UUID ID = UUID.fromString("019cd000-0000-7abc-9def-0123456789ab");
    private static final Instant NOW = Instant.now();
    private static final String BODY = "{\"extra\":\"é 😀\\n\"}";

    private final SignedHeaders signedHeaders = new SignedHeaders(Endpoints.KEYS);
    private final WebhookEndpoint endpoint =
            Endpoints.endpoint(ID, Transactions.TENANT, "https://merchant.example/hook");

    @Test
    void signsAsThePublishedVector() {
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
        assertThat(SignedHeaders.signature(Endpoints.SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void theMerchantsHeadersAreSentButNeverReplaceOurs() {
        Map<String, EncryptedText> own = Map.of(
                "authorization",
                Endpoints.KEYS.encryptHeader(ID, "authorization", "Basic dXNlcjpwYXNz"),
                "webhook-id",
                Endpoints.KEYS.encryptHeader(ID, "webhook-id", "forged"));

        assertThat(headers(Endpoints.withHeaders(endpoint, own)))
                .containsOnlyKeys("authorization", "webhook-id", "webhook-timestamp", "webhook-signature")
                .containsEntry("authorization", "Basic dXNlcjpwYXNz")
                .containsEntry("webhook-id", "msg_1")
                .containsEntry("webhook-timestamp", Long.toString(NOW.getEpochSecond()));
    }

    private Map<String, String> headers(WebhookEndpoint of) {
        return signedHeaders.of(of, "msg_1", NOW, BODY.getBytes(StandardCharsets.UTF_8));
    }
}
