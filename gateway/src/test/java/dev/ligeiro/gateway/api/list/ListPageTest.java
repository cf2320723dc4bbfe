package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.list.ReadMatches.Found;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListPageTest {

    private static final TransactionId REACHED = TransactionId.at(Instant.EPOCH);

    private static Found rows(long count) {
        int read = (int) Math.max(0, Math.min(101, count));
        return new Found(
                Collections.nCopies(read, Transactions.goldenCashin().snapshot()), 0, read == 101 ? REACHED : null);
    }

    /** Of a search that gave up. */
    private static Found onlyRows(int count) {
        return new Found(Collections.nCopies(count, Transactions.goldenCashin().snapshot()), 0, REACHED);
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

    @ParameterizedTest
    @CsvSource({"2, 0, 500, 7", "2, 40, 500, 7", "2, 40, 40, 3", "2, 100, 101, 3", "2, 0, 0, 3"})
    void aSearchThatGaveUpIsFollowedByAPageFromWhereItStopped(int number, int read, long below, long last) {
        ListPage page = ListPage.after(number, onlyRows(read), below, 1_000);

        assertThat(page.items()).hasSize(read);
        assertThat(page.hasNext()).isTrue();
        assertThat(page.last()).isEqualTo(last);
        assertThat(page.end()).isEqualTo(REACHED);
        assertThat(page.total()).isEqualTo(1_000);
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 3, 2", "1, 3, 500, 5", "5, 0, 500, 6", "9, 0, 500, 10"})
    void soIsAPageThatIsFoundByItsNumber(int number, int read, long counted, long last) {
        ListPage page = ListPage.at(number, onlyRows(read), counted);

        assertThat(page.hasNext()).isTrue();
        assertThat(page.last()).isEqualTo(last);
        assertThat(page.end()).isEqualTo(REACHED);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "101, true"})
    void otherPagesEndWithTheirLastRow(int read, boolean hasEnd) {
        TransactionId row = Transactions.goldenCashin().id();

        assertThat(ListPage.after(2, rows(read), read, 1_000).end()).isEqualTo(hasEnd ? row : null);
    }
}
