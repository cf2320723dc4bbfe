package dev.ligeiro.infra.loadtest.generate;

import java.util.concurrent.TimeUnit;

/** When calls are made. */
public sealed interface Pace {

    /**
     * When the call after {@code made} others is due, {@link Long#MAX_VALUE} when only the end of another one makes it so.
     *
     * @param unfinished calls whose effects are still to come
     */
    long dueAt(long made, long unfinished, long now);

    /**
     * By a schedule that does not care how the system fares: latency is counted from the time a call was due, so that a system that
     * stalls cannot hide it by slowing the generator down.
     */
    record Open(long startAt, double perSecond) implements Pace {

        private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

        public Open {
            if (!(perSecond > 0)) {
                throw new IllegalArgumentException("perSecond: " + perSecond + " (expected: > 0)");
            }
        }

        @Override
        public long dueAt(long made, long unfinished, long now) {
            return startAt + (long) (made * NANOS / perSecond);
        }
    }

    /**
     * As fast as calls end: what finds the peak. Its latencies are those of a system at its limit, and of callers that wait for each
     * other.
     *
     * @param unfinishedMax how many may be unfinished at once
     */
    record Closed(int unfinishedMax) implements Pace {

        @Override
        public long dueAt(long made, long unfinished, long now) {
            return unfinished < unfinishedMax ? now : Long.MAX_VALUE;
        }
    }
}
