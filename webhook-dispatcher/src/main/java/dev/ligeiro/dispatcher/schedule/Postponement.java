package dev.ligeiro.dispatcher.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Component;

/**
 * The delay of deliveries whose endpoint is at its limit of running attempts. A jitter of ±50 % keeps deliveries that were postponed
 * together from being due together.
 */
@Component
class Postponement {

    private static final double JITTER = 0.5;

    private final Duration typical;
    private final Clock clock;

    Postponement(RetryProperties properties, Clock clock) {
        this.typical = properties.postponement();
        this.clock = clock;
    }

    /** The due time of a delivery that is postponed now. */
    Instant end() {
        return clock.instant()
                .plus(RetrySchedule.jittered(
                        typical, JITTER, ThreadLocalRandom.current().nextDouble(-1, 1)));
    }
}
