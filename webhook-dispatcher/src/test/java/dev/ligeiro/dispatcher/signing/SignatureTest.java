package dev.ligeiro.dispatcher.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";

    @Test
    void signsAsThePublishedVector() {
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
        assertThat(Signature.v1(SECRET, ID, 1614265330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void theOfficialLibraryVerifiesIt() throws Exception {
        String body = "{\"extra\":\"é 😀\\n\"}";
        long now = Instant.now().getEpochSecond();
        String signature = Signature.v1(SECRET, ID, now, body.getBytes(StandardCharsets.UTF_8));
        Map<String, List<String>> headers = Map.of(
                "webhook-id", List.of(ID),
                "webhook-timestamp", List.of(Long.toString(now)),
                "webhook-signature", List.of(signature));
        new Webhook(SECRET).verify(body, HttpHeaders.of(headers, (name, value) -> true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_not*base64", "whsk_AAAA"})
    void aMalformedSecretIsRefusedAndNotRepeated(String secret) {
        assertThatThrownBy(() -> Signature.v1(secret, ID, 1, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageStartingWith("secret: ")
                .hasMessageNotContaining("not*base64")
                .hasMessageNotContaining("MfKQ9r8G");
    }
}
