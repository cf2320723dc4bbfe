package dev.ligeiro.infra.loadtest.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.loadtest.merchant.MerchantHistory;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ListFilterTest {

    private static final LocalDate DAY = LocalDate.parse("2026-03-05");
    /** Created in the last millisecond of the day in São Paulo; of Zoë da Conceição. */
    private static final Transaction PAID = Transactions.cashin(
                    TransactionId.at(Instant.parse("2026-03-06T02:59:59.999Z")), new Amount(1_050))
            .moveTo(Status.PAID, Instant.parse("2026-03-06T03:00:00Z"), Source.RAIL);

    @Test
    void comparesTheFieldsOfATransaction() {
        List<ListFilter> matching = List.of(
                ListFilter.NONE,
                ListFilter.status(Status.PAID),
                ListFilter.platform(Transactions.PLATFORM),
                ListFilter.name("name", "conceicao ZOE"),
                ListFilter.document("52998224725"),
                ListFilter.phone("+5511987654321"),
                ListFilter.days("day", DAY, DAY),
                ListFilter.status(Status.PAID).and(ListFilter.days("day", DAY, DAY)));
        List<ListFilter> others = List.of(
                ListFilter.status(Status.PENDING),
                ListFilter.platform(new UUID(1, 3)),
                ListFilter.name("name", "Zo"),
                ListFilter.pixKey("a@example.com"),
                ListFilter.days("day", DAY.plusDays(1), DAY.plusDays(1)),
                ListFilter.status(Status.PENDING).and(ListFilter.days("day", DAY, DAY)));

        assertThat(matching).allMatch(filter -> filter.matches(PAID));
        assertThat(others).noneMatch(filter -> filter.matches(PAID));
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
        assertThat(ListFilter.grid(MerchantHistory.untilToday(Transactions.goldenCashin(), 60, 10_000)))
                .hasSize(1 + 9 + 36 - 4)
                .extracting(ListFilter::label)
                .contains("none", "status", "status, platform", "phone, pix key")
                .doesNotContain("day, month", "common name, document");
    }
}
