package dev.ligeiro.infra.loadtest.generate;

import java.util.concurrent.TimeUnit;

/** When calls are due. */
public sealed interface Pace {

    /**
     * When the next call is due; {@link Long#MAX_VALUE} when it must wait until another call finishes.
     *
     * @param made calls so far
     * @param unfinished calls whose response or last webhook is still missing
     */
    long dueAt(long made, long unfinished, long now);

    /**
     * A fixed schedule. Latency counts from the time a call was due, so a slow system cannot improve its figures by delaying the
     * generator.
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
     * The next call is due as soon as another one finishes. This finds the peak rate. Its latencies are those of an overloaded
     * system.
     *
     * @param unfinishedMax how many calls may be unfinished at a time
     */
    record Closed(int unfinishedMax) implements Pace {

        @Override
        public long dueAt(long made, long unfinished, long now) {
            return unfinished < unfinishedMax ? now : Long.MAX_VALUE;
        }
    }
}
