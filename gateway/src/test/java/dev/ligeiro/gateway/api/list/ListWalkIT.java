package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A thousand random transactions of one merchant; lists of them with random filters, walked by links and by page numbers. */
@Tag("nightly")
@ExtendWith(SharedGateway.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListWalkIT {

    private static final Instant FIRST = Instant.parse("2026-03-10T02:00:00Z");
    private static final int DAYS = 4;
    private static final int FILTERS = 15;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final TransactionDocuments stored;
    private final RandomTransactions transactions;
    private final List<Transaction> all = new ArrayList<>();

    ListWalkIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.stored = new TransactionDocuments(gateway.database());
        Transaction first = stored.find(merchant.created(merchant.cashin()));
        this.transactions = new RandomTransactions(first, random);
        all.add(first);
        insert(transactions.within(FIRST, DAYS, 1_000));
    }

    @AfterAll
    void close() {
        stored.close();
    }

    private void insert(List<Transaction> more) {
        stored.insert(more);
        all.addAll(more);
    }

    private List<String> expected(FilterParameter filter) {
        return all.stream()
                .filter(filter.matches())
                .sorted(Comparator.comparing(Transaction::id).reversed())
                .map(each -> each.id().toString())
                .toList();
    }

    private JsonNode get(String url) {
        return merchant.api().get(url).expect(200).json();
    }

    private static List<String> ids(JsonNode page) {
        return page.path("transactions")
                .valueStream()
                .map(item -> item.path("id").stringValue())
                .toList();
    }

    private FilterParameter anyFilter() {
        List<FilterParameter> kinds = new ArrayList<>(FilterParameter.oneOfEachKind(transactions));
        LocalDate day = LocalDate.of(2026, 3, 9).plusDays(random.nextInt(DAYS));
        kinds.add(FilterParameter.dates(day, day.plusDays(random.nextInt(DAYS))));
        FilterParameter filter = FilterParameter.NONE;
        for (int terms = random.nextInt(4); terms > 0; terms--) {
            filter = Objects.requireNonNullElse(filter.and(transactions.any(kinds)), filter);
        }
        return filter;
    }

    @Test
    void pagesHaveTheRowsOfABruteForceFilter() {
        for (int i = 0; i < FILTERS; i++) {
            FilterParameter filter = anyFilter();
            List<String> expected = expected(filter);
            int last = Math.max(1, (expected.size() + 99) / 100);
            List<String> byLink = new ArrayList<>();
            String next = ALL + "?" + filter.text();

            for (int number = 1; number <= last; number++) {
                JsonNode page = get(next);
                JsonNode sameByNumber = get(ALL + "?page=" + number + "&" + filter.text());

                assertThat(sameByNumber).as("%s, seed %d", next, seed).isEqualTo(page);
                assertThat(page.path("current_page").asInt()).isEqualTo(number);
                assertThat(page.path("last_page").asInt()).isEqualTo(last);
                assertThat(page.path("total").asInt()).isEqualTo(expected.size());
                byLink.addAll(ids(page));
                next = page.path("next_page_url").asString("");
            }

            assertThat(byLink).as("%s, seed %d", filter.text(), seed).isEqualTo(expected);
            assertThat(next).isEmpty();
        }
    }

    @Test
    void rowsAreSeenOnceWhileOthersAreCreated() {
        for (FilterParameter filter : List.of(
                FilterParameter.NONE,
                FilterParameter.oneOfEachKind(transactions).get(1))) {
            List<String> before = expected(filter);
            List<String> seen = new ArrayList<>();
            String next = ALL + "?" + filter.text();
            while (!next.isEmpty()) {
                JsonNode page = get(next);
                seen.addAll(ids(page));
                assertThat(page.path("total").asInt())
                        .isEqualTo(expected(filter).size());
                insert(IntStream.range(0, 30)
                        .mapToObj(i -> transactions.createdAt(gateway.clock().instant()))
                        .toList());
                next = page.path("next_page_url").asString("");
            }

            assertThat(seen).isEqualTo(before);
        }
    }

    @Test
    void aRowOfAnotherMerchantIsOnlyAPlaceInTime() {
        TestMerchant other = gateway.newMerchant();
        String own = other.created(other.cashin());
        String later = merchant.created(merchant.cashin());
        all.add(stored.find(later));

        assertThat(ids(other.api().get(ALL + "?after=" + later).json())).containsExactly(own);
        assertThat(ids(other.api().get(ALL + "?after=" + own).json())).isEmpty();
    }
}
