package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.SigningSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SignedHeadersTest {

    private static final UUID ID = UUID.fromString("019cd000-0000-7abc-9def-0123456789ab");
    private static final Instant NOW = Instant.now();
    private static final String BODY = "{\"extra\":\"é 😀\\n\"}";
    private static final SigningSecret NEW = SigningSecret.random();

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
    void duringARotationTheOfficialLibraryVerifiesWithEitherSecret() {
        Map<String, String> headers = headers(rotated(NOW.plusSeconds(1)));

        assertThat(headers.get("webhook-signature")).matches("v1,\\S{44} v1,\\S{44}");
        assertThatCode(() -> verify(NEW, headers)).doesNotThrowAnyException();
        assertThatCode(() -> verify(Endpoints.SECRET, headers)).doesNotThrowAnyException();
        assertThatThrownBy(() -> verify(SigningSecret.random(), headers))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void afterTheRotationOnlyTheNewSecretSigns() {
        Map<String, String> headers = headers(rotated(NOW));

        assertThat(headers.get("webhook-signature")).matches("v1,\\S{44}");
        assertThatCode(() -> verify(NEW, headers)).doesNotThrowAnyException();
        assertThatThrownBy(() -> verify(Endpoints.SECRET, headers)).isInstanceOf(WebhookVerificationException.class);
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

    @Test
    void aSecretThatCannotBeDecryptedIsAnError() {
        WebhookEndpoint moved =
                Endpoints.endpoint(UUID.randomUUID(), Transactions.TENANT, "https://merchant.example/hook");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> headers(Endpoints.withSecrets(endpoint, moved.secrets())));
    }

    private WebhookEndpoint rotated(Instant previousUntil) {
        return Endpoints.withSecrets(
                endpoint,
                List.of(
                        new EndpointSecret(Endpoints.KEYS.encrypt(ID, NEW), null),
                        new EndpointSecret(Endpoints.KEYS.encrypt(ID, Endpoints.SECRET), previousUntil)));
    }

    private Map<String, String> headers(WebhookEndpoint of) {
        return signedHeaders.of(of, "msg_1", NOW, BODY.getBytes(StandardCharsets.UTF_8));
    }

    private static void verify(SigningSecret secret, Map<String, String> headers) throws Exception {
        Map<String, List<String>> all = headers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
        new Webhook(secret.text()).verify(BODY, HttpHeaders.of(all, (name, value) -> true));
    }
}
