package dev.ligeiro.infra.loadtest;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A period of load: when its calls are due, its counters and its latencies. Calls that are due in the measured window count in the
 * histograms; later calls are not made. The generator's thread records calls and responses, the receiver's thread records webhooks.
 * Histograms may be read when the load is drained.
 */
final class Load {

    private static final long MICROS_MAX = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    final Scenario scenario;
    /** Calls a second of an open loop; null of a closed one. */
    final @Nullable Double targetRate;

    private final int unfinishedMax;
    private final long startAt;
    final long measuredFrom;
    final long measuredTo;
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    /** From due to response, by kind of call. */
    final Map<Call, Histogram> responseMicros = new EnumMap<>(Call.class);
    /** From due to the arrival of the last webhook. */
    final Histogram webhookMicros = histogram();

    private volatile boolean canceled;

    private Load(Scenario scenario, @Nullable Double targetRate, int unfinishedMax, long startAt, long from, long to) {
        this.scenario = scenario;
        this.targetRate = targetRate;
        this.unfinishedMax = unfinishedMax;
        this.startAt = startAt;
        this.measuredFrom = from;
        this.measuredTo = to;
    }

    /**
     * Calls are due by the clock. Latency counts from the time a call was due, so a slow system cannot improve its figures by delaying
     * the generator.
     *
     * @param rate calls a second
     */
    static Load open(Scenario scenario, double rate, long startAt, long measuredFrom, long measuredTo) {
        if (!(rate > 0)) {
            throw new IllegalArgumentException("rate: " + rate + " (expected: > 0)");
        }
        return new Load(scenario, rate, Integer.MAX_VALUE, startAt, measuredFrom, measuredTo);
    }

    /**
     * A call is due as soon as another one finishes. This finds the peak rate. Its latencies are those of an overloaded system.
     *
     * @param unfinishedMax how many calls may be unfinished at a time
     */
    static Load closed(Scenario scenario, int unfinishedMax, long measuredFrom, long measuredTo) {
        return new Load(scenario, null, unfinishedMax, 0, measuredFrom, measuredTo);
    }

    /** When the next call is due; {@link Long#MAX_VALUE} when none is, or when it must wait until another call finishes. */
    long nextDueAt(long now) {
        long due = Long.MAX_VALUE;
        if (targetRate != null) {
            due = startAt + (long) (made.get() * NANOS / targetRate);
        } else if (made.get() - finished.get() - failed.get() < unfinishedMax) {
            due = now;
        }
        return due >= measuredTo || canceled ? Long.MAX_VALUE : due;
    }

    boolean isOver(long now) {
        return now >= measuredTo || canceled;
    }

    /** Counts the next call; returns its kind. */
    Call make() {
        return scenario.call(made.getAndIncrement());
    }

    void answered(Call call, long dueAt, long now) {
        record(responseMicros.computeIfAbsent(call, first -> histogram()), dueAt, now);
        // counted after recording: a thread that reads the counts sees the histograms too
        if (!call.isAnnounced()) {
            finished.incrementAndGet();
        }
        answered.incrementAndGet();
    }

    void failed() {
        failed.incrementAndGet();
    }

    /** The last missing webhook of a call arrived. */
    void finishedByWebhook(long dueAt, long now) {
        record(webhookMicros, dueAt, now);
        finished.incrementAndGet();
    }

    /** No further calls are made. */
    void cancel() {
        canceled = true;
    }

    /** The rate for a person. */
    String target() {
        return targetRate == null ? "closed loop" : "%.0f/s".formatted(targetRate);
    }

    /** Calls a second of an open loop; null of a closed one. */
    @Nullable
    Double targetRate() {
        return targetRate;
    }

    long failures() {
        return failed.get();
    }

    /** Calls whose last expected effect was seen: the response, or the last missing webhook. */
    long finished() {
        return finished.get();
    }

    /** Whether every call was answered or failed. */
    boolean isAnswered() {
        return answered.get() + failed.get() == made.get();
    }

    /** Whether every call was answered or failed, and every webhook that can still be expected has arrived. */
    boolean isDrained() {
        return isAnswered() && finished.get() + failed.get() >= made.get();
    }

    static Histogram histogram() {
        return new Histogram(1, MICROS_MAX, DIGITS);
    }

    @Override
    public String toString() {
        return "%d calls made, %d finished, %d failed".formatted(made.get(), finished.get(), failed.get());
    }

    private void record(Histogram micros, long dueAt, long now) {
        if (dueAt >= measuredFrom && dueAt < measuredTo) {
            long late = TimeUnit.NANOSECONDS.toMicros(now - dueAt);
            micros.recordValue(Math.max(1, Math.min(MICROS_MAX, late)));
        }
    }
}
