package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.launcher.SupervisedProcess.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff backoff = new Backoff();

    @Test
    void doublesFromOneToThirtySecondsAfterShortUptimes() {
        assertThat(pausesAfter(Stream.generate(() -> 0).limit(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
    }

    @Test
    void restartsAtOnceAfterAHealthyUptime() {
        assertThat(pausesAfter(Stream.of(0, 0, 19, 20, 0, 0))).containsExactly(1L, 2L, 4L, 0L, 1L, 2L);
    }

    @Test
    void doublesWhileStartsFailAfterAHealthyUptime() {
        assertThat(backoff.after(Duration.ofMinutes(5))).isZero();
        assertThat(backoff.afterFailedStart()).hasSeconds(1);
        assertThat(backoff.afterFailedStart()).hasSeconds(2);
    }

    private List<Long> pausesAfter(Stream<Integer> uptimesInSeconds) {
        return uptimesInSeconds
                .map(uptime -> backoff.after(Duration.ofSeconds(uptime)).toSeconds())
                .toList();
    }
}
