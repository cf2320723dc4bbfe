package dev.ligeiro.gateway.operator.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.message.EventId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** An operator's search over all merchants, and what it shows of one transaction. */
@ExtendWith(SharedGateway.class)
class SearchIT {

    private static final String ALL = "/admin/transactions";

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final StoredWebhooks stored;

    SearchIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.stored = new StoredWebhooks(gateway.database());
    }

    @AfterEach
    void close() {
        stored.close();
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
        gateway.admin().get(ALL + query).expectProblem(422, "validation_failed");
    }

    @Test
    void aTransactionIsFoundByItsIdReferenceAndEndToEndId() {
        String reference = "order-" + UUID.randomUUID().toString().substring(0, 8);
        String id = merchant.created(merchant.cashin().put("reference", reference));
        String endToEndId = stored.find(id).endToEndId();

        JsonNode byId = found("?id=" + id);

        assertThat(byId).hasSize(1);
        JsonNode item = byId.path(0);
        assertThat(item.propertyNames())
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
        assertThat(item.path("merchant_id").asString()).isEqualTo(merchant.id());
        assertThat(item.path("merchant_name").asString()).isEqualTo("Café do Zé");
        assertThat(item.path("status").asString()).isEqualTo("pending");
        assertThat(item.path("e2e_id").asString()).isEqualTo(endToEndId);
        assertThat(found("?reference=" + reference)).isEqualTo(byId);
        assertThat(found("?e2e_id=" + endToEndId)).isEqualTo(byId);
        assertThat(found("?reference=" + reference + "&merchant=" + merchant.id()))
                .isEqualTo(byId);
        String other = "&merchant=" + gateway.newMerchant().id();
        assertThat(found("?reference=" + reference + other)).isEmpty();
        assertThat(found("?e2e_id=" + endToEndId + other)).isEmpty();
        assertThat(found("?id=" + id + other)).isEmpty();
        assertThat(found("?id=" + UUID.randomUUID())).isEmpty();
        assertThat(found("?e2e_id=" + endToEndId.substring(0, 31) + (endToEndId.endsWith("0") ? '1' : '0')))
                .isEmpty();
    }

    /** More merchants than one query merges in the order of their ids. */
    @Test
    void transactionsOfAPayerAreFoundNewestFirstPageByPage() {
        String document = "39053344705";
        for (int i = 0; i < 101; i++) {
            merchant.created(merchant.cashin().put("document", document));
        }
        TestMerchant other = gateway.newMerchant();
        String newest = other.created(other.cashin().put("document", document));

        JsonNode first = gateway.admin()
                .get(ALL + "?document=390.533.447-05")
                .expect(200)
                .json();
        JsonNode second = found(
                "?document=" + document + "&after=" + first.path("next_cursor").asString());

        assertThat(first.path("transactions")).hasSize(100);
        List<String> ids = Stream.concat(first.path("transactions").valueStream(), second.valueStream())
                .map(item -> item.path("id").asString())
                .toList();
        assertThat(ids)
                .hasSize(102)
                .doesNotHaveDuplicates()
                .contains(newest)
                .isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(found("?document=" + document + "&merchant=" + other.id())).hasSize(1);
    }

    @Test
    void aTransactionIsShownWithItsTimelineRailCallsAndDeliveriesButWithoutPersonalData() {
        TestEndpoint endpoint = TestEndpoint.of(merchant);
        TestEndpoint otherEndpoint = TestEndpoint.of(gateway.newMerchant());
        String id = merchant.created(merchant.cashin());
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        RefundId refund = RefundId.at(now);
        stored.replace(stored.find(id)
                .with(new Entry.StatusChanged(
                        Status.PAID,
                        now,
                        Source.RAIL,
                        null,
                        new Settlement("E9988776620260310143114railDEF1", now),
                        null))
                .with(new Entry.RefundRequested(refund, new Amount(5_00), Source.MERCHANT, "return-1", null, now, null))
                .with(RailCall.first(refund, now, now.plusSeconds(10))));
        DeliveryId delivery = new DeliveryId(
                endpoint.id(), new EventId(TransactionId.parse(id).orElseThrow(), 2));
        stored.insert(Deliveries.delivery(delivery, DeliveryStatus.EXHAUSTED));
        stored.insert(
                Deliveries.delivery(new DeliveryId(otherEndpoint.id(), delivery.eventId()), DeliveryStatus.EXHAUSTED));

        JsonNode shown = gateway.admin().get(ALL + "/" + id).expect(200).json();

        assertThat(shown.path("merchant_id").asString()).isEqualTo(merchant.id());
        assertThat(shown.path("e2e_id").asString()).isEqualTo("E9988776620260310143114railDEF1");
        assertThat(shown.path("timeline")
                        .valueStream()
                        .map(entry -> entry.path("entry").asString() + " "
                                + entry.path("source").asString()))
                .containsExactly("status_changed merchant", "status_changed rail", "refund_requested merchant");
        assertThat(shown.at("/refunds/0/status").asString()).isEqualTo("processing");
        assertThat(shown.at("/rail_calls/0/rail_id").asString())
                .isEqualTo(refund.toString().replace("-", ""));
        assertThat(shown.at("/rail_calls/0/submissions").asInt()).isEqualTo(1);
        assertThat(shown.path("deliveries")).hasSize(1);
        assertThat(shown.at("/deliveries/0/endpoint").asString())
                .isEqualTo(endpoint.id().toString());
        assertThat(shown.at("/deliveries/0/attempts/0/status_code").asInt()).isEqualTo(500);
        assertThat(shown.at("/payer/document").asString()).isEqualTo("***725");
        Transaction transaction = stored.find(id);
        assertThat(shown.toString())
                .doesNotContain(transaction.terms().payer().name())
                .doesNotContain(transaction.terms().payer().document())
                .doesNotContain(transaction.terms().payer().email())
                .doesNotContain(transaction.terms().payer().phone());
        gateway.admin().get(ALL + "/" + UUID.randomUUID()).expectProblem(404, "transaction_not_found");
        gateway.admin().get(ALL + "/x").expectProblem(404, "transaction_not_found");
    }

    @Test
    void aCashoutIsShownWithItsReservationAndItsMaskedKey() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Transaction cashout = Transactions.cashout(TransactionId.at(now), new Amount(10_00));
        stored.insert(List.of(cashout));
        stored.insert(
                CollectionNames.GUARD_TOTALS,
                new Document(GuardTotalsFields.ID, cashout.tenant().key())
                        .append(
                                GuardTotalsFields.RESERVED,
                                List.of(
                                        reserved(UUID.randomUUID(), 1),
                                        reserved(cashout.id().value(), 10_00))));
        try {
            JsonNode shown =
                    gateway.admin().get(ALL + "/" + cashout.id()).expect(200).json();

            assertThat(shown.path("reserved").asString()).isEqualTo("10.25");
            assertThat(shown.at("/pix_key/value").asString()).isEqualTo("m***@example.com");
        } finally {
            stored.remove(CollectionNames.GUARD_TOTALS, cashout.tenant().key());
        }
    }

    private static Document reserved(UUID id, long cents) {
        return new Document(GuardTotalsFields.ID, id)
                .append(GuardTotalsFields.CENTS, cents)
                .append(GuardTotalsFields.COMMISSION, 25L);
    }

    private JsonNode found(String query) {
        return gateway.admin().get(ALL + query).expect(200).json().path("transactions");
    }
}
