package dev.ligeiro.infra.loadtest.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimedPageTest {

    private static final UUID NEWER = new UUID(0xFF00_0000_0000_7000L, 2);
    private static final UUID OLDER = new UUID(1, 1);

    @Test
    void aWholePageHasItsRowsTheNewestFirst() {
        assertThat(page(List.of(NEWER, OLDER), 2, 2, null, 102).isWhole()).isTrue();
        assertThat(page(List.of(), 1, 1, null, 0).isWhole()).isTrue();
    }

    @Test
    void aPageWithTooFewRowsAWrongOrderOrAWrongNextPageIsNotWhole() {
        assertThat(page(List.of(NEWER), 2, 2, null, 102).isWhole()).isFalse();
        assertThat(page(List.of(OLDER, NEWER), 2, 2, null, 102).isWhole()).isFalse();
        assertThat(page(List.of(NEWER, NEWER), 2, 2, null, 102).isWhole()).isFalse();
        assertThat(page(List.of(NEWER, OLDER), 2, 2, "next", 102).isWhole()).isFalse();
    }

    private static TimedPage page(List<UUID> ids, long number, long last, @Nullable String next, long total) {
        return new TimedPage(ids, number, last, next, total, Duration.ZERO, 0);
    }
}
