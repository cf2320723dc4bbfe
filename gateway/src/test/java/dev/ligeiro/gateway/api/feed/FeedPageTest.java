package dev.ligeiro.gateway.api.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.feed.FeedPage.Place;
import dev.ligeiro.message.EventId;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedPageTest {

    private static final UUID FEED = UUID.randomUUID();
    private static final UUID STORED = UUID.fromString("019cd827-d553-7abc-9def-0123456789ac");
    private static final int LIMIT = 3;

    @ParameterizedTest(name = "after {0}, last number {1}, stored {2}: {3}, next {4}")
    @CsvSource(
            nullValues = "-",
            value = {
                // after, the feed's last number, stored numbers from after on, shown ones, next
                "-, 0, '',         '',      0",
                "0, 0, '',         '',      0",
                "0, 0, '1',        '1',     1",
                "0, 9, '1 2 3 4',  '1 2 3', 3",
                "3, 9, '3 4 5',    '4 5',   5",
                "5, 5, '5',        '',      5",
                // the number that the feed keeps follows later
                "5, 3, '5',        '',      5",
                "5, 3, '5 6',      '6',     6",
                // the event of the cursor is deleted, but nothing after it
                "5, 9, '6 7',      '6 7',   7",
                "5, 5, '',         '',      5",
                // without a cursor it begins with the oldest
                "-, 9, '6 7',      '6 7',   7",
                "-, 9, '6 7 8 9',  '6 7 8', 8",
                "-, 9, '',         '',      9",
                // a deleted one in the middle is not left out silently
                "4, 9, '4 5 7 8',  '5',     5",
                "-, 9, '5 7 8 9',  '5',     5"
            })
    void aPageHasTheEventsThatFollow(@Nullable Long after, long lastNumber, String stored, String shown, long next) {
        FeedPage page = FeedPage.of(new FeedPage.Feed(FEED, lastNumber), cursor(after), LIMIT, rows(stored));

        assertThat(page.rows().stream().map(row -> "" + row.number()).collect(Collectors.joining(" ")))
                .isEqualTo(shown);
        assertThat(page.next()).isEqualTo(new Place(FEED, next));
    }

    @ParameterizedTest
    @CsvSource({"5, 9, '7 8'", "5, 9, ''", "0, 9, '2'", "0, 1, ''"})
    void aCursorBeforeDeletedEventsHasExpired(long after, long lastNumber, String stored) {
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> FeedPage.of(new FeedPage.Feed(FEED, lastNumber), cursor(after), LIMIT, rows(stored)))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.CURSOR_EXPIRED));
    }

    private static @Nullable Place cursor(@Nullable Long after) {
        return after == null ? null : new Place(FEED, after);
    }

    private static List<FeedPage.Row> rows(String numbers) {
        return Arrays.stream(numbers.split(" "))
                .filter(number -> !number.isEmpty())
                .map(Long::valueOf)
                .map(number -> new FeedPage.Row(number, new EventId(Transactions.ID, 1)))
                .toList();
    }

    @Property(tries = 100)
    void aCursorIsReadBack(@ForAll long high, @ForAll long low, @ForAll @LongRange(min = 0) long number) {
        Place cursor = new Place(new UUID(high, low), number);
        assertThat(Place.parse(cursor.cursor())).isEqualTo(cursor);
    }

    /** Merchants store cursors, so a later version must read them. */
    @Test
    void theTextStaysTheSame() {
        assertThat(new Place(STORED, 258).cursor()).isEqualTo("cur_AZzYJ9VTeryd7wEjRWeJrAAAAAAAAAEC");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "258",
                "cur_",
                "AZzYJ9VTeryd7wEjRWeJrAAAAAAAAAEC",
                "CUR_AZzYJ9VTeryd7wEjRWeJrAAAAAAAAAEC",
                "cur_AZzYJ9VTeryd7wEjRWeJrAAAAAAAAAE",
                "cur_AZzYJ9VTeryd7wEjRWeJrAAAAAAAAAECAA",
                "cur_AZzYJ9VTerydA+EjRWeJrAAAAAAAAAEC",
                "cur_AZzYJ9VTerydé",
                "dlv_AZzYJ9VTerydA7wEjRWeJrAAAAAAAAAE"
            })
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Place.parse(text));
    }

    @Test
    void aNegativeNumberIsRefused() {
        byte[] bytes = ByteBuffer.allocate(24).putLong(1).putLong(2).putLong(-1).array();
        String text = "cur_" + Base64.getUrlEncoder().encodeToString(bytes);
        assertThatIllegalArgumentException().isThrownBy(() -> Place.parse(text));
    }
}
