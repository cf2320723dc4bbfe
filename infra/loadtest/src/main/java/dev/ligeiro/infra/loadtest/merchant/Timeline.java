package dev.ligeiro.infra.loadtest.merchant;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Latencies by the second in which the calls were due. One thread records. Other threads read when the load is drained. */
public final class Timeline {

    /** A histogram of two digits takes 24 kB, and there is one for each second. */
    private static final int DIGITS = 2;

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long startAt;
    private final Map<Long, Histogram> microsBySecond = new ConcurrentHashMap<>();

    /** @param startAt of the first second, on {@link System#nanoTime}'s clock; earlier calls are left out */
    public Timeline(long startAt) {
        this.startAt = startAt;
    }

    void record(long dueAt, long now) {
        if (dueAt >= startAt) {
            microsBySecond
                    .computeIfAbsent((long) second(dueAt), any -> new Histogram(1, Load.MICROS_MAX, DIGITS))
                    .recordValue(Math.max(1, Math.min(Load.MICROS_MAX, TimeUnit.NANOSECONDS.toMicros(now - dueAt))));
        }
    }

    /** Seconds since the start. */
    public double second(long nanoTime) {
        return (nanoTime - startAt) / NANOS;
    }

    /** The latencies of the seconds that begin in this span, in µs. */
    public Histogram micros(double fromSecond, double toSecond) {
        Histogram all = new Histogram(1, Load.MICROS_MAX, DIGITS);
        microsBySecond.forEach((second, micros) -> {
            if (second >= fromSecond && second < toSecond) {
                all.add(micros);
            }
        });
        return all;
    }
}
