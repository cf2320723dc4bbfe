package dev.ligeiro.infra.loadtest.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ListPageTest {

    private static final UUID NEWER = new UUID(0xFF00_0000_0000_7000L, 2);
    private static final UUID OLDER = new UUID(1, 1);

    @Test
    void aWholePageHasItsRowsTheNewestFirst() {
        assertThat(new ListPage(List.of(NEWER, OLDER), 2, 2, null, 102).isWhole())
                .isTrue();
        assertThat(new ListPage(List.of(), 1, 1, null, 0).isWhole()).isTrue();
    }

    @Test
    void aPageWithTooFewRowsAWrongOrderOrAWrongNextPageIsNotWhole() {
        assertThat(new ListPage(List.of(NEWER), 2, 2, null, 102).isWhole()).isFalse();
        assertThat(new ListPage(List.of(OLDER, NEWER), 2, 2, null, 102).isWhole())
                .isFalse();
        assertThat(new ListPage(List.of(NEWER, NEWER), 2, 2, null, 102).isWhole())
                .isFalse();
        assertThat(new ListPage(List.of(NEWER, OLDER), 2, 2, "next", 102).isWhole())
                .isFalse();
    }
}
