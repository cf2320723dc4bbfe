package dev.ligeiro.gateway.http;

import java.time.Clock;
import java.time.Duration;

/** The time that has passed by a clock. It never goes back: when the clock is set back, it goes on from where it was. */
public final class PassedTime {

    private final Clock clock;
    private long lastMillis;
    private long passedMillis;

    public PassedTime(Clock clock) {
        this.clock = clock;
        this.lastMillis = clock.millis();
    }

    /** In milliseconds. A step back of the clock counts from the call that first sees it. */
    public synchronized Duration sinceStart() {
        long now = clock.millis();
        passedMillis += Math.max(0, now - lastMillis);
        lastMillis = now;
        return Duration.ofMillis(passedMillis);
    }
}
