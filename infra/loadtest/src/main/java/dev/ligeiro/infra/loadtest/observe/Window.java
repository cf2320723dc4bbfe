package dev.ligeiro.infra.loadtest.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Watches a stretch of time: CPU is read as its first and last act, so that scrapes, samples and memory maps, which cost CPU
 * themselves, count only where they fall inside (a sample of the lag each second).
 */
public final class Window {

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Processes processes;
    private final Garbage garbage;
    private final ConsumerLag consumerLag;
    private final LongSupplier completed;
    private final LagTrend lag = new LagTrend();
    private final Map<Role, Long> allocatedBefore;
    private final long completedBeforeScrape;
    private final long startedAt;
    private final long completedBefore;
    private final Map<Role, Long> cpuBefore;
    private final MachineCpu machineBefore;

    /** Opens it. */
    public Window(Processes processes, Garbage garbage, ConsumerLag consumerLag, LongSupplier completed) {
        this.processes = processes;
        this.garbage = garbage;
        this.consumerLag = consumerLag;
        this.completed = completed;
        this.allocatedBefore = garbage.allocatedBytes();
        this.completedBeforeScrape = completed.getAsLong();
        this.startedAt = System.nanoTime();
        this.completedBefore = completed.getAsLong();
        this.cpuBefore = processes.cpuMicros();
        this.machineBefore = MachineCpu.now();
    }

    /** Returns the lag, which it notes. */
    public long sample() {
        long records = consumerLag.records();
        lag.add(seconds(), records);
        return records;
    }

    public double seconds() {
        return (System.nanoTime() - startedAt) / NANOS;
    }

    public long completedSoFar() {
        return completed.getAsLong() - completedBefore;
    }

    public Cost close() {
        double seconds = seconds();
        long done = completedSoFar();
        Map<Role, Long> cpu = difference(processes.cpuMicros(), cpuBefore);
        MachineCpu machine = MachineCpu.now().since(machineBefore);
        Map<Role, Long> allocated = difference(garbage.allocatedBytes(), allocatedBefore);
        long doneOverScrapes = Math.max(1, completed.getAsLong() - completedBeforeScrape);
        allocated.replaceAll((role, bytes) -> bytes / doneOverScrapes);
        return new Cost(seconds, done, cpu, machine, processes.memory(), allocated, lag);
    }

    private static Map<Role, Long> difference(Map<Role, Long> after, Map<Role, Long> before) {
        Map<Role, Long> difference = new EnumMap<>(Role.class);
        after.forEach((role, value) -> difference.put(role, value - before.getOrDefault(role, 0L)));
        return difference;
    }
}
