package dev.ligeiro.infra.standalone.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff backoff = new Backoff();

    @Test
    void doublesFromOneSecondToThirtyWhileLivesAreShort() {
        assertThat(pausesAfter(Stream.generate(() -> 0).limit(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
    }

    @Test
    void beginsAgainAfterAHealthyLife() {
        assertThat(pausesAfter(Stream.of(0, 0, 29, 30, 0))).containsExactly(1L, 2L, 4L, 1L, 2L);
    }

    private List<Long> pausesAfter(Stream<Integer> livesInSeconds) {
        return livesInSeconds
                .map(lived -> backoff.after(Duration.ofSeconds(lived)).toSeconds())
                .toList();
    }
}
