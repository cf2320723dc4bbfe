package dev.ligeiro.gateway.api.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Updates;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.Topics;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Balance and statement over HTTP. The test writes the books, as a processor does. */
class StatementIT extends WithGateway {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    private final LocalDate day =
            LocalDate.ofInstant(gateway.clock().instant(), ZONE).minusDays(2);

    @BeforeEach
    void createTopics() {
        TestTopics.create(Topics.EVENTS, 2);
    }

    @Test
    void aMerchantWithoutTransactionsHasNothing() {
        JsonNode balance = merchant.api().get("/api/v1/balance").expect(200).json();
        JsonNode statement = get("").expect(200).json();

        assertThat(balance.toString())
                .isEqualTo(
                        """
                        {"balance":"0.00","available":"0.00","cashouts_in_flight":"0.00","refunds_in_flight":"0.00","blocked":"0.00","as_of":""}""");
        assertThat(statement.toString())
                .isEqualTo(
                        """
                        {"opening_balance":"0.00","closing_balance":"0.00","final":false,"entries":[],"next_cursor":null}""");
    }

    @Test
    void aStatementHasTheEntriesOfItsDaysInTheirOrder() {
        post(day.minusDays(1), "23:59:59", "cashin", 10_000, -151);
        post(day, "00:00:00", "cashout", -2_000, -151);
        post(day, "23:59:59", "refund", -300, 0);
        post(day.plusDays(1), "00:00:00", "cashin", 5_000, -151);

        JsonNode statement =
                get("?initial_date=" + day + "&final_date=" + day).expect(200).json();

        assertThat(statement.path("opening_balance").stringValue()).isEqualTo("98.49");
        assertThat(statement.path("closing_balance").stringValue()).isEqualTo("73.98");
        assertThat(statement.path("entries").valueStream().map(StatementIT::text))
                .containsExactly(
                        day + " 00:00:00 cashout -20.00 -1.51 -21.51 76.98",
                        day + " 23:59:59 refund -3.00 0.00 -3.00 73.98");
        assertThat(merchant.api().get("/api/v1/balance").expect(200).text("balance"))
                .isEqualTo("122.47");
    }

    /** A reservation takes nothing more from the balance once its cashout is in it. */
    @Test
    void whatIsReservedAndNotInTheBalanceIsNotAvailable() {
        Tenant tenant = merchant.tenant();
        post(day, "10:00:00", "cashin", 10_151, -151);
        TransactionId lacking = post(day, "11:00:00", "cashout", -2_000, -151, 8);
        TransactionId included = post(day, "11:00:01", "cashout", -1_000, -151, 7);
        stored.set(
                CollectionNames.BALANCES,
                BalanceFields.id(tenant),
                Updates.set(BalanceFields.APPLIED + ".topic_1", 7L));
        stored.insert(CollectionNames.GUARD_TOTALS, reserved(tenant, lacking, included));
        assertThat(merchant.api().get("/api/v1/balance").expect(200).text("available"))
                .isEqualTo("66.98");

        ConsumerGroups.passAll("ligeiro-books", Topics.EVENTS);
        stored.insert(
                CollectionNames.GUARDS,
                new Document(GuardDocument.ID, tenant.key())
                        .append(GuardDocument.FUNDS_CHECK, true)
                        .append(GuardDocument.TOTALS_SINCE, Date.from(Instant.EPOCH)));

        JsonNode balance = merchant.api().get("/api/v1/balance").expect(200).json();
        assertThat(balance.path("balance").stringValue()).isEqualTo("66.98");
        assertThat(balance.path("available").stringValue()).isEqualTo("61.97");
    }

    /** Of 4.00 and 5.00, both with a commission of 0.01. */
    private static Document reserved(Tenant tenant, TransactionId five, TransactionId four) {
        return new Document(GuardTotalsFields.ID, tenant.key())
                .append(GuardTotalsFields.SINCE, new Date(Long.MAX_VALUE))
                .append(GuardTotalsFields.FUNDS_CHECKED, true)
                .append(
                        GuardTotalsFields.RESERVED,
                        List.of(
                                new Document(GuardTotalsFields.ID, TransactionCodec.binary(five.value()))
                                        .append(GuardTotalsFields.CENTS, 500L)
                                        .append(GuardTotalsFields.COMMISSION, 1L),
                                new Document(GuardTotalsFields.ID, TransactionCodec.binary(four.value()))
                                        .append(GuardTotalsFields.CENTS, 400L)
                                        .append(GuardTotalsFields.COMMISSION, 1L)));
    }

    private static String text(JsonNode entry) {
        return String.join(
                " ",
                List.of("date_created", "type", "gross", "commission", "net", "balance").stream()
                        .map(field -> entry.path(field).stringValue())
                        .toList());
    }

