package dev.ligeiro.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Golden;
import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import java.io.StringWriter;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TransactionViewTest {

    /** The fields that both operations have, except {@code events}. */
    private static final List<String> FIELDS_OF_BOTH = List.of(
            "id",
            "amount",
            "commission",
            "date_created",
            "description",
            "document",
            "email",
            "name",
            "phone",
            "platform",
            "operation",
            "status",
            "reference",
            "extra",
            "e2e_id",
            "finished");

    private static final Function<String, String> IMAGE =
            brCode -> "data:image/png;base64," + brCode.substring(brCode.length() - 4);

    private final TransactionView view =
            new TransactionView(new Timestamps(ZoneId.of("America/Sao_Paulo")), "https://pix.example.com");

    @Test
    void aRefundedCashinIsShownAsItsGoldenFile() {
        Transaction refunded = Transactions.goldenCashin()
                .moveTo(Status.PAID, Transactions.CREATED_AT.plusSeconds(60), StatusEvent.Source.RAIL, null)
                .moveTo(
                        Status.REFUND,
                        Transactions.CREATED_AT.plusSeconds(13 * 3_600),
                        StatusEvent.Source.MERCHANT,
                        null);

        assertThat(json(refunded, IMAGE)).isEqualTo(Golden.json("view/cashin.json"));
    }

    @Test
    void aNewCashoutWithoutReferenceAndExtraIsShownAsItsGoldenFile() {
        assertThat(json(
                        Transactions.like(Transactions.goldenCashout())
                                .reference(null)
                                .extra(null)
                                .build(),
                        IMAGE))
                .isEqualTo(Golden.json("view/cashout.json"));
    }

    @Test
    void aWebhookLeavesTheQrCodeImageOut() {
        assertThat(fields(Transactions.goldenCashin(), null))
                .doesNotContain("qr_code_image")
                .contains("qr_code");
    }

    @Provide
    Arbitrary<Transaction> transactions() {
        return TransactionArbitraries.transactions();
    }

    @Property
    void everyTransactionShowsTheFieldsOfItsOperationAndNoOther(@ForAll("transactions") Transaction transaction) {
        List<String> ofItsOperation =
                switch (transaction.operation()) {
                    case CASHIN -> List.of("payment_link", "qr_code", "qr_code_image");
                    case CASHOUT -> List.of("pix_key");
                };

        assertThat(fields(transaction, IMAGE))
                .startsWith(FIELDS_OF_BOTH.toArray(String[]::new))
                .containsAll(ofItsOperation)
                .endsWith("events")
                .hasSize(FIELDS_OF_BOTH.size() + ofItsOperation.size() + 1);
    }

    @Property
    void everyFieldButTheEventsIsAString(@ForAll("transactions") Transaction transaction) {
        JsonNode shown = JsonMapper.shared().readTree(json(transaction, IMAGE));

        assertThat(shown.properties())
                .allMatch(field -> field.getKey().equals("events")
                        ? field.getValue().isArray()
                        : field.getValue().isString());
    }

    @Property
    void eventsAreListedNewestFirst(@ForAll("transactions") Transaction transaction) {
        JsonNode events = JsonMapper.shared().readTree(json(transaction, IMAGE)).get("events");

        assertThat(events).hasSize(transaction.version());
        assertThat(events.get(0).get("status").stringValue())
                .isEqualTo(transaction.status().code());
        assertThat(events.get(events.size() - 1).get("status").stringValue()).isEqualTo("pending");
    }

    @Property
    void textIsShownUnchanged(@ForAll("transactions") Transaction transaction) {
        JsonNode shown = JsonMapper.shared().readTree(json(transaction, IMAGE));
        String extra = transaction.extra();

        assertThat(shown.get("name").stringValue())
                .isEqualTo(transaction.payer().name());
        assertThat(shown.get("extra").stringValue()).isEqualTo(extra == null ? "" : extra);
    }

    private List<String> fields(Transaction transaction, @Nullable Function<String, String> qrCodeImage) {
        return List.copyOf(
                JsonMapper.shared().readTree(json(transaction, qrCodeImage)).propertyNames());
    }

    private String json(Transaction transaction, @Nullable Function<String, String> qrCodeImage) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonMapper.shared().createGenerator(text)) {
            json.writeStartObject();
            view.writeFields(json, transaction, qrCodeImage);
            json.writeEndObject();
        }
        return text.toString();
    }
}
