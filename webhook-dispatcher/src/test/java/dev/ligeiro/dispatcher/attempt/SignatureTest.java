package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.ligeiro.fixture.Endpoints;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignatureTest {

    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";

    @Test
    void signsAsThePublishedVector() {
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
        assertThat(Signature.v1(Endpoints.SECRET, ID, 1614265330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void theOfficialLibraryVerifiesIt() throws Exception {
        String body = "{\"extra\":\"é 😀\\n\"}";
        long now = Instant.now().getEpochSecond();
        String signature = Signature.v1(Endpoints.SECRET, ID, now, body.getBytes(StandardCharsets.UTF_8));
        Map<String, List<String>> headers = Map.of(
                "webhook-id", List.of(ID),
                "webhook-timestamp", List.of(Long.toString(now)),
                "webhook-signature", List.of(signature));
        new Webhook(Endpoints.SECRET.text()).verify(body, HttpHeaders.of(headers, (name, value) -> true));
    }
}
