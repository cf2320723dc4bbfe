package dev.ligeiro.desk.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.message.EventId;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** An operator's search over all merchants, by the API and by the box of every page, and what it shows of one transaction. */
@ExtendWith(SharedDesk.class)
class SearchIT {

    private static final String ALL = "/admin/transactions";

    private final RunningDesk desk;
    private final Api admin;
    private final Stored stored;
    private final Visitor visitor;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    SearchIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.stored = Stored.of(desk, "Café do Zé");
        this.visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
    }

    private Transaction cashin(Instant at) {
        TransactionId id = TransactionId.at(at);
        return Transactions.like(Transactions.cashin(id, new Amount(10_00)))
                .tenant(stored.tenant(Mode.TEST))
                .endToEndId(EndToEndId.generate("12345678", at, new Random()).value())
                .build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?id=x",
                "?id=019cd827-d553-7abc-9def-0123456789ab&reference=a",
                "?e2e_id=E1",
                "?document=1",
                "?reference=a&after=019cd827-d553-7abc-9def-0123456789ab",
                "?reference=a&merchant=019cd827-d553-7abc-9def-0123456789ab",
                "?name=Maria",
            })
    void aMalformedSearchIsRefused(String query) {
        admin.get(ALL + query).expectProblem(422, "validation_failed");
    }

    @Test
    void aTransactionIsFoundByItsIdReferenceAndEndToEndId() {
        Transaction transaction = cashin(now);
        stored.insert(transaction);
        String id = transaction.id().toString();
        String reference = transaction.terms().reference();
        String endToEndId = transaction.endToEndId();

        JsonNode byId = found("?id=" + id);

        assertThat(byId).hasSize(1);
        assertThat(byId.path(0).propertyNames())
                .containsExactly(
                        "id",
                        "merchant_id",
                        "merchant_number",
                        "merchant_name",
                        "mode",
                        "operation",
                        "status",
                        "amount",
                        "e2e_id",
                        "created_at");
        assertThat(byId.at("/0/merchant_id").asString())
                .isEqualTo(stored.merchantId().toString());
        assertThat(byId.at("/0/merchant_name").asString()).isEqualTo("Café do Zé");
        assertThat(byId.at("/0/amount").asString()).isEqualTo("10.00");
        assertThat(byId.at("/0/e2e_id").asString()).isEqualTo(endToEndId);
        assertThat(found("?reference=" + reference)).isEqualTo(byId);
        assertThat(found("?e2e_id=" + endToEndId)).isEqualTo(byId);
        assertThat(found("?reference=" + reference + "&merchant=" + stored.merchantId()))
                .isEqualTo(byId);
        String other = "&merchant=" + Stored.of(desk, "Another").merchantId();
        assertThat(found("?reference=" + reference + other)).isEmpty();
        assertThat(found("?e2e_id=" + endToEndId + other)).isEmpty();
        assertThat(found("?id=" + id + other)).isEmpty();
        assertThat(found("?id=" + UUID.randomUUID())).isEmpty();
    }

    @Test
    void transactionsOfAPayerAreFoundNewestFirstPageByPage() {
        Party payer = new Party("Ana", "ana@example.com", "+5511987654321", "39053344705");
        for (int i = 0; i < 102; i++) {
            stored.insert(Transactions.like(cashin(now.minusSeconds(i * 3_600)))
                    .payer(payer)
                    .build());
        }

        JsonNode first = admin.get(ALL + "?document=390.533.447-05").expect(200).json();
        JsonNode second =
                found("?document=39053344705&after=" + first.path("next_cursor").asString());

        assertThat(first.path("transactions")).hasSize(100);
        List<String> ids =
                new ArrayList<>(Stream.concat(first.path("transactions").valueStream(), second.valueStream())
                        .map(item -> item.path("id").asString())
                        .toList());
        assertThat(ids).hasSize(102).doesNotHaveDuplicates().isSortedAccordingTo(Comparator.reverseOrder());
    }

    @Test
    void aTransactionIsShownWithItsTimelineRailCallsAndDeliveriesButWithoutPersonalData() {
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://example.com/");
        RefundId refund = RefundId.at(now);
        Transaction transaction = cashin(now)
                .with(new Entry.StatusChanged(
                        Status.PAID,
                        now,
                        Source.RAIL,
                        null,
                        new Settlement("E9988776620260310143114railDEF1", now),
                        null))
                .with(new Entry.RefundRequested(refund, new Amount(5_00), Source.MERCHANT, "return-1", null, now, null))
                .with(RailCall.first(refund, now, now.plusSeconds(10)));
        stored.insert(transaction);
        DeliveryId delivery = new DeliveryId(endpoint.id(), new EventId(transaction.id(), 2));
        stored.insert(Deliveries.delivery(delivery, DeliveryStatus.EXHAUSTED));
        stored.insert(
                Deliveries.delivery(new DeliveryId(UUID.randomUUID(), delivery.eventId()), DeliveryStatus.EXHAUSTED));

        JsonNode shown = admin.get(ALL + "/" + transaction.id()).expect(200).json();

        assertThat(shown.path("merchant_id").asString())
                .isEqualTo(stored.merchantId().toString());
        assertThat(shown.path("e2e_id").asString()).isEqualTo("E9988776620260310143114railDEF1");
        assertThat(shown.path("timeline")
                        .valueStream()
                        .map(entry -> entry.path("entry").asString() + " "
                                + entry.path("source").asString()))
                .containsExactly("status_changed merchant", "status_changed rail", "refund_requested merchant");
        assertThat(shown.at("/refunds/0/status").asString()).isEqualTo("processing");
        assertThat(shown.at("/rail_calls/0/rail_id").asString())
                .isEqualTo(refund.toString().replace("-", ""));
        assertThat(shown.path("deliveries")).hasSize(1);
        assertThat(shown.at("/deliveries/0/endpoint").asString())
                .isEqualTo(endpoint.id().toString());
        assertThat(shown.at("/deliveries/0/attempts/0/status_code").asInt()).isEqualTo(500);
        assertThat(shown.at("/payer/document").asString()).isEqualTo("***725");
        assertThat(shown.toString())
                .doesNotContain(Transactions.PAYER.name())
                .doesNotContain(Transactions.PAYER.document())
                .doesNotContain(Transactions.PAYER.email())
                .doesNotContain(Transactions.PAYER.phone());
        admin.get(ALL + "/" + UUID.randomUUID()).expectProblem(404, "transaction_not_found");
        admin.get(ALL + "/x").expectProblem(404, "transaction_not_found");
    }

    /** It has the personal data that pages mask. */
    @Test
    void aBundleIsForThoseWhoDecideWhereMoneyGoes() {
        Transaction transaction = paid("11144477735");
        String bundle = "/" + transaction.id() + "/bundle";
        String page = "/console/transactions/" + transaction.id();
        Visitor operator = Visitor.signedIn(desk, RunningDesk.OPERATOR_TOKEN);

        for (Answer answer : List.of(admin.get(ALL + bundle), visitor.get("/console/transactions" + bundle))) {
            assertThat(answer.expect(200).header("Content-Type")).isEqualTo("application/zip");
            assertThat(answer.header("Content-Disposition"))
                    .isEqualTo("attachment; filename=\"transaction-" + transaction.id() + ".zip\"");
        }
        assertThat(visitor.get(page).body()).contains(page + "/bundle");
        assertThat(operator.get(page).body()).doesNotContain("/bundle");
        operator.get("/console/transactions" + bundle).expect(403);
        admin.withToken(RunningDesk.OPERATOR_TOKEN).get(ALL + bundle).expectProblem(403, "insufficient_role");
        admin.get(ALL + "/" + UUID.randomUUID() + "/bundle").expectProblem(404, "transaction_not_found");
    }

    @Test
    void aCashoutIsShownWithItsReservationAndItsMaskedKey() {
        Transaction cashout = Transactions.like(Transactions.cashout(TransactionId.at(now), new Amount(10_00)))
                .tenant(stored.tenant(Mode.LIVE))
                .build();
        stored.insert(cashout);
        stored.insert(
                CollectionNames.GUARD_TOTALS,
                new Document(GuardTotalsFields.ID, cashout.tenant().key())
                        .append(
                                GuardTotalsFields.RESERVED,
                                List.of(
                                        reserved(UUID.randomUUID(), 1),
                                        reserved(cashout.id().value(), 10_00))));

        JsonNode shown = admin.get(ALL + "/" + cashout.id()).expect(200).json();

        assertThat(shown.path("reserved").asString()).isEqualTo("10.25");
        assertThat(shown.at("/pix_key/value").asString()).isEqualTo("m***@example.com");
    }

    private static Document reserved(UUID id, long cents) {
        return new Document(GuardTotalsFields.ID, id)
                .append(GuardTotalsFields.CENTS, cents)
                .append(GuardTotalsFields.COMMISSION, 25L);
    }

    private JsonNode found(String query) {
        return admin.get(ALL + query).expect(200).json().path("transactions");
    }

    private Transaction paid(String document) {
        Transaction transaction = Transactions.like(Transactions.cashin(TransactionId.at(now), new Amount(123_45)))
                .tenant(stored.tenant(Mode.TEST))
                .payer(new Party("Bia Souza", "bia@example.com", "+5511987654321", document))
                .build()
                .moveTo(Status.PAID, now, Source.RAIL);
        stored.insert(transaction);
        return transaction;
    }

    /** What was entered goes into the body, and the answer leads to the result. */
    private String led(String text) {
        Answer entered = entered(text);
        String location = entered.expect(302).header("Location");
        return location.contains("/console/search?q=")
                ? visitor.get(path(location)).header("Location")
                : location;
    }

    private Answer entered(String text) {
        return visitor.send("/console/search", "q", text);
    }

    private static String path(String location) {
        return location.substring(location.indexOf("/console"));
    }

    @Test
    void idsLeadToTheirPages() {
        RefundId refund = RefundId.at(now);
        Transaction transaction = paid("52998224725")
                .with(new Entry.RefundRequested(refund, new Amount(1_00), Source.MERCHANT, null, null, now, null));
        stored.insert(transaction);
        stored.insert(
                CollectionNames.POSTINGS,
                new Document(PostingFields.ID, "refund_" + refund)
                        .append(
                                PostingFields.TRANSACTION_ID,
                                TransactionCodec.binary(transaction.id().value())));
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://bia.example/");
        String page = "/console/transactions/" + transaction.id();

        assertThat(led(transaction.id().toString())).endsWith(page);
        assertThat(led(" " + transaction.terms().reference() + " ")).endsWith(page);
        assertThat(led(new EventId(transaction.id(), 2).toString())).endsWith(page);
        assertThat(led(refund.toString())).endsWith(page);
        assertThat(led(stored.merchantId().toString())).endsWith("/console/merchants/" + stored.merchantId());
        assertThat(led(endpoint.id().toString())).endsWith("/endpoints/" + endpoint.id());
        assertThat(visitor.get("/console/search?q=" + UUID.randomUUID())
                        .expect(200)
                        .body())
                .contains("Nothing has been found.");
    }

    @Test
    void aKeyIsFoundByItsBeginningAndAWholeOneOnlyInABody() {
        Answer made = admin.post("/admin/merchants/" + stored.merchantId() + "/keys", "{\"mode\":\"test\"}")
                .expect(201);
        String key = made.text("key");
        String page = "/console/keys/" + made.text("id");

        assertThat(led(made.text("prefix"))).endsWith(page);
        assertThat(entered(key).expect(302).header("Location")).endsWith(page).doesNotContain(key);
        Answer inAddress = visitor.get("/console/search?q=" + key).expect(302);
        assertThat(visitor.get(path(inAddress.header("Location"))).expect(200).body())
                .contains("must not be in an address")
                .doesNotContain(key);
        assertThat(entered(ApiKey.generate(Mode.LIVE)).expect(200).body()).contains("There is no such key.");
    }

    /** Did this payer pay: the document, the transaction. */
    @Test
    void aPayersTransactionsAreListedAndEachShowsWhatHappened() {
        Transaction transaction = paid("11144477735");
        paid("11144477735");
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://bia.example/");
        DeliveryId delivery = new DeliveryId(endpoint.id(), new EventId(transaction.id(), 2));
        stored.insert(Deliveries.delivery(delivery, DeliveryStatus.EXHAUSTED));
        String page = "/console/transactions/" + transaction.id();

        String list =
                visitor.get("/console/search?q=111.444.777-35").expect(200).body();
        String shown = visitor.get(page).expect(200).body();

        assertThat(list)
                .contains("href=\"" + page + "\"", "R$\u00a0123.45", "Paid")
                .doesNotContain("Bia Souza");
        assertThat(shown)
                .contains("Cashin of R$\u00a0123.45", "the rail", "B*** S*** · ***735", "Café do Zé")
                .contains("Rejected (500)", "/deliveries/" + delivery.text(), "Send again")
                .doesNotContain("Bia Souza", "bia@example.com", "11144477735");
        assertThat(visitor.speaking("pt-BR").get(page).body()).contains("de R$\u00a0123,45", "a rede de pagamento");
    }

    @Test
    void aCashoutThatWaitsIsDecidedOnItsPage() {
        Transaction waiting = Transactions.like(Transactions.cashout(TransactionId.at(now), new Amount(10_00)))
                .tenant(stored.tenant(Mode.LIVE))
                .build()
                .with(new Entry.StatusChanged(
                        Status.IN_ANALYSIS, now, Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null));
        stored.insert(waiting);
        String page = "/console/transactions/" + waiting.id();

        assertThat(visitor.get(page).expect(200).body())
                .contains("/console/do/approvals/approve?transaction_id=" + waiting.id(), "approval required");
        assertThat(Visitor.signedIn(desk, RunningDesk.READER_TOKEN)
                        .get(page)
                        .expect(200)
                        .body())
                .doesNotContain("/console/do/approvals/approve");
        assertThat(visitor.get("/console/transactions/" + UUID.randomUUID()).status())
                .isEqualTo(404);
    }
}
