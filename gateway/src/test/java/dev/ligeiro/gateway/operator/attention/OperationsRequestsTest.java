package dev.ligeiro.gateway.operator.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.gateway.http.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

class OperationsRequestsTest {

    private static final Instant AT = Instant.parse("2026-03-10T14:30:15.123Z");
    private static final String ID = "019cd827-d553-7abc-9def-0123456789ab";

    @Test
    void unsettledOutcomesAreOlderThanTenMinutesUnlessAskedOtherwise() {
        assertThat(UnsettledQuery.parse(parameters(""))).isEqualTo(new UnsettledQuery(Duration.ofMinutes(10), null));
        assertThat(UnsettledQuery.parse(parameters("older_than=0")).olderThan()).isEqualTo(Duration.ZERO);
        assertThat(UnsettledQuery.parse(parameters("older_than=3600")).olderThan())
                .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void aListContinuesAfterItsCursor() {
        PageCursor cursor = new PageCursor(AT, ID);

        assertThat(UnsettledQuery.parse(parameters("after=" + cursor)).after()).isEqualTo(cursor);
        PageCursor payment = new PageCursor(AT, "simulator/E1234567820260310143015abcDEF123");
        assertThat(UnmatchedQuery.parse(parameters("after=" + payment)).after()).isEqualTo(payment);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "older_than=-1",
                "older_than=1h",
                "older_than=1.5",
                "older_than=1000000000",
                "after=" + ID,
                "after=1773153015123-",
                "after=1773153015123-1",
                "after=x-" + ID,
                "before=1",
                "older_than=1&older_than=2",
            })
    void aMalformedParameterIsRefused(String query) {
        assertThatThrownBy(() -> UnsettledQuery.parse(parameters(query))).isInstanceOf(Problem.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"older_than=1", "after=simulator/E1", "after=1-"})
    void aMalformedParameterOfUnmatchedPaymentsIsRefused(String query) {
        assertThatThrownBy(() -> UnmatchedQuery.parse(parameters(query))).isInstanceOf(Problem.class);
    }

    @Test
    void onlyAPageWithASuccessorHasACursor() {
        List<Integer> items = IntStream.rangeClosed(1, 101).boxed().toList();

        OperationsPage<Integer> last = OperationsPage.of(items.subList(0, 100), item -> cursor(item));
        OperationsPage<Integer> first = OperationsPage.of(items, item -> cursor(item));

        assertThat(last.items()).hasSize(100);
        assertThat(last.next()).isNull();
        assertThat(first.items()).hasSize(100);
        assertThat(first.next()).isEqualTo(cursor(100));
    }

    private static PageCursor cursor(int item) {
        return new PageCursor(AT, "item-" + item);
    }

    private static MultiValueMap<String, String> parameters(String query) {
        return UriComponentsBuilder.newInstance().query(query).build().getQueryParams();
    }
}
