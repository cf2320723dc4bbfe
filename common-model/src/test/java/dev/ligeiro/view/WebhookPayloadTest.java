package dev.ligeiro.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class WebhookPayloadTest {

    private static final JsonMapper JSON = new JsonMapper();
    private final WebhookPayload payload = new WebhookPayload(
            new TransactionView(new Timestamps(ZoneId.of("America/Sao_Paulo")), "http://localhost:8080"));

    @Test
    void aPaidCashin() throws IOException {
        Transaction paid =
                Transactions.goldenCashin().moveTo(Status.PAID, Instant.parse("2026-03-10T14:31:02.045Z"), Source.RAIL);
        assertPayload(TransactionEvent.of(paid, 2), "paid-cashin.json");
    }

    @Test
    void aDisputedCashin() throws IOException {
        Instant at = Instant.parse("2026-03-12T09:00:00.250Z");
        Transaction disputed = Transactions.goldenCashin()
                .moveTo(Status.PAID, Instant.parse("2026-03-10T14:31:02.045Z"), Source.RAIL)
                .with(new Entry.DisputeOpened(
                        Dispute.id("bank", "8ad75c93"),
                        new Amount(50_00),
                        "Solicitação de devolução",
                        "golpe",
                        Instant.parse("2026-03-19T09:00:00Z"),
                        at.minusSeconds(60),
                        "8ad75c93",
                        "1313",
                        at));
        assertPayload(TransactionEvent.of(disputed, 3), "disputed-cashin.json");
        assertThat(MessageJson.readEvent(MessageJson.write(TransactionEvent.of(disputed, 3))))
                .isEqualTo(TransactionEvent.of(disputed, 3));
    }

    @Test
    void aCreatedCashout() throws IOException {
        assertPayload(TransactionEvent.of(Transactions.goldenCashout(), 1), "created-cashout.json");
    }

    /** Every text has its greatest length and characters of the greatest width. */
    @Test
    void theLargestPayloadHasAtMost32KilobytesAndSoHasItsEvent() {
        Transaction transaction = Transactions.largest();
        int sequence = transaction.history().sequence();

        assertThat(transaction.history().refunds()).hasSize(ChangeRules.REFUNDS_MAX);
        for (int each : List.of(1, 2, sequence / 2, sequence)) {
            TransactionEvent event = TransactionEvent.of(transaction, each);

            assertThat(payload.of(event)).hasSizeLessThanOrEqualTo(32 * 1024);
            assertThat(MessageJson.write(event)).hasSizeLessThanOrEqualTo(32 * 1024);
        }
    }

    private void assertPayload(TransactionEvent event, String golden) throws IOException {
        byte[] body = payload.of(event);
        try (var expected = Objects.requireNonNull(getClass().getResourceAsStream("/golden/payload/" + golden))) {
            assertThat(JSON.readTree(body).toPrettyString())
                    .isEqualTo(JSON.readTree(expected).toPrettyString());
        }
        assertThat(JSON.readTree(body).get("data").get("extra").asString()).isEqualTo(Transactions.EXTRA);
        assertThat(body).hasSizeLessThan(20_000);
        assertThat(new String(body, StandardCharsets.UTF_8)).doesNotContain("qr_code_image");
    }
}