    @Test
    void pagesContinueWithTheBalanceAndTheExportHasTheSameRows() {
        for (int i = 0; i < 250; i++) {
            post(day, "12:00:00", "cashin", 100, -1);
        }
        String days = "?initial_date=" + day + "&final_date=" + day;
        List<String> rows = new ArrayList<>();
        JsonNode page;
        String after = "";
        do {
            page = get(days + after).expect(200).json();
            page.path("entries").forEach(entry -> rows.add(entry.path("id").stringValue() + " " + text(entry)));
            after = "&after=" + page.path("next_cursor").asString("");
        } while (!page.path("next_cursor").isNull());
        String csv =
                merchant.api().get("/api/v1/statement.csv" + days).expect(200).body();

        assertThat(rows).hasSize(250).doesNotHaveDuplicates();
        assertThat(rows.get(249)).endsWith(" 247.50");
        assertThat(page.path("closing_balance").stringValue()).isEqualTo("247.50");
        List<String> lines = csv.lines().toList();
        assertThat(lines).hasSize(250 + 3);
        assertThat(lines.get(0)).isEqualTo("id,date_created,transaction_id,type,gross,commission,net,balance");
        assertThat(lines.get(1)).isEqualTo("," + day + " 00:00:00,,opening_balance,,,,0.00");
        assertThat(lines.get(251)).endsWith(",cashin,1.00,-0.01,0.99,247.50");
        assertThat(lines.get(252)).contains(",,closing_balance").endsWith(",,,,247.50");
        String ofx =
                merchant.api().get("/api/v1/statement.ofx" + days).expect(200).body();
        String camt =
                merchant.api().get("/api/v1/statement.xml" + days).expect(200).body();
        assertThat(ofx).contains("<BALAMT>247.50</BALAMT>");
        assertThat(rows).allSatisfy(row -> {
            String id = row.substring(0, row.indexOf(' '));
            assertThat(ofx).containsOnlyOnce("<FITID>" + id + "</FITID>");
            assertThat(camt).containsOnlyOnce("id " + id + ",");
        });
    }

    @Test
    void anEntryHasTheEndToEndIdOfItsPayment() {
        TransactionId posted = post(day, "12:00:00", "cashin", 15_075, -151);
        Transaction made = stored.find(merchant.created(merchant.cashin()));
        Transaction like =
                Transactions.like(made).createdAs(posted).reference(null).build();
        Settlement settlement = new Settlement("E60701190202611211331aB3dE5fG7hK", posted.createdAt());
        stored.insert(List.of(like.with(
                new Entry.StatusChanged(Status.PAID, posted.createdAt(), Source.RAIL, null, settlement, null))));

        // operators have credited another payment to it
        String credited = "E60701190202611211332aB3dE5fG7hL";
        TransactionId adjusted = post(day, "12:01:00", "adjustment", 100, 0);
        stored.remove(CollectionNames.POSTINGS, "evt_" + adjusted.hex() + "_2");
        stored.insert(
                CollectionNames.POSTINGS,
                new Document(PostingFields.ID, "resolution_bank/" + credited + "/0a1b2c3d")
                        .append(PostingFields.TENANT, merchant.tenant().key())
                        .append(PostingFields.AT, Date.from(adjusted.createdAt()))
                        .append(PostingFields.TRANSACTION_ID, TransactionCodec.binary(posted.value()))
                        .append(PostingFields.TYPE, "adjustment")
                        .append(PostingFields.GROSS, 100L));

        assertThat(get(".ofx?initial_date=" + day).expect(200).body())
                .containsOnlyOnce("<REFNUM>" + settlement.endToEndId() + "</REFNUM>")
                .containsOnlyOnce("<REFNUM>" + credited + "</REFNUM>");
        assertThat(get(".xml?initial_date=" + day).expect(200).body())
                .containsOnlyOnce("<EndToEndId>" + settlement.endToEndId() + "</EndToEndId>")
                .containsOnlyOnce("<EndToEndId>" + credited + "</EndToEndId>");
    }

    @Test
    void eachMerchantAndModeHasItsOwnBooks() {
        post(day, "12:00:00", "cashin", 100, -1);

        for (TestMerchant other : List.of(gateway.newMerchant(), merchant.live())) {
            assertThat(other.api().get("/api/v1/balance").expect(200).text("balance"))
                    .isEqualTo("0.00");
            assertThat(other.api()
                            .get("/api/v1/statement?initial_date=" + day)
                            .expect(200)
                            .json()
                            .path("entries"))
                    .isEmpty();
        }
    }

    @Test
    void aDayIsFinalAnHourAfterItsEndWhenTheBooksHaveAllEvents() {
        ConsumerGroups.passAll("ligeiro-processor", Topics.COMMANDS);
        ConsumerGroups.passAll("ligeiro-books", Topics.EVENTS);

        assertThat(isFinal(LocalDate.ofInstant(gateway.clock().instant(), ZONE)))
                .isFalse();
        await().atMost(TIMEOUT).until(() -> isFinal(day));
    }

    private boolean isFinal(LocalDate date) {
        return get("?initial_date=" + date).expect(200).json().path("final").booleanValue();
    }

    @Test
    void badDaysAreRefused() {
        LocalDate tomorrow =
                LocalDate.ofInstant(gateway.clock().instant(), ZONE).plusDays(2);
        for (String query : List.of(
                "initial_date=" + day + "&final_date=" + day.minusDays(1),
                "initial_date=" + tomorrow,
                "initial_date=" + day.minusYears(2) + "&final_date=" + day)) {
            assertThat(get("?" + query).expectProblem(422, "validation_failed").fieldErrors())
                    .contains("initial_date:invalid");
        }
    }

    private Answer get(String query) {
        return merchant.api().get("/api/v1/statement" + query);
    }

    private TransactionId post(LocalDate date, String time, String type, long gross, long commission) {
        return post(date, time, type, gross, commission, 0);
    }

    private TransactionId post(LocalDate date, String time, String type, long gross, long commission, long offset) {
        Instant at = date.atTime(LocalTime.parse(time)).atZone(ZONE).toInstant();
        return stored.post(merchant, at, type, gross, commission, offset);
    }
}
