package dev.ligeiro.gateway.api.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedCursorTest {

    private static final UUID FEED = UUID.fromString("019cd827-d553-7abc-9def-0123456789ac");

    @Property(tries = 100)
    void aCursorIsReadBack(@ForAll long high, @ForAll long low, @ForAll @LongRange(min = 0) long number) {
        FeedCursor cursor = new FeedCursor(new UUID(high, low), number);
        assertThat(FeedCursor.parse(cursor.text())).isEqualTo(cursor);
    }

    /** Merchants store cursors, so a later version must read them. */
    @Test
    void theTextStaysTheSame() {
        assertThat(new FeedCursor(FEED, 258).text()).isEqualTo("cur_AZzYJ9VTeryd7wEjRWeJrAAAAAAAAAEC");
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
        assertThatIllegalArgumentException().isThrownBy(() -> FeedCursor.parse(text));
    }

    @Test
    void aNegativeNumberIsRefused() {
        byte[] bytes = ByteBuffer.allocate(24).putLong(1).putLong(2).putLong(-1).array();
        String text = "cur_" + Base64.getUrlEncoder().encodeToString(bytes);
        assertThatIllegalArgumentException().isThrownBy(() -> FeedCursor.parse(text));
    }
}
