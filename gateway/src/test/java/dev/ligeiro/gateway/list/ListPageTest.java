package dev.ligeiro.gateway.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Transaction;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListPageTest {

    private static List<Transaction> rows(long count) {
        return Collections.nCopies((int) Math.max(0, Math.min(101, count)), Transactions.goldenCashin());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0,   1, false",
        "1, 1,   1, false",
        "1, 100, 1, false",
        "1, 101, 2, true",
        "2, 101, 2, false",
        "2, 200, 2, false",
        "2, 250, 3, true",
        "3, 250, 3, false",
        "9, 250, 3, false",
    })
    void theLastPageFollowsFromTheTotal(int number, long total, long last, boolean hasNext) {
        ListPage page = ListPage.at(number, rows(total - ListPage.firstRow(number)), total);

        assertThat(page.last()).isEqualTo(last);
        assertThat(page.hasNext()).isEqualTo(hasNext);
        assertThat(page.total()).isEqualTo(total);
        assertThat(page.items()).hasSizeLessThanOrEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 0,   2, false",
        "2, 1,   2, false",
        "2, 100, 2, false",
        "2, 101, 3, true",
        "2, 150, 3, true",
        "2, 200, 3, true",
        "2, 201, 4, true",
        "7, 50,  7, false",
    })
    void afterAKnownRowTheLastPageFollowsFromTheRowsThatAreLeft(int number, long below, long last, boolean hasNext) {
        ListPage page = ListPage.after(number, rows(below), below, 1_000);

        assertThat(page.last()).isEqualTo(last);
        assertThat(page.hasNext()).isEqualTo(hasNext);
        assertThat(page.total()).isEqualTo(1_000);
    }

    /** A status changed between the count and the reading of the rows. */
    @ParameterizedTest
    @CsvSource({"101, 100, true", "101, 0, true", "100, 101, false"})
    void thereIsANextPageExactlyWhenThereIsARowMore(int read, long counted, boolean hasNext) {
        assertThat(ListPage.after(2, rows(read), counted, 500).hasNext()).isEqualTo(hasNext);
    }

    @ParameterizedTest
    @CsvSource({"1, 101, 100, 101", "2, 101, 150, 201"})
    void rowsThatWereReadBelongToTheTotal(int number, int read, long counted, long total) {
        ListPage page = ListPage.at(number, rows(read), counted);

        assertThat(page.total()).isEqualTo(total);
        assertThat(page.hasNext()).isTrue();
    }
}
