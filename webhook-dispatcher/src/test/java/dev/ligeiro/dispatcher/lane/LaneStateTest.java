package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.lane.LaneState.Phase;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaneStateTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");

    /** What each phase becomes: after a look that found more, after one that did not, at a stop, and when the lane is lost. */
    @ParameterizedTest
    @CsvSource({
        "DELIVERING, DELIVERING, DRAINED,  STOPPING, LOST",
        "DRAINED,    DELIVERING, DRAINED,  STOPPING, LOST",
        "STOPPING,   STOPPING,   STOPPING, STOPPING, LOST",
        "LOST,       LOST,       LOST,     LOST,     LOST",
    })
    void aLaneThatEndsStaysSo(Phase before, Phase more, Phase noMore, Phase stopped, Phase lost) {
        LaneState state = new LaneState(before, NOW);
        assertThat(state.looked(true)).isEqualTo(new LaneState(more, NOW));
        assertThat(state.looked(false)).isEqualTo(new LaneState(noMore, NOW));
        assertThat(state.stopping()).isEqualTo(new LaneState(stopped, NOW));
        assertThat(state.lost()).isEqualTo(new LaneState(lost, NOW));
    }

    @Test
    void nothingIsAskedDuringAQuestionAndAPause() {
        assertThat(LaneState.BEGUN.mayAsk(NOW)).isTrue();
        LaneState asking = LaneState.BEGUN.asking();
        assertThat(asking.isAsking()).isTrue();
        assertThat(asking.mayAsk(NOW)).isFalse();
        assertThat(asking.answered()).isEqualTo(LaneState.BEGUN);

        LaneState paused = LaneState.BEGUN.pausedUntil(NOW.plusSeconds(2));
        assertThat(paused.isAsking()).isFalse();
        assertThat(paused.mayAsk(NOW.plusMillis(1999))).isFalse();
        assertThat(paused.mayAsk(NOW.plusSeconds(2))).isTrue();
    }
}
