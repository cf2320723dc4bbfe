package dev.ligeiro.testing.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A clock that a test moves forward, in place of the service's clock. It starts at the current time, in UTC. */
public final class TestClock extends Clock {

    private final Clock base;
    private volatile Duration moved = Duration.ZERO;

    private TestClock(Clock base) {
        this.base = base;
    }

    /** Only {@link #move} changes its time. */
    public static TestClock frozen() {
        return new TestClock(Clock.fixed(Instant.now().truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC));
    }

    /** It runs like the machine's clock, in milliseconds and ahead by the sum of all moves. */
    public static TestClock ticking() {
        return new TestClock(Clock.tickMillis(ZoneOffset.UTC));
    }

    public synchronized void move(Duration forward) {
        moved = moved.plus(forward);
    }

    @Override
    public Instant instant() {
        return base.instant().plus(moved);
    }

    @Override
    public ZoneId getZone() {
        return base.getZone();
    }

    /** @throws UnsupportedOperationException always: the services' clocks are in UTC */
    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("zone: " + zone + " (expected: the services read UTC)");
    }
}
