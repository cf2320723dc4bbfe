package dev.ligeiro.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Golden;
import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** The fields that both operations have, except {@code events} and the refunds. */
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
            "finished",
            "expires_at");

    private static final List<String> REFUND_FIELDS = List.of("refunded_amount", "refunds_count", "refunds");

    private static final Function<String, byte[]> IMAGE =
            brCode -> ("data:image/png;base64," + brCode.substring(brCode.length() - 4)).getBytes(UTF_8);

    private final TransactionView view =
            new TransactionView(new Timestamps(ZoneId.of("America/Sao_Paulo")), "https://pix.example.com");

    @Test
    void aPartlyRefundedCashinIsShownAsItsGoldenFile() {
        assertThat(json(Transactions.partlyRefundedCashin(), IMAGE)).isEqualTo(Golden.json("view/cashin.json"));
    }

    @Test
    void aCashinThatWasPaidLateAndThenRefundedIsShownAsItsGoldenFile() {
        Instant paidAt = Transactions.CREATED_AT.plus(Duration.ofHours(30));
        Transaction refunded = Transactions.goldenCashin()
                .moveTo(Status.EXPIRED, Transactions.CREATED_AT.plus(Transactions.EXPIRY), Source.SYSTEM)
                .moveTo(Status.PAID, paidAt, Source.RAIL)
                .with(
                        new Entry.RefundRequested(
                                Transactions.REFUND, new Amount(15075), Source.RAIL, null, null, paidAt, null),
                        new Entry.RefundMade(Transactions.REFUND, true, paidAt.plusSeconds(90)));

        assertThat(json(refunded, IMAGE)).isEqualTo(Golden.json("view/paid_late.json"));
    }

    @Test
    void aMerchantThatMayIsShownWhoHasPaidAndEachThatAnotherHas() {
        Instant at = Transactions.CREATED_AT.plusSeconds(60);
        Transaction visible = Transactions.like(Transactions.goldenCashin())
                .payerRules(new PayerRules(true, true, true))
                .build();
        Transaction hidden = Transactions.like(Transactions.goldenCashin())
                .payerRules(new PayerRules(true, true, false))
                .build();
        Entry paid = new Entry.StatusChanged(
                Status.PAID,
                at,
                Source.RAIL,
                null,
                new Settlement("E1", at, Payer.of("João Souza", "111.444.777-35", "99999004")),
                null);
        Entry refund = Entry.RefundRequested.bySystem(
                RefundId.ofPayerMismatch(visible.id()), new Amount(15075), Entry.PayerMismatch.REASON, at);

        assertThat(json(visible.with(paid), IMAGE))
                .contains(
                        "\"payer\":{\"name\":\"João Souza\",\"document\":\"***.444.777-**\",\"ispb\":\"99999004\"}",
                        "\"payer_must_match\":true")
                .doesNotContain("payer_mismatch", "11144477735");
        assertThat(json(hidden.with(paid, new Entry.PayerMismatch(at), refund), IMAGE))
                .contains(
                        "\"payer_mismatch\":true",
                        "\"origin\":\"system\",\"reason\":\"payer_mismatch\",\"refund_reference\":\"\"")
                .doesNotContain("João", "\"payer\"");
    }

    @Test
    void moneyThatTheRailMovedBackIsShownWithItsNature() {
        Instant at = Transactions.CREATED_AT.plusSeconds(60);
        Transaction returned = Transactions.goldenCashin()
                .moveTo(Status.PAID, at, Source.RAIL)
                .with(
                        Entry.RefundRequested.byRail(
                                Transactions.REFUND, new Amount(100), RailReturn.of("MED_FRAUDE", "D1"), at),
                        new Entry.RefundMade(Transactions.REFUND, false, at));

        assertThat(json(returned, IMAGE)).contains("\"origin\":\"rail\",\"nature\":\"MED_FRAUDE\",\"rtr_id\":\"D1\",");
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

    @Test
    void aDeniedTransactionShowsItsReason() {
        Transaction denied = Transactions.goldenCashout()
                .with(new Entry.StatusChanged(
                        Status.DENIED, Transactions.CREATED_AT, Source.RAIL, "rejected_by_rail", null, null));
        Transaction withoutReason =
                Transactions.goldenCashout().moveTo(Status.DENIED, Transactions.CREATED_AT, Source.SANDBOX);

        assertThat(fields(denied, IMAGE)).contains("denial_reason");
        assertThat(json(denied, IMAGE)).contains("\"denial_reason\":\"rejected_by_rail\"");
        assertThat(json(withoutReason, IMAGE)).contains("\"denial_reason\":\"\"");
    }

    @Test
    void fiscalPairsAreShownInTheirOrder() {
        Map<String, String> pairs = new LinkedHashMap<>();
        pairs.put("z", "\"é\" \\ 😀");
        pairs.put("document_key", "1");

        assertThat(json(
                        Transactions.like(Transactions.goldenCashout())
                                .fiscal(pairs)
                                .build(),
                        IMAGE))
                .contains("\"fiscal\":{\"z\":\"\\\"é\\\" \\\\ 😀\",\"document_key\":\"1\"}");
    }

    @Provide
    Arbitrary<Transaction> transactions() {
        return TransactionArbitraries.transactions();
    }

    @Property
    void everyTransactionShowsTheFieldsOfItsOperationAndNoOther(@ForAll("transactions") Transaction transaction) {
        List<String> fields = new ArrayList<>(FIELDS_OF_BOTH);
        if (transaction.status() == Status.DENIED) {
            fields.add(fields.indexOf("status") + 1, "denial_reason");
        }
        if (transaction.terms().fiscal() != null) {
            fields.add(fields.indexOf("extra") + 1, "fiscal");
        }
        fields.addAll(
                switch (transaction.operation()) {
                    case CASHIN -> cashinFields(transaction.snapshot());
                    case CASHOUT -> List.of("pix_key");
                });
        if (!transaction.history().refunds().isEmpty()) {
            fields.addAll(REFUND_FIELDS);
        }
        fields.add("events");

        JsonNode shown = JsonMapper.shared().readTree(json(transaction, IMAGE));
        String extra = transaction.terms().extra();

        assertThat(shown.propertyNames()).containsExactlyElementsOf(fields);
        assertThat(shown.properties()).allMatch(field -> switch (field.getKey()) {
            case "events", "refunds" -> field.getValue().isArray();
            case "refunds_count" -> field.getValue().isInt();
            case "fiscal" -> field.getValue().isObject();
            case "payer" -> field.getValue().isObject();
            case "payer_must_match", "payer_mismatch" -> field.getValue().booleanValue();
            default -> field.getValue().isString();
        });
        assertThat(shown.get("name").stringValue())
                .isEqualTo(transaction.terms().payer().name());
        assertThat(shown.get("extra").stringValue()).isEqualTo(extra == null ? "" : extra);
    }

    private static List<String> cashinFields(TransactionSnapshot cashin) {
        List<String> fields = new ArrayList<>();
        if (cashin.terms().payerMustMatch()) {
            fields.add("payer_must_match");
        }
        if (cashin.paidBy() != null) {
            fields.add("payer");
        }
        if (cashin.payerMismatch() != null) {
            fields.add("payer_mismatch");
        }
        fields.addAll(List.of("txid", "payment_link", "qr_code", "qr_code_image"));
        return fields;
    }

    /** Only a payment after the expiry is late. */
    @Property
    void eventsAreTheStatusesNewestFirst(@ForAll("transactions") Transaction transaction) {
        JsonNode events = JsonMapper.shared().readTree(json(transaction, IMAGE)).get("events");
        List<TransactionSnapshot.StatusAt> statuses = transaction.history().statuses();

        assertThat(events).hasSize(statuses.size());
        for (int i = 0; i < events.size(); i++) {
            int oldestFirst = statuses.size() - 1 - i;
            boolean late = oldestFirst > 0 && statuses.get(oldestFirst - 1).status() == Status.EXPIRED;

            assertThat(events.get(i).get("status").stringValue())
                    .isEqualTo(statuses.get(oldestFirst).status().code());
            assertThat(events.get(i).has("late")).isEqualTo(late);
        }
    }

    @Property
    void refundsAreListedOldestFirstWithTheirStates(@ForAll("transactions") Transaction transaction) {
        JsonNode shown = JsonMapper.shared().readTree(json(transaction, IMAGE)).path("refunds");
        List<Refund> refunds = transaction.history().refunds();

        assertThat(shown).hasSize(refunds.size());
        for (int i = 0; i < refunds.size(); i++) {
            assertThat(shown.get(i).get("id").stringValue())
                    .isEqualTo(refunds.get(i).id().toString());
            assertThat(shown.get(i).get("status").stringValue())
                    .isEqualTo(refunds.get(i).state().code());
        }
    }

    /** With the fault, a kind of entry had only its time. */
    @Property
    void eachEntryIsShownWithItsType(@ForAll("transactions") Transaction transaction) {
        for (Entry entry : transaction.history().entries()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (JsonGenerator json = JsonMapper.shared().createGenerator(bytes)) {
                json.writeStartObject();
                view.writeEntry(json, entry);
                json.writeEndObject();
            }
            assertThat(JsonMapper.shared().readTree(bytes.toByteArray()).propertyNames())
                    .containsExactly("date_created", "type", "status", "source", "reason", "description", "refund_id");
        }
    }

    @Test
    void ofManyRefundsTheNewestTwentyAreShownAndAllAreCounted() {
        Transaction transaction = Transactions.largest();
        List<Refund> refunds = transaction.history().refunds();
        JsonNode shown = JsonMapper.shared().readTree(json(transaction, IMAGE));

        assertThat(shown.get("refunds_count").intValue()).isEqualTo(100);
        assertThat(shown.get("refunded_amount").stringValue()).isEqualTo("1000.00");
        assertThat(shown.get("refunds").valueStream().map(refund -> refund.get("id")
                        .stringValue()))
                .containsExactlyElementsOf(refunds.subList(80, 100).stream()
                        .map(refund -> refund.id().toString())
                        .toList());
    }

    private List<String> fields(Transaction transaction, @Nullable Function<String, byte[]> qrCodeImage) {
        return List.copyOf(
                JsonMapper.shared().readTree(json(transaction, qrCodeImage)).propertyNames());
    }

    private String json(Transaction transaction, @Nullable Function<String, byte[]> qrCodeImage) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JsonMapper.shared().createGenerator(bytes)) {
            json.writeStartObject();
            view.writeFields(json, transaction.snapshot(), qrCodeImage);
            json.writeEndObject();
        }
        return bytes.toString(UTF_8);
    }
}
