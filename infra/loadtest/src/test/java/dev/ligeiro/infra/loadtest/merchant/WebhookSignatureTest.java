package dev.ligeiro.infra.loadtest.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WebhookSignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final String TIMESTAMP = "1614265330";
    private static final String BODY = "{\"test\": 2432232314}";
    private static final String RIGHT = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    private final WebhookCheck check = new WebhookCheck(
            SECRET, new CallJournal(CallIdentifiers.random()), new RunFaults(), (number, id, body) -> {});

    @Test
    void acceptsThePublishedVector() {
        assertThat(isValid(ID, TIMESTAMP, BODY, RIGHT)).isTrue();
    }

    @Test
    void acceptsWhatTheReferenceImplementationSigns() throws Exception {
        String signed = new Webhook(SECRET).sign("evt_1", 1_700_000_000L, "{\"extra\":\"é\"}");

        assertThat(isValid("evt_1", "1700000000", "{\"extra\":\"é\"}", signed)).isTrue();
    }

    @Test
    void oneRightSignatureAmongSeveralIsEnough() {
        assertThat(isValid(ID, TIMESTAMP, BODY, "v1,AAAA v1a,zzzz " + RIGHT)).isTrue();
    }

    @Test
    void refusesAnythingElse() {
        assertThat(isValid(ID + "x", TIMESTAMP, BODY, RIGHT)).isFalse();
        assertThat(isValid(ID, "1614265331", BODY, RIGHT)).isFalse();
        assertThat(isValid(ID, TIMESTAMP, BODY + " ", RIGHT)).isFalse();
        assertThat(isValid(ID, TIMESTAMP, BODY, RIGHT.replace("v1,g", "v1,h"))).isFalse();
        assertThat(isValid(ID, TIMESTAMP, BODY, RIGHT.substring(3))).isFalse();
        assertThat(isValid(ID, TIMESTAMP, BODY, RIGHT + "=")).isFalse();
        assertThat(isValid(ID, TIMESTAMP, BODY, "")).isFalse();
    }

    private boolean isValid(String id, String timestamp, String body, String header) {
        return check.isSigned(id, timestamp, body.getBytes(StandardCharsets.UTF_8), header);
    }
}
