package dev.ligeiro.infra.loadtest.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.Call;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.merchant.Timeline;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AttemptsTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String UUID = "019cd827-d553-7abc-9def-0123456789ab";

    private final CallIdentifiers identifiers = new CallIdentifiers("00c0ffee");
    private final CallJournal journal = new CallJournal(identifiers);
    private final RunFaults faults = new RunFaults();
    private final Load load =
            Load.open(Scenario.PAY, 1, 0, 0, Long.MAX_VALUE).withTimelines(new Timeline(0), new Timeline(0));
    private final Attempts attempts = new Attempts(journal, faults, load, 2);

    @BeforeEach
    void makeACallOfEachMerchant() {
        attempts.expect(0, "/slow/0", SECRET, Answer.SLOW);
        attempts.expect(1, "/at_once/1", SECRET, Answer.AT_ONCE);
        journal.add(Call.PAID_CASHIN, 0);
        journal.add(Call.PAID_CASHIN, 0);
    }

    @Test
    void theFirstAttemptFinishesItsCallAndOnlyAQuickEndpointsLatencyCounts() throws Exception {
        receive("/slow/0", 0);
        receive("/at_once/1", 1);

        assertThat(faults.lines()).isEmpty();
        assertThat(load.finished()).isEqualTo(2);
        assertThat(load.webhookMicros().getTotalCount()).isEqualTo(1);
        assertThat(attempts.doubled()).isZero();
    }

    @Test
    void anAttemptBeforeTheAnswerToAnEarlierOneIsOneAtOnce() throws Exception {
        receive("/slow/0", 0);
        receive("/slow/0", 0);

        assertThat(attempts.doubled()).isEqualTo(1);
        assertThat(attempts.atOnce()).isEqualTo(1);
        assertThat(load.finished()).isEqualTo(1);
        assertThat(faults.lines()).singleElement().asString().contains("attempted twice at once");
    }

    @Test
    void anAttemptAfterA2xxIsAFault() throws Exception {
        receive("/at_once/1", 1);
        receive("/at_once/1", 1);

        assertThat(attempts.doubled()).isEqualTo(1);
        assertThat(attempts.atOnce()).isZero();
        assertThat(faults.lines()).singleElement().asString().contains("attempted again after a 2xx");
    }

    @Test
    void aWebhookOfAnotherMerchantIsAFault() throws Exception {
        receive("/slow/0", 1);
        receive("/at_once/2", 0);

        assertThat(faults.lines())
                .satisfiesExactly(
                        other -> assertThat(other).contains("webhook of another merchant"),
                        unknown -> assertThat(unknown).contains("unknown path"));
    }

    private void receive(String path, int number) throws Exception {
        long now = System.currentTimeMillis() / 1000;
        String id = "evt_" + UUID.replace("-", "") + "_2";
        String body = "{\"type\":\"transaction.paid\",\"data\":{\"id\":\"%s\",\"reference\":\"%s\",\"extra\":\"%s\"}}"
                .formatted(UUID, identifiers.reference(number), identifiers.extra(number));
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, path, Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        request.headers()
                .set("webhook-id", id)
                .set("webhook-timestamp", now)
                .set("webhook-signature", new Webhook(SECRET).sign(id, now, body));
        attempts.accept(request);
    }
}
