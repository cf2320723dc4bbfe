package dev.ligeiro.infra.loadtest.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.ligeiro.infra.loadtest.http.MessageParser;
import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Faults;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import dev.ligeiro.infra.loadtest.ledger.Naming;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookCheckTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String UUID = "019cd827-d553-7abc-9def-0123456789ab";
    private static final String OTHER_UUID = "019cd827-d553-7abc-9def-0123456789ac";
    private static final String ID = "evt_" + UUID.replace("-", "");

    private final Naming naming = new Naming("00c0ffee");
    private final Ledger ledger = new Ledger();
    private final Faults faults = new Faults();
    private final WebhookCheck check = new WebhookCheck(new WebhookSignature(SECRET), naming, ledger, faults);

    @BeforeEach
    void makeACashout() {
        ledger.open(Call.CASHOUT, 0);
    }

    @Test
    void notesEachWebhookOfATransaction() throws Exception {
        receive(ID + "_2", body(UUID, "transaction.in_process", naming.extra(0)));
        receive(ID + "_3", body(UUID, "transaction.paid", naming.extra(0)));

        assertThat(faults.lines()).isEmpty();
        assertThat(ledger.webhookBits(0)).isEqualTo(Call.CASHOUT.webhookBits());
    }

    @Test
    void aWebhookMayComeTwice() throws Exception {
        receive(ID + "_3", body(UUID, "transaction.paid", naming.extra(0)));
        receive(ID + "_3", body(UUID, "transaction.paid", naming.extra(0)));

        assertThat(faults.lines()).isEmpty();
    }

    @Test
    void aWrongExtraIsAFault() throws Exception {
        receive(ID + "_3", body(UUID, "transaction.paid", naming.extra(1)));

        assertThat(faults.lines()).singleElement().asString().contains("wrong extra");
    }

    @Test
    void aTypeThatIsNotTheChangesIsAFault() throws Exception {
        receive(ID + "_2", body(UUID, "transaction.paid", naming.extra(0)));

        assertThat(faults.lines()).singleElement().asString().contains("unexpected webhook");
    }

    @Test
    void aChangeThatNeverWasIsAFault() throws Exception {
        receive(ID + "_4", body(UUID, "transaction.refund", naming.extra(0)));

        assertThat(faults.lines()).singleElement().asString().contains("unexpected webhook");
    }

    @Test
    void anIdOfAnotherTransactionIsAFault() throws Exception {
        receive(ID + "_3", body(OTHER_UUID, "transaction.paid", naming.extra(0)));

        assertThat(faults.lines()).singleElement().asString().contains("webhook-id of another transaction");
    }

    @Test
    void aForgedWebhookIsAFault() throws Exception {
        receive("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ID + "_3", body(UUID, "transaction.paid", naming.extra(0)));

        assertThat(faults.lines()).singleElement().asString().contains("invalid signature");
        assertThat(ledger.webhookBits(0)).isZero();
    }

    private void receive(String id, String body) throws Exception {
        receive(SECRET, id, body);
    }

    private void receive(String secret, String id, String body) throws Exception {
        long now = System.currentTimeMillis() / 1000;
        String head =
                "POST /webhooks HTTP/1.1\r\nwebhook-id: %s\r\nwebhook-timestamp: %d\r\nwebhook-signature: %s\r\nContent-Length: %d\r\n\r\n"
                        .formatted(
                                id,
                                now,
                                new Webhook(secret).sign(id, now, body),
                                body.getBytes(StandardCharsets.UTF_8).length);
        MessageParser request = new MessageParser(32_768);
        assertThat(request.accept(ByteBuffer.wrap((head + body).getBytes(StandardCharsets.UTF_8))))
                .isTrue();
        check.accept(request);
    }

    private String body(String uuid, String type, String extra) {
        return "{\"type\":\"%s\",\"timestamp\":\"2026-03-10T14:30:15Z\",\"data\":{\"id\":\"%s\",\"reference\":\"%s\",\"extra\":\"%s\",\"sequence\":3}}"
                .formatted(type, uuid, naming.reference(0), extra);
    }
}
