package dev.ligeiro.infra.loadtest.merchant;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/** Latencies by the second in which the calls were due. Any thread may record and read. */
public final class Timeline {

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long startAt;
    private final Map<Long, Histogram> microsBySecond = new HashMap<>();

    /** @param startAt of the first second, on {@link System#nanoTime}'s clock; earlier calls are left out */
    public Timeline(long startAt) {
        this.startAt = startAt;
    }

    /** Both on {@link System#nanoTime}'s clock. */
    public synchronized void record(long dueAt, long now) {
        if (dueAt >= startAt) {
            // packed: there is one for each second, and an unpacked one takes 170 kB
            microsBySecond
                    .computeIfAbsent(
                            (long) second(dueAt), first -> new PackedHistogram(1, Load.MICROS_MAX, Load.DIGITS))
                    .recordValue(Math.max(1, Math.min(Load.MICROS_MAX, TimeUnit.NANOSECONDS.toMicros(now - dueAt))));
        }
    }

    /** Seconds since the start. */
    public double second(long nanoTime) {
        return (nanoTime - startAt) / NANOS;
    }

    /** The latencies of the seconds that begin in this span, in µs. */
    public synchronized Histogram micros(double fromSecond, double toSecond) {
        Histogram all = Load.histogram();
        microsBySecond.forEach((second, micros) -> {
            if (second >= fromSecond && second < toSecond) {
                all.add(micros);
            }
        });
        return all;
    }
}
