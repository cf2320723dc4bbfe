package dev.ligeiro.desk.money;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The lists of open work about money: unknown outcomes, unmatched payments, breaks. */
@ExtendWith(SharedDesk.class)
class WaitingIT {

    private static final String REASON = "{\"reason\":\"a test payment of the bank\"}";

    private final RunningDesk desk;
    private final Stored stored;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final String rail = "bank-" + Long.toHexString(System.nanoTime());

    WaitingIT(RunningDesk desk) {
        this.desk = desk;
        this.stored = Stored.of(desk);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unsettled?page=1",
                "unmatched-payments?page=1",
                "unsettled?older_than=-1",
                "unsettled?older_than=1h",
                "unsettled?older_than=1.5",
                "unsettled?older_than=1000000000",
                "unsettled?older_than=1&older_than=2",
                "unsettled?after=019cd827-d553-7abc-9def-0123456789ab",
                "unsettled?after=1773153015123-",
                "unsettled?after=1773153015123-1",
                "unsettled?after=x-019cd827-d553-7abc-9def-0123456789ab",
                "unmatched-payments?older_than=1",
                "unmatched-payments?e2e_id=E1&state=open",
                "unmatched-payments?after=simulator/E1",
                "unmatched-payments?after=1-",
                "breaks?page=1",
                "breaks?kind=x",
                "breaks?state=x",
                "breaks?after=1-x",
                "breaks?rail=a&rail=b",
            })
    void aMalformedParameterIsRefused(String query) {
        desk.admin().get("/admin/" + query).expectProblem(422, "validation_failed");
    }

    @Test
    void transactionsWithAnUnknownOutcomeAreListedPageByPageTheLongestUnknownFirst() {
        Instant oldest = now.minus(Duration.ofDays(1_000));
        List<Transaction> unsettled = IntStream.range(0, 150)
                .mapToObj(i -> Stored.unknown(oldest.plusSeconds(i / 2)))
                .toList();
        unsettled.forEach(stored::insert);
        stored.insert(Stored.unknown(now.minusSeconds(5)));
        String path = "/admin/unsettled?older_than=" + Duration.ofDays(900).toSeconds();

        // behind the transactions of other tests
        PageCursor begin = new PageCursor(oldest.minusMillis(1), Transactions.ID.toString());
        JsonNode first = desk.admin().get(path + "&after=" + begin).expect(200).json();
        String cursor = first.path("next_cursor").asString();
        JsonNode second =
                desk.admin().get(path + "&after=" + cursor).expect(200).json();

        assertThat(first.path("unsettled")).hasSize(100);
        assertThat(second.path("unsettled")).hasSize(50);
        assertThat(second.path("next_cursor").isNull()).isTrue();
        List<JsonNode> all = Stream.of(first, second)
                .flatMap(page -> page.path("unsettled").valueStream())
                .toList();
        assertThat(all.stream().map(item -> Instant.parse(item.path("since").asString())))
                .isSorted();
        assertThat(all.stream().map(item -> item.path("id").asString()))
                .containsExactlyInAnyOrderElementsOf(
                        unsettled.stream().map(one -> one.id().toString()).toList());
    }

    @Test
    void aDamagedTransactionIsLeftOut() {
        Instant asked = now.minus(Duration.ofDays(1_500));
        Transaction damaged = Stored.unknown(asked);
        Transaction other = Stored.unknown(asked.plusSeconds(1));
        stored.insert(damaged);
        stored.insert(other);
        stored.distort(damaged, Updates.set(TransactionFields.RAIL_CALLS, "lost"));

        // behind the transactions of other tests
        PageCursor begin = new PageCursor(asked.minusMillis(1), Transactions.ID.toString());
        JsonNode list = desk.admin()
                .get("/admin/unsettled?older_than=" + Duration.ofDays(1_400).toSeconds() + "&after=" + begin)
                .expect(200)
                .json();

        assertThat(list.path("unsettled").valueStream().map(item -> item.path("id")
                        .asString()))
                .containsExactly(other.id().toString());
    }

    @Test
    void anItemShowsItsCallsAndNoPersonalData() {
        Instant asked = now.minus(Duration.ofDays(2_000));
        Transaction cashin =
                Transactions.cashin(TransactionId.at(asked), new Amount(10_00)).moveTo(Status.PAID, asked, Source.RAIL);
        RefundId refund = RefundId.at(asked);
        stored.insert(cashin.with(
                        new Entry.RefundRequested(refund, new Amount(5_00), Source.MERCHANT, null, null, asked, null))
                .with(new RailCall(
                        refund,
                        2,
                        true,
                        false,
                        asked.plusSeconds(60),
                        null,
                        3,
                        null,
                        null,
                        null,
                        null,
                        false,
                        asked.plusSeconds(90),
                        UUID.randomUUID())));

        JsonNode list = desk.admin()
                .get("/admin/unsettled?older_than=" + Duration.ofDays(1_900).toSeconds())
                .expect(200)
                .json();

        JsonNode item = list.path("unsettled").path(0);
        assertThat(item.path("age_seconds").asLong())
                .isGreaterThanOrEqualTo(Duration.ofDays(2_000).toSeconds());
        assertThat(item.path("merchant_number").asLong()).isEqualTo(7);
        ((ObjectNode) item).remove(List.of("age_seconds", "merchant_id", "merchant_number", "merchant_name"));
        assertThat(item)
                .hasToString(("{\"id\":\"%s\",\"mode\":\"test\",\"operation\":\"cashin\",\"status\":\"paid\","
                                + "\"amount\":\"10.00\",\"e2e_id\":\"%s\",\"created_at\":\"%s\",\"rail\":\"simulator\","
                                + "\"since\":\"%s\",\"calls\":[{\"refund_id\":\"%s\",\"since\":\"%s\",\"submissions\":2,"
                                + "\"inquiries\":3,\"due_at\":\"%s\"}]}")
                        .formatted(
                                cashin.id(),
                                cashin.endToEndId(),
                                asked,
                                asked,
                                refund,
                                asked.plusSeconds(60),
                                asked.plusSeconds(90)));
    }

    @Test
    void unmatchedPaymentsAreListedTheOldestFirstWithReasonAndAge() {
        Instant oldest = now.minus(Duration.ofDays(1_000));
        for (int i = 0; i < 101; i++) {
            // every second one without an amount
            Document payment = Stored.unmatched(
                    "simulator/E" + (100 + i), Transactions.ID, oldest.plusSeconds(i), i % 2 == 0 ? 1_234L : null);
            stored.insert(CollectionNames.UNMATCHED_PAYMENTS, payment);
        }

        JsonNode first =
                desk.admin().get("/admin/unmatched-payments").expect(200).json();
        String cursor = first.path("next_cursor").asString();
        JsonNode second = desk.admin()
                .get("/admin/unmatched-payments?after=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8))
                .expect(200)
                .json();

        assertThat(first.path("unmatched_payments")).hasSize(100);
        // then those of other tests
        assertThat(second.path("unmatched_payments").path(0).path("id").asString())
                .isEqualTo("simulator/E200");
        assertThat(second.path("next_cursor").isNull()).isTrue();
        JsonNode item = first.path("unmatched_payments").path(0);
        assertThat(item.toString())
                .contains("\"id\":\"simulator/E100\"", "\"rail\":\"simulator\"", "\"end_to_end_id\":\"E100\"")
                .contains("\"transaction_id\":\"" + Transactions.ID, "\"amount\":\"12.34\"", "\"at\":\"" + oldest)
                .contains("\"reason\":\"paid_after_its_end\"");
        assertThat(item.path("age_seconds").asLong())
                .isGreaterThanOrEqualTo(Duration.ofDays(1_000).toSeconds());
        assertThat(first.path("unmatched_payments").path(1).path("amount").isNull())
                .isTrue();
        JsonNode named = desk.admin()
                .get("/admin/unmatched-payments?e2e_id=E100")
                .expect(200)
                .json();
        assertThat(named.path("unmatched_payments")).hasSize(1);
        assertThat(named.at("/unmatched_payments/0/id").asString()).isEqualTo("simulator/E100");
    }

    @Test
    void breaksAreListedTheOldestFirstPageByPage() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            ids.add(storeBreak(i == 3 ? BreakKind.TWICE : BreakKind.AMOUNT, now.minusSeconds(1_000 - i / 2)));
        }

        JsonNode first = breaks("");
        JsonNode second = breaks("&after=" + first.path("next_cursor").asString());

        List<String> found = new ArrayList<>();
        first.path("breaks").forEach(item -> found.add(item.path("id").asString()));
        second.path("breaks").forEach(item -> found.add(item.path("id").asString()));
        assertThat(found).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(second.path("next_cursor").isNull()).isTrue();
        assertThat(breaks("&kind=twice").path("breaks")).hasSize(1);
        assertThat(breaks("&state=closed").path("breaks")).isEmpty();
        JsonNode item = first.path("breaks").path(0);
        assertThat(item.path("age_seconds").asLong()).isGreaterThanOrEqualTo(1_000);
        assertThat(item.toString())
                .contains(
                        "\"our_amount\":\"-7.05\"", "\"their_amount\":null", "\"rail_id\":\"E1\"", "\"mode\":\"test\"")
                .contains("\"day\":\"2026-11-27\"", "\"merchant_number\":7", "\"transaction_id\":\"" + Transactions.ID);
    }

    @Test
    void anOperatorClosesABreakOnceWithAReason() {
        String id = storeBreak(BreakKind.MISSING_HERE, now.minus(Duration.ofHours(3)));
        String path = "/admin/breaks/" + id + "/close";

        desk.admin().post(path, "{}").expectProblem(422, "validation_failed");
        JsonNode closed = desk.admin().post(path, REASON).expect(200).json();
        desk.admin().post(path, REASON).expectProblem(404, "not_found");
        desk.admin()
                .post("/admin/breaks/" + UUID.randomUUID() + "/close", REASON)
                .expectProblem(404, "not_found");
        desk.admin().post("/admin/breaks/x/close", REASON).expectProblem(404, "not_found");

        assertThat(closed.path("closed_by").asString()).isNotEmpty();
        assertThat(closed.path("reason").asString()).isEqualTo("a test payment of the bank");
        assertThat(breaks("").path("breaks")).isEmpty();
        JsonNode listed = breaks("&state=closed").path("breaks").path(0);
        assertThat(listed.path("closed_at")).isEqualTo(closed.path("closed_at"));
    }

    private JsonNode breaks(String more) {
        return desk.admin().get("/admin/breaks?rail=" + rail + more).expect(200).json();
    }

    private String storeBreak(BreakKind kind, Instant since) {
        UUID id = UUID.randomUUID();
        stored.insert(
                CollectionNames.BREAKS,
                new Document(BreakFields.ID, id)
                        .append(BreakFields.RAIL, rail)
                        .append(BreakFields.DAY, "2026-11-27")
                        .append(BreakFields.KIND, kind.code())
                        .append(BreakFields.RAIL_ID, "E1")
                        .append(BreakFields.OURS, -705L)
                        .append(BreakFields.TRANSACTION_ID, Transactions.ID.value())
                        .append(BreakFields.TENANT, 14L)
                        .append(BreakFields.SINCE, Date.from(since))
                        .append(BreakFields.OPEN, true));
        return id.toString();
    }
}
