package dev.ligeiro.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PassedTimeTest {

    private final TestClock clock = TestClock.frozen();
    private final PassedTime time = new PassedTime(clock);

    @Test
    void itStandsStillWhileTheClockIsSetBackAndGoesOnAtOnce() {
        clock.move(Duration.ofSeconds(3));
        assertThat(time.sinceStart()).isEqualTo(Duration.ofSeconds(3));

        clock.move(Duration.ofHours(-1));
        assertThat(time.sinceStart()).isEqualTo(Duration.ofSeconds(3));

        clock.move(Duration.ofSeconds(4));
        assertThat(time.sinceStart()).isEqualTo(Duration.ofSeconds(7));
    }
}
