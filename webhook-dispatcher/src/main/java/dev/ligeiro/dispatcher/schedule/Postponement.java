package dev.ligeiro.dispatcher.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Component;

/**
 * When a delivery comes back whose endpoint has no room. Spread by half to either side: what was put off together must not come back
 * together.
 */
@Component
class Postponement {

    private static final double SPREAD = 0.5;

    private final Duration typical;
    private final Clock clock;

    Postponement(RetryProperties properties, Clock clock) {
        this.typical = properties.postponement();
        this.clock = clock;
    }

    Instant end() {
        return clock.instant()
                .plus(RetrySchedule.jittered(
                        typical, SPREAD, ThreadLocalRandom.current().nextDouble(-1, 1)));
    }
}
