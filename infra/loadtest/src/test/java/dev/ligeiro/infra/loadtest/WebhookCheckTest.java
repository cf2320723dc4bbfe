package dev.ligeiro.infra.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookCheckTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String UUID = "019cd827-d553-7abc-9def-0123456789ab";
    private static final String OTHER_UUID = "019cd827-d553-7abc-9def-0123456789ac";
    private static final String ID = "evt_019cd827d5537abc9def0123456789ab";

    private static final long NOW = System.currentTimeMillis() / 1000;

    private final CallIdentifiers identifiers = new CallIdentifiers("00c0ffee");
    private final CallJournal journal = new CallJournal(identifiers);
    private final RunFaults faults = new RunFaults();
    private final Load load = Load.closed(Scenario.CASHOUT, 1, 0, Long.MAX_VALUE);
    private final WebhookCheck check = new WebhookCheck(SECRET, journal, load, faults);

    @BeforeEach
    void makeACashout() {
        journal.add(Call.CASHOUT, 0);
    }

    @Test
    void notesEachWebhookOfATransaction() throws Exception {
        receive(ID + "_2", body(UUID, "transaction.in_process", identifiers.extra(0)));
        receive(ID + "_3", paidBody());

        assertThat(faults.lines()).isEmpty();
        assertThat(journal.webhookBits(0)).isEqualTo(Call.CASHOUT.webhookBits());
        assertThat(load.finished()).isEqualTo(1);
    }

    @Test
    void webhooksMayComeTwiceAndInAnyOrder() throws Exception {
        receive(ID + "_3", paidBody());
        receive(ID + "_3", paidBody());
        assertThat(load.finished()).isZero();

        receive(ID + "_2", body(UUID, "transaction.in_process", identifiers.extra(0)));
        receive(ID + "_2", body(UUID, "transaction.in_process", identifiers.extra(0)));

        assertThat(faults.lines()).isEmpty();
        assertThat(load.finished()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        ID + "_3, " + UUID + ", transaction.paid, 1, webhook with a wrong extra",
        ID + "_2, " + UUID + ", transaction.paid, 0, unexpected webhook",
        ID + "_4, " + UUID + ", transaction.refund, 0, unexpected webhook",
        ID + "_3, " + OTHER_UUID + ", transaction.paid, 0, webhook-id of another transaction",
        "evt_1, " + UUID + ", transaction.paid, 0, malformed",
        ID + ", " + UUID + ", transaction.paid, 0, malformed",
        "'', " + UUID + ", transaction.paid, 0, malformed"
    })
    void aWebhookThatDoesNotFitItsCallIsAFault(String id, String uuid, String type, int extraOf, String fault)
            throws Exception {
        receive(id, body(uuid, type, identifiers.extra(extraOf)));

        assertThat(faults.lines()).singleElement().asString().contains(fault);
    }

    @Test
    void aForgedWebhookIsAFault() throws Exception {
        String otherSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

        check.accept(request(ID + "_3", paidBody(), otherSecret, NOW));

        assertThat(faults.lines()).singleElement().asString().contains("invalid signature");
        assertThat(journal.webhookBits(0)).isZero();
    }

    @Test
    void aTimestampOfAnotherHourIsAFault() throws Exception {
        check.accept(request(ID + "_3", paidBody(), SECRET, NOW - 3_600));

        assertThat(faults.lines()).singleElement().asString().contains("wrong timestamp");
    }

    @Test
    void aTransactionOfAnotherRunIsAFault() throws Exception {
        receive(ID + "_3", paidBody().replace("lt00c0ffee", "lt00c0ffef"));

        assertThat(faults.lines()).singleElement().asString().contains("unknown transaction");
    }

    @Test
    void aBodyThatIsNoJsonIsAFault() throws Exception {
        receive(ID + "_3", "{");

        assertThat(faults.lines()).singleElement().asString().contains("malformed");
    }

    private void receive(String id, String body) throws Exception {
        check.accept(request(id, body, SECRET, NOW));
    }

    private String paidBody() {
        return body(UUID, "transaction.paid", identifiers.extra(0));
    }

    private String body(String uuid, String type, String extra) {
        return "{\"type\":\"%s\",\"data\":{\"id\":\"%s\",\"reference\":\"%s\",\"extra\":\"%s\"}}"
                .formatted(type, uuid, identifiers.reference(0), extra);
    }

    /** Signed by the reference library. */
    private static FullHttpRequest request(String id, String body, String secret, long timestamp) throws Exception {
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, "/", Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        request.headers()
                .set("webhook-id", id)
                .set("webhook-timestamp", timestamp)
                .set("webhook-signature", new Webhook(secret).sign(id, timestamp, body));
        return request;
    }
}
