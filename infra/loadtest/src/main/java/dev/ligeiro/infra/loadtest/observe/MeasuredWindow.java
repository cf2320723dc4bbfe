package dev.ligeiro.infra.loadtest.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures the cost of a period. CPU is the last reading at its start and the first at its end: metrics scrapes and memory maps, which
 * cost CPU themselves, fall outside. Only the lag is read inside, once a second.
 */
public final class MeasuredWindow {

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Processes processes;
    private final AllocatedBytes allocation;
    private final ConsumerLag consumerLag;
    private final LongSupplier finished;
    private final LagTrend lag = new LagTrend();
    private final Map<Role, Long> allocatedBefore;
    private final long finishedBeforeScrape;
    private final long startedAt;
    private final long finishedBefore;
    private final Map<Role, Long> cpuBefore;
    private final Proc.MachineCpu machineBefore;

    /**
     * Starts the period.
     *
     * @param finished the number of calls finished so far
     */
    public MeasuredWindow(
            Processes processes, AllocatedBytes allocation, ConsumerLag consumerLag, LongSupplier finished) {
        this.processes = processes;
        this.allocation = allocation;
        this.consumerLag = consumerLag;
        this.finished = finished;
        this.allocatedBefore = allocation.read();
        this.finishedBeforeScrape = finished.getAsLong();
        this.startedAt = System.nanoTime();
        this.finishedBefore = finished.getAsLong();
        this.cpuBefore = processes.cpuMicros();
        this.machineBefore = Proc.machineCpu();
    }

    /** Reads the lag and adds it to the trend. */
    public long sampleLag() {
        long records = consumerLag.records();
        lag.add(seconds(), records);
        return records;
    }

    public double seconds() {
        return (System.nanoTime() - startedAt) / NANOS;
    }

    public long finishedSoFar() {
        return finished.getAsLong() - finishedBefore;
    }

    public WindowCost close() {
        double seconds = seconds();
        long done = finishedSoFar();
        Map<Role, Long> cpu = difference(processes.cpuMicros(), cpuBefore);
        Proc.MachineCpu machine = Proc.machineCpu();
        Map<Role, Long> allocated = difference(allocation.read(), allocatedBefore);
        long doneBetweenScrapes = Math.max(1, finished.getAsLong() - finishedBeforeScrape);
        allocated.replaceAll((role, bytes) -> bytes / doneBetweenScrapes);
        Proc.MachineCpu used = new Proc.MachineCpu(
                machine.busyMicros() - machineBefore.busyMicros(),
                machine.stolenMicros() - machineBefore.stolenMicros());
        return WindowCost.of(seconds, done, cpu, used, processes.memory(), allocated, lag);
    }

    private static Map<Role, Long> difference(Map<Role, Long> after, Map<Role, Long> before) {
        Map<Role, Long> difference = new EnumMap<>(Role.class);
        after.forEach((role, value) -> difference.put(role, value - before.getOrDefault(role, 0L)));
        return difference;
    }
}
