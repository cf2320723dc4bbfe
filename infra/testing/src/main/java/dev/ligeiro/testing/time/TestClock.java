package dev.ligeiro.testing.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A clock that a test moves, for a service under test in the place of its own. It starts at the present, in UTC. */
public final class TestClock extends Clock {

    private final Clock base;
    private volatile Duration moved = Duration.ZERO;

    private TestClock(Clock base) {
        this.base = base;
    }

    /** It stands still but for {@link #move}. */
    public static TestClock frozen() {
        return new TestClock(Clock.fixed(Instant.now().truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC));
    }

    /** It goes on as the machine's clock does, ahead of it by what it was moved. */
    public static TestClock ticking() {
        return new TestClock(Clock.systemUTC());
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
