package dev.ligeiro.support.work;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many requests of a {@link RequestBatcher} may wait: a fixed number, or as many as would be finished within a given time at the rate
 * of the last half second. If the queue was empty at any time in the last half second, the maximum holds, so that a burst is taken whole.
 *
 * <p>A limit on the age of the oldest waiting request would react too late: while the queue grows, each request waits for longer than the
 * one before it. Some would wait for twice the limit, and then all requests would be refused until the queue is empty.
 */
public final class WaitingLimit {

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int min;
    private final int max;
    private final long waitMaxNanos;
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicLong windowEndsAt = new AtomicLong(Long.MIN_VALUE);
    /** Whether the queue was empty at some time in the window. */
    private volatile boolean emptied = true;

    private volatile int limit;

    private WaitingLimit(int min, int max, long waitMaxNanos) {
        this.min = min;
        this.max = max;
        this.waitMaxNanos = waitMaxNanos;
        this.limit = max;
    }

    public static WaitingLimit fixed(int max) {
        return new WaitingLimit(max, max, 0);
    }

    /**
     * As many as are finished within {@code waitMax}.
     *
     * @param min holds for slower calls too
     */
    public static WaitingLimit ofTime(Duration waitMax, int min, int max) {
        return new WaitingLimit(min, max, waitMax.toNanos());
    }

    int max() {
        return max;
    }

    /** The limit now. The first call after the end of a window measures it; only one of several threads does. */
    int at(long nowNanos) {
        long endsAt = windowEndsAt.get();
        if (endsAt == Long.MIN_VALUE || nowNanos - endsAt >= 0) {
            if (windowEndsAt.compareAndSet(endsAt, nowNanos + WINDOW_NANOS) && endsAt != Long.MIN_VALUE) {
                measure(nowNanos - endsAt + WINDOW_NANOS);
            }
        }
        return limit;
    }

    void finished(int requests) {
        finished.addAndGet(requests);
    }

    void emptied() {
        if (!emptied) {
            emptied = true;
        }
    }

    private void measure(long windowNanos) {
        double perNano = (double) finished.getAndSet(0) / windowNanos;
        limit = emptied ? max : (int) Math.max(min, Math.min(max, perNano * waitMaxNanos));
        emptied = false;
    }
}
