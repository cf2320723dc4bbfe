package dev.ligeiro.gateway.api.list;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The plans of the queries of every filter and every pair of filters, with and without dates. */
@Tag("nightly")
class ListIndexesIT extends WithGateway {

    private static final FilterParameter DATES =
            FilterParameter.dates(LocalDate.of(2026, 3, 11), LocalDate.of(2026, 3, 12));

    /** The first and the second page of every list. */
    private static void request(TestMerchant merchant, RandomTransactions transactions) {
        for (FilterParameter filter : grid(transactions)) {
            for (FilterParameter dates : List.of(FilterParameter.NONE, DATES)) {
                String url = ALL + "?" + filter.text() + "&" + dates.text();
                JsonNode first = merchant.api().get(url).expect(200).json();
                merchant.api().get(url + "&page=2").expect(200);
                String next = first.path("next_page_url").asString("");
                if (!next.isEmpty()) {
                    merchant.api().get(next).expect(200);
                }
            }
        }
    }

    private static List<FilterParameter> grid(RandomTransactions transactions) {
        List<FilterParameter> kinds = new ArrayList<>(FilterParameter.oneOfEachKind(transactions));
        // a key of two forms, which are two ranges of the index
        kinds.add(FilterParameter.pixKey(RandomTransactions.PIX_KEYS.get(0)));
        List<FilterParameter> grid = new ArrayList<>(kinds);
        grid.add(FilterParameter.NONE);
        for (int i = 0; i < kinds.size(); i++) {
            for (int j = 0; j < i; j++) {
                FilterParameter pair = kinds.get(i).and(kinds.get(j));
                if (pair != null) {
                    grid.add(pair);
                }
            }
        }
        return grid;
    }

    @Test
    void listsReadIndexKeysAndOnlyTheDocumentsTheyShow() {
        Transaction first = stored.find(merchant.created(merchant.cashin()));
        RandomTransactions transactions = new RandomTransactions(first, new Random(1));
        stored.insert(transactions.within(Instant.parse("2026-03-10T02:00:00Z"), 4, 600));
        try (ProfiledQueries profiled = new ProfiledQueries(gateway.database())) {
            request(merchant, transactions);

            assertThat(profiled.all()).hasSizeGreaterThan(200).allSatisfy(query -> {
                assertThat(ProfiledQueries.stages(query))
                        .as(query.toJson())
                        .doesNotContain("COLLSCAN", "SORT", "SORT_SIMPLE", "SORT_DEFAULT");
                if (!hasCheckedFields(query)) {
                    assertThat(query.getInteger("docsExamined"))
                            .as(query.toJson())
                            .isEqualTo(documentsReturned(query));
                }
            });
        }
    }

    /** No index has the operation or the amount: an entry more for each transaction would cost more than such lists are worth. */
    private static boolean hasCheckedFields(Document query) {
        Document command = query.get("command", Document.class);
        String json = command.toJson();
        return json.contains("\"operation\": ") || json.contains("\"amount\": ");
    }

    /** Queries for ids and counts return none. */
    private static int documentsReturned(Document query) {
        Document command = query.get("command", Document.class);
        return command.containsKey("find") && !command.containsKey("projection") ? query.getInteger("nreturned") : 0;
    }

    private static final Instant MIDNIGHT = Instant.parse("2026-03-10T00:00:00Z");
    private static final int EACH = 3_000;
    private static final long DISTANCE_MS = 86_400_000 / EACH;
    private static final String ANA_LIMA =
            ALL + "?name_document=ana+lima&initial_date=2026-03-09&final_date=2026-03-11";

    private static List<Transaction> day(Transaction like) {
        List<Transaction> day = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            Instant at = MIDNIGHT.plusMillis(i * DISTANCE_MS);
            day.add(named("Ana Souza", at, like));
            day.add(named("Rui Lima", at.plusMillis(1), like));
        }
        for (int i = 0; i < 3; i++) {
            day.add(named("Ana Lima", MIDNIGHT.plusSeconds(3_600 + i * 60), like));
        }
        return day;
    }

    private static Transaction named(String name, Instant at, Transaction like) {
        return Transactions.like(like)
                .createdAs(TransactionId.at(at))
                .accepted(true)
                .reference(null)
                .payer(new Party(name, "any@example.com", "+5511987654321", "52998224725"))
                .build();
    }

    /**
     * A day of 3,000 transactions of Anas and 3,000 of Limas is counted in several time buckets. Three payers of one hour are named Ana
     * Lima.
     */
    @Test
    void onlyTheBucketsWithMatchesAreRead() {
        stored.insert(day(stored.find(merchant.created(merchant.cashin()))));
        merchant.api().get(ANA_LIMA).expect(200);
        try (ProfiledQueries profiled = new ProfiledQueries(gateway.database())) {
            assertThat(merchant.api().get(ANA_LIMA).expect(200).json().path("transactions"))
                    .hasSize(3);

            // of the whole day 6,262
            assertThat(profiled.all().stream()
                            .mapToInt(query -> query.getInteger("keysExamined"))
                            .sum())
                    .isLessThan(2_000);
        }
    }
}
