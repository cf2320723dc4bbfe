package dev.ligeiro.infra.loadtest.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.loadtest.list.fill.Fill;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ListFilterTest {

    private static final LocalDate DAY = LocalDate.parse("2026-03-05");
    private static final UUID PLATFORM = new UUID(1, 2);
    /** The last millisecond of the day in São Paulo. */
    private static final ListRow ROW = new ListRow(
            UuidV7.at(Instant.parse("2026-03-06T02:59:59.999Z").toEpochMilli()),
            Status.PAID,
            PLATFORM,
            NameWords.of("José da Conceição"),
            "+5511987654321",
            "52998224725",
            null);

    @Test
    void comparesTheFieldsOfARow() {
        List<ListFilter> matching = List.of(
                ListFilter.NONE,
                ListFilter.status(Status.PAID),
                ListFilter.platform(PLATFORM),
                ListFilter.name("name", "conceicao JOSE"),
                ListFilter.document("52998224725"),
                ListFilter.phone("+5511987654321"),
                ListFilter.days("day", DAY, DAY),
                ListFilter.status(Status.PAID).and(ListFilter.days("day", DAY, DAY)));
        List<ListFilter> others = List.of(
                ListFilter.status(Status.PENDING),
                ListFilter.platform(new UUID(1, 3)),
                ListFilter.name("name", "Jos"),
                ListFilter.pixKey("a@example.com"),
                ListFilter.days("day", DAY.plusDays(1), DAY.plusDays(1)),
                ListFilter.status(Status.PENDING).and(ListFilter.days("day", DAY, DAY)));

        assertThat(matching).allMatch(filter -> filter.matches(ROW));
        assertThat(others).noneMatch(filter -> filter.matches(ROW));
    }

    @Test
    void isARequestWithEncodedValues() {
        ListFilter filter = ListFilter.phone("+5511987654321").and(ListFilter.name("name", "José Silva"));

        assertThat(filter.path(3))
                .startsWith("/api/v1/transactions?")
                .contains("phone=%2B5511987654321", "name_document=Jos%C3%A9+Silva")
                .endsWith("&page=3");
        assertThat(ListFilter.NONE.path(1)).isEqualTo("/api/v1/transactions?page=1");
    }

    @Test
    void theGridHasEachFilterAndEachPossiblePair() {
        Fill fill = Fill.of("large", "a-merchant", Transactions.goldenCashin(), 60, 10_000);
        Filters filters = new Filters(fill, Transactions.goldenCashin());

        assertThat(filters.grid())
                .hasSize(1 + 9 + 36 - 4)
                .extracting(ListFilter::label)
                .contains("none", "status", "status, platform", "phone, pix key")
                .doesNotContain("day, month", "common name, document");
        assertThat(filters.random(new SplittableRandom(1), 50)).hasSize(50);
    }
}
