package dev.ligeiro.gateway.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListPageTest {

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
    void theLastPageIsAtLeastTheFirst(int number, long total, long last, boolean hasNext) {
        ListPage page = new ListPage(List.of(), number, total);

        assertThat(page.last()).isEqualTo(last);
        assertThat(page.hasNext()).isEqualTo(hasNext);
    }
}
