package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * An installation that stored transactions for three years before search tokens had a day, and was upgraded. Every list and export has the
 * transactions of before and after it.
 */
@Tag("nightly")
class ListAfterUpgradeIT {

    private static final Duration BEFORE = Duration.ofDays(1_095);
    private static final String EXPORT = "/api/v1/transactions.csv";

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final TestClock clock = TestClock.ticking();
    private final long tomorrow = today().toEpochDay() + 1;
    private final String database = RunningGateway.newDatabase();
    private final StoredData stored = new StoredData(database, tomorrow);
    private final List<Transaction> all = new ArrayList<>();

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private void insert(RandomTransactions transactions, int count, Instant from, Duration within) {
        List<Transaction> some = IntStream.range(0, count)
                .mapToObj(
                        i -> transactions.createdAt(from.plusMillis((long) (random.nextDouble() * within.toMillis()))))
                .toList();
        stored.insert(some);
        all.addAll(some);
    }

    private List<FilterParameter> filters(RandomTransactions transactions) {
        List<FilterParameter> kinds = FilterParameter.oneOfEachKind(transactions);
        List<FilterParameter> filters = new ArrayList<>(kinds);
        filters.add(FilterParameter.NONE);
        filters.add(FilterParameter.pixKey(RandomTransactions.PIX_KEYS.get(0)));
        for (int i = 0; i < kinds.size(); i++) {
            FilterParameter pair = kinds.get(i).and(kinds.get((i + 1) % kinds.size()));
            filters.add(pair == null ? kinds.get(i) : pair);
        }
        FilterParameter three = kinds.get(0).and(kinds.get(2));
        filters.add(three == null ? kinds.get(0) : three.and(kinds.get(5)));
        return filters;
    }

    @Test
    void listsAndExportsHaveTransactionsOfBothVersions() {
        stored.insert(
                CollectionNames.LEASES,
                new Document("_id", SearchTokens.DAYS_ID).append(SearchTokens.DAYS_FROM, tomorrow));
        try (stored;
                RunningGateway gateway = RunningGateway.startOn(database, clock)) {
            TestMerchant merchant = gateway.newMerchant();
            Transaction last = stored.find(merchant.created(merchant.cashin()));
            clock.move(Duration.ofDays(2));
            Transaction next = stored.find(merchant.created(merchant.cashin()));
            all.addAll(List.of(last, next));
            RandomTransactions transactions = new RandomTransactions(last, random);
            insert(transactions, 400, last.createdAt().minus(BEFORE), BEFORE);
            insert(transactions, 300, last.createdAt(), Duration.between(last.createdAt(), next.createdAt()));

            assertThat(tokens(last)).hasSameElementsAs(SearchTokens.of(last.terms()));
            assertThat(tokens(next)).doesNotContainAnyElementsOf(SearchTokens.of(next.terms()));
            for (FilterParameter filter : filters(transactions)) {
                check(merchant, filter);
                check(merchant, within(filter, 200, 1));
                check(merchant, within(filter, 2, 0));
            }
        }
    }

    /** @param first days before today */
    private FilterParameter within(FilterParameter filter, int first, int last) {
        return Objects.requireNonNull(
                filter.and(FilterParameter.dates(today().minusDays(first), today().minusDays(last))));
    }

    private List<Long> tokens(Transaction transaction) {
        return stored.all(CollectionNames.TRANSACTIONS).stream()
                .filter(document -> transaction.id().value().equals(document.get("_id")))
                .flatMap(document -> document.getList(TransactionFields.SEARCH, Long.class).stream())
                .toList();
    }

    private void check(TestMerchant merchant, FilterParameter filter) {
        List<String> expected = all.stream()
                .filter(filter.matches())
                .map(Transaction::id)
                .sorted(Comparator.reverseOrder())
                .map(TransactionId::toString)
                .toList();
        List<String> listed = new ArrayList<>();
        String next = ALL + "?" + filter.text();
        for (int number = 1; !next.isEmpty(); number++) {
            JsonNode page = merchant.api().get(next).expect(200).json();
            assertThat(merchant.api()
                            .get(ALL + "?page=" + number + "&" + filter.text())
                            .json())
                    .as("%s, seed %d", next, seed)
                    .isEqualTo(page);
            assertThat(page.path("total").asInt()).as("%s, seed %d", next, seed).isEqualTo(expected.size());
            page.path("transactions").forEach(row -> listed.add(row.path("id").stringValue()));
            next = page.path("next_page_url").asString("");
        }
        assertThat(listed).as("%s, seed %d", filter.text(), seed).isEqualTo(expected);
        assertThat(merchant.api()
                        .get(EXPORT + "?" + filter.text())
                        .expect(200)
                        .body()
                        .lines()
                        .skip(1))
                .as("%s, seed %d", filter.text(), seed)
                .map(line -> line.substring(0, line.indexOf(',')))
                .isEqualTo(expected);
    }
}
