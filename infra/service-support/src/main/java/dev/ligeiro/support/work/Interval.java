package dev.ligeiro.support.work;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets work begin once in an interval of a clock's time. If the clock was set back by more than the interval, work may begin at once.
 * Comparing with the next due time would block the work until the clock catches up.
 */
public final class Interval {

    private final Duration length;
    private final AtomicReference<Instant> begunAt = new AtomicReference<>(Instant.EPOCH);

    public Interval(Duration length) {
        this.length = length;
    }

    /** Begins the next interval if the last one is over. True for one of the calls at the same time. */
    public boolean begin(Instant now) {
        Instant last = begunAt.get();
        return Duration.between(last, now).abs().compareTo(length) >= 0 && begunAt.compareAndSet(last, now);
    }

    /** The next call of {@link #begin} begins an interval. */
    public void reset() {
        begunAt.set(Instant.EPOCH);
    }
}
