package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** 250 transactions of one merchant, cashins and cashouts mixed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListPagingIT extends WithGateway {

    private static final int TRANSACTIONS = 250;

    private final List<String> ids;

    ListPagingIT() {
        List<CompletableFuture<Answer>> calls = IntStream.range(0, TRANSACTIONS)
                .mapToObj(i -> i % 2 == 0
                        ? merchant.api().postAsync(CASHIN, merchant.cashin())
                        : merchant.api().postAsync(CASHOUT, merchant.cashout()))
                .toList();
        this.ids = calls.stream()
                .map(CompletableFuture::join)
                .map(Answer::transactionId)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    @Test
    void theHighestPageNumberOfARequestHasANextPage() {
        String url = ALL + "?page=999999999&after=" + ids.get(9);

        JsonNode page = merchant.api().get(url).expect(200).json();

        JsonNode next = merchant.api()
                .get(page.path("next_page_url").stringValue())
                .expect(200)
                .json();
        assertThat(next.path("transactions").get(0).path("id").stringValue()).isEqualTo(ids.get(110));
    }

    @Test
    void itemsAreWholeTransactions() {
        JsonNode items = merchant.api().get(ALL).expect(200).json().path("transactions");

        for (String operation : List.of("cashin", "cashout")) {
            JsonNode item = items.valueStream()
                    .filter(each -> each.path("operation").stringValue().equals(operation))
                    .findFirst()
                    .orElseThrow();
            String id = item.path("id").stringValue();
            assertThat(item).isEqualTo(merchant.api().get(TestMerchant.ONE + id).transaction());
            assertThat(item.has("qr_code_image")).isEqualTo(operation.equals("cashin"));
        }
    }

    @Test
    void aPagePastTheEndIsEmpty() {
        for (String page : List.of("4", "999999999")) {
            JsonNode past =
                    merchant.api().get(ALL + "?page=" + page).expect(200).json();

            assertThat(past.path("transactions").isArray()).isTrue();
            assertThat(past.path("transactions").size()).isZero();
            assertThat(past.path("current_page").asInt()).isEqualTo(Integer.parseInt(page));
            assertThat(past.path("last_page").asInt()).isEqualTo(3);
            assertThat(past.path("total").asInt()).isEqualTo(TRANSACTIONS);
            assertThat(past.path("next_page_url").isNull()).isTrue();
        }
    }

    @Test
    void theNextPageFollowsTheHostOfTheRequest() {
        Api elsewhere = new Api("http://127.0.0.1:" + gateway.port(), merchant.key());

        assertThat(elsewhere.get(ALL).expect(200).text("next_page_url"))
                .isEqualTo("http://127.0.0.1:" + gateway.port() + ALL + "?after=" + ids.get(99) + "&page=2");
    }

    /** One of them has been written by a newer version, say. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?status=pending&name_document=zoe"})
    void aTransactionThatCannotBeDecodedIsLeftOutAndItsNeighboursAreShown(String filter) {
        TestMerchant owner = gateway.newMerchant();
        List<String> all =
                IntStream.range(0, 150).mapToObj(i -> owner.api().postAsync(CASHIN, owner.cashin())).toList().stream()
                        .map(CompletableFuture::join)
                        .map(Answer::transactionId)
                        .sorted(Comparator.reverseOrder())
                        .toList();
        String undecodable = all.get(50);
        try (CapturedLogs logs = new CapturedLogs()) {
            stored.distort(stored.find(undecodable), Updates.set(TransactionFields.OPERATION, "melted"));

            assertThat(idsOfAllPages(owner, filter))
                    .containsExactlyElementsOf(
                            all.stream().filter(id -> !id.equals(undecodable)).toList());
            idsOfAllPages(owner, filter);

            assertThat(logs.errors())
                    .singleElement()
                    .asString()
                    .contains(undecodable)
                    .doesNotContain("melted");
        }
    }

    /** Of the three months, MongoDB has the second one; the kept counts have the others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                ";                                                   9; 3; 2020-03-31 21:00:00",
                "?status=paid;                                       5; 0; 2020-03-31 21:00:00",
                "?status=paid&operation=cashin;                      4; 0; 2020-03-31 21:00:00",
                "?platform=%s;                                       9; 3; 2020-03-31 21:00:00",
                "?name_document=silva;                               0; 0; 2020-03-31 21:00:00",
                "?amount_min=0.01;                                   3; 3; 2020-03-31 21:00:00",
                "?identifier=01779a5e-8c00-7000-8000-000000000000;   0; 0; 2020-03-31 21:00:00",
                "?reference=february;                                1; 1; 2020-03-31 21:00:00",
                "?reference=march;                                   0; 0; 2020-03-31 21:00:00",
                "?final_date=2020-03-31;                             7; 1; 2020-03-31 21:00:00",
                "?initial_date=2020-02-01&final_date=2020-02-28;     1; 1;",
                "?initial_date=2020-02-01&final_date=2020-02-29;     1; 1; 2020-03-31 21:00:00",
                "?initial_date=2020-01-15&final_date=2020-02-28;     2; 1; 2020-01-31 21:00:00",
                "?initial_date=2020-01-16&final_date=2020-01-20;     0; 0; 2020-01-31 21:00:00",
                "?initial_date=2020-04-01;                           2; 2;",
            })
    void aListSaysFromWhenItAnswersAndItsTotalHasArchivedMonths(
            @Nullable String filter, int total, int shown, @Nullable String completeFrom) {
        TestMerchant owner = gateway.newMerchant();
        String kind = " cashin " + owner.platform();
        Document january =
                new Document("paid" + kind, numbers(2).append("11", 1L).append("12", 1L));
        gateway.archived(
                YearMonth.of(2020, 1),
                List.of(
                        // the day in São Paulo begins at 3:00 UTC, with the 13th quarter of an hour
                        count(owner, 1, 0, january), count(owner, 1, 15, january)));
        gateway.archived(
                YearMonth.of(2020, 3),
                List.of(count(
                        owner,
                        3,
                        0,
                        new Document("paid" + kind, numbers(2))
                                .append("paid cashout " + owner.platform(), numbers(1))
                                .append("denied cashout " + owner.platform(), numbers(1))
                                .append("melted" + kind, numbers(7)))));
        stored.insert(List.of(
                old(owner, Instant.parse("2020-02-10T12:00:00Z"), "february"),
                // still in MongoDB
                old(owner, Instant.parse("2020-03-10T12:00:00Z"), "march")));
        owner.created(owner.cashin());
        owner.created(owner.cashin());

        JsonNode page = owner.api()
                .get(ALL + (filter == null ? "" : filter.formatted(owner.platform())))
                .expect(200)
                .json();

        assertThat(page.path("total").asInt()).isEqualTo(total);
        assertThat(page.path("transactions").size()).isEqualTo(shown);
        assertThat(page.path("last_page").asInt()).isEqualTo(1);
        assertThat(page.path("complete_from").asString(null)).isEqualTo(completeFrom);
    }

    /** More of them than a page has, before and after an archived month of which MongoDB still has one. */
    @Test
    void pagesGoOnAcrossAnArchivedMonth() {
        TestMerchant owner = gateway.newMerchant();
        Transaction one = old(owner, Instant.parse("2020-05-15T12:00:00Z"), "one");
        gateway.archived(YearMonth.of(2020, 5), List.of(count(owner, 5, 0, new Document())));
        RandomTransactions transactions = new RandomTransactions(one, new Random(1));
        stored.insert(transactions.within(Instant.parse("2020-04-10T02:00:00Z"), 4, 120));
        stored.insert(transactions.within(Instant.parse("2020-05-10T02:00:00Z"), 4, 30));
        stored.insert(transactions.within(Instant.parse("2020-06-10T02:00:00Z"), 4, 130));

        List<String> all = idsOfAllPages(owner, "");
        assertThat(all).hasSize(250).doesNotHaveDuplicates();
        JsonNode second = owner.api().get(ALL + "?page=2").expect(200).json();
        assertThat(second.path("total").asInt()).isEqualTo(250);
        assertThat(second.path("last_page").asInt()).isEqualTo(3);
        assertThat(second.path("transactions").valueStream().map(item -> item.path("id")
                        .stringValue()))
                .containsExactlyElementsOf(all.subList(100, 200));
        assertThat(owner.api().get(ALL + ".csv").expect(200).body().lines().filter(line -> line.startsWith("01")))
                .extracting(line -> line.substring(0, 36))
                .containsExactlyElementsOf(all);
    }

    /** With the fault, lists had nothing from before the first day that they remembered, for ten minutes. */
    @Test
    void aMonthThatComesBackAnswersAtOnce() {
        TestMerchant owner = gateway.newMerchant();
        YearMonth july = YearMonth.of(2020, 7);
        gateway.archived(july, List.of(count(owner, 7, 0, new Document())));
        owner.created(owner.cashin());
        String list = ALL + "?platform=" + owner.platform();
        assertThat(owner.api().get(list).expect(200).json().path("total").asInt())
                .isEqualTo(1);

        stored.insert(List.of(old(owner, Instant.parse("2020-07-10T12:00:00Z"), "july")));
        gateway.restored(july);

        JsonNode page = owner.api().get(list).expect(200).json();
        assertThat(page.path("total").asInt()).isEqualTo(2);
        assertThat(page.path("transactions")).hasSize(2);
    }

    private static Transaction old(TestMerchant owner, Instant at, String reference) {
        return Transactions.like(Transactions.cashin(TransactionId.at(at), new Amount(100)))
                .tenant(owner.tenant())
                .platform(UUID.fromString(owner.platform()))
                .reference(reference)
                .build();
    }

    private static Document numbers(long total) {
        return new Document("n", total);
    }

    private static Document count(TestMerchant owner, int month, int day, Document kinds) {
        return RunningGateway.counts(YearMonth.of(2020, month), owner.tenant(), day, kinds);
    }

    private List<String> idsOfAllPages(TestMerchant owner, String filter) {
        List<String> seen = new ArrayList<>();
        String next = gateway.url() + ALL + filter;
        while (!next.isEmpty()) {
            JsonNode page = owner.api().get(next).expect(200).json();
            page.path("transactions").forEach(item -> seen.add(item.path("id").stringValue()));
            next = page.path("next_page_url").asString("");
        }
        return seen;
    }

    @Test
    void rowsAreSeenOnceWhileOthersAreCreated() {
        TestMerchant owner = gateway.newMerchant();
        String made = owner.created(owner.cashin());
        RandomTransactions transactions = new RandomTransactions(stored.find(made), new Random(1));
        stored.insert(transactions.within(Instant.parse("2026-03-10T02:00:00Z"), 4, 350));
        List<String> seen = new ArrayList<>();
        int total = 351;
        for (String next = ALL; !next.isEmpty(); total += 30) {
            JsonNode page = owner.api().get(next).expect(200).json();
            assertThat(page.path("total").asInt()).isEqualTo(total);
            page.path("transactions").forEach(row -> seen.add(row.path("id").stringValue()));
            stored.insert(IntStream.range(0, 30)
                    .mapToObj(i -> transactions.createdAt(gateway.clock().instant()))
                    .toList());
            next = page.path("next_page_url").asString("");
        }
        assertThat(seen).hasSize(351).doesNotHaveDuplicates().startsWith(made);
    }

    @Test
    void aRowOfAnotherMerchantIsOnlyAPlaceInTime() {
        TestMerchant other = gateway.newMerchant();
        String own = other.created(other.cashin());
        TestMerchant another = gateway.newMerchant();
        String later = another.created(another.cashin());
        assertThat(idsOfAllPages(other, "?after=" + later)).containsExactly(own);
        assertThat(idsOfAllPages(other, "?after=" + own)).isEmpty();
    }

    /** The second page must select the same transactions as the first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Zoë",
                "a&b=c",
                "{page}",
                "100%",
                "50%25",
                "one two",
                "+1+1",
                "São João 日本 😀",
                "#/?:@",
                "\"'<>\\^`|"
            })
    void theLinkToTheNextPageHasTheSameFilter(String name) {
        TestMerchant owner = gateway.newMerchant();
        String label = name + " x";
        String made = owner.created(owner.cashin().put("name", label));
        Transaction like = stored.find(made);
        stored.insert(IntStream.range(0, 100)
                .mapToObj(i -> Transactions.like(like)
                        .createdAs(TransactionId.at(Instant.parse("2026-03-10T12:00:00Z")))
                        .accepted(true)
                        .reference(null)
                        .build())
                .toList());

        Answer first = owner.api()
                .get(ALL + "?name_document=" + URLEncoder.encode(label, StandardCharsets.UTF_8))
                .expect(200);
        assertThat(first.json().path("total").asInt()).isEqualTo(101);
        Answer second = owner.api().get(first.text("next_page_url")).expect(200);

        assertThat(second.json().path("total").asInt()).isEqualTo(101);
        assertThat(second.json().path("transactions").size()).isEqualTo(1);
        assertThat(second.json().path("next_page_url").isNull()).isTrue();
    }
}
