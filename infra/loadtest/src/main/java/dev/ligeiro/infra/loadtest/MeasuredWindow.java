package dev.ligeiro.infra.loadtest;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.bson.Document;

/**
 * Measures the cost of a period. CPU is the last reading at its start and the first at its end: the other readings, which cost CPU
 * themselves, fall outside. Only the lag is read inside, once a second.
 */
final class MeasuredWindow {

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double MICROS = TimeUnit.SECONDS.toMicros(1);

    private final Processes processes;
    private final ConsumerLag consumerLag;
    private final LoadedTransactions database;
    private final LongSupplier finished;
    private final LagTrend lag = new LagTrend();
    private final long startedAt;
    private final long finishedBefore;
    private final Work workBefore;
    private final Map<Role, Long> cpuBefore;
    private final Processes.Machine machineBefore;

    /**
     * The rate of the period and its cost. CPU is in µs of one core for each finished call.
     *
     * @param finished calls whose last effect was seen in the window
     * @param rate finished calls a second
     * @param systemCpuMicros all processes but generator and receiver
     * @param cores busy with processes of the run, generator and receiver included
     * @param othersCores busy with other programs, and with interrupts, which the kernel counts for no process
     * @param stolenCores taken by the host of a virtual machine
     * @param rssKilobytes at the window's end
     * @param lagGrowth records a second
     * @param lagFlat whether the consumers kept up
     * @param workEach for each finished call
     */
    record Cost(
            double seconds,
            long finished,
            double rate,
            double systemCpuMicros,
            Map<Role, Double> cpuMicros,
            double cores,
            double othersCores,
            double stolenCores,
            Map<Role, Long> rssKilobytes,
            long lagMax,
            double lagGrowth,
            boolean lagFlat,
            Work workEach) {}

    /**
     * What the system did besides using CPU.
     *
     * @param threadSwitches of all its processes
     * @param mongodbOperations documents inserted, and commands of any other kind
     * @param mongodbInsertions entries of collections and indexes that mongod's storage engine inserted
     * @param journalBytes written by mongod, after compression
     */
    record Work(double threadSwitches, double mongodbOperations, double mongodbInsertions, double journalBytes) {

        static Work read(Processes processes, LoadedTransactions database) {
            Document status = database.serverStatus();
            Document engine = status.get("wiredTiger", Document.class);
            return new Work(
                    processes.threadSwitches(),
                    status.get("opcounters", Document.class).values().stream()
                            .filter(Number.class::isInstance)
                            .mapToDouble(count -> ((Number) count).doubleValue())
                            .sum(),
                    count(engine.get("cursor", Document.class), "cursor insert calls"),
                    count(engine.get("log", Document.class), "log bytes written"));
        }

        /** The mean of each number since {@code before} for one of {@code calls}. */
        Work each(Work before, long calls) {
            return new Work(
                    (threadSwitches - before.threadSwitches) / calls,
                    (mongodbOperations - before.mongodbOperations) / calls,
                    (mongodbInsertions - before.mongodbInsertions) / calls,
                    (journalBytes - before.journalBytes) / calls);
        }

        private static double count(Document counters, String name) {
            return counters.get(name, Number.class).doubleValue();
        }
    }

    /**
     * Starts the period.
     *
     * @param finished the number of calls finished so far
     */
    MeasuredWindow(LoadTestContext context, LongSupplier finished) {
        this.processes = context.processes();
        this.consumerLag = context.lag();
        this.database = context.stored();
        this.finished = finished;
        this.workBefore = Work.read(processes, database);
        this.startedAt = System.nanoTime();
        this.finishedBefore = finished.getAsLong();
        this.cpuBefore = processes.cpuMicros();
        this.machineBefore = Processes.Machine.read();
    }

    long sampleLag() {
        long records = consumerLag.records();
        lag.add(seconds(), records);
        return records;
    }

    /** Finished calls a second so far. */
    double rate() {
        return (finished.getAsLong() - finishedBefore) / seconds();
    }

    Cost close() {
        double seconds = seconds();
        long done = finished.getAsLong() - finishedBefore;
        Map<Role, Long> cpu = difference(processes.cpuMicros(), cpuBefore);
        Processes.Machine machine = Processes.Machine.read();
        Map<Role, Double> cpuEach = new EnumMap<>(Role.class);
        cpu.forEach((role, micros) -> cpuEach.put(role, micros / (double) Math.max(1, done)));
        double runMicros = cpu.values().stream().mapToLong(micros -> micros).sum();
        double busyMicros = machine.busyMicros() - machineBefore.busyMicros();
        return new Cost(
                seconds,
                done,
                done / seconds,
                cpuEach.entrySet().stream()
                        .filter(entry -> entry.getKey().isSystem())
                        .mapToDouble(Map.Entry::getValue)
                        .sum(),
                cpuEach,
                runMicros / seconds / MICROS,
                Math.max(0, busyMicros - runMicros) / seconds / MICROS,
                (machine.stolenMicros() - machineBefore.stolenMicros()) / seconds / MICROS,
                processes.rssKilobytes(),
                lag.max(),
                lag.growth(),
                lag.isFlat(done / seconds),
                Work.read(processes, database).each(workBefore, Math.max(1, done)));
    }

    private double seconds() {
        return (System.nanoTime() - startedAt) / NANOS;
    }

    private static Map<Role, Long> difference(Map<Role, Long> after, Map<Role, Long> before) {
        Map<Role, Long> difference = new EnumMap<>(Role.class);
        after.forEach((role, value) -> difference.put(role, value - before.getOrDefault(role, 0L)));
        return difference;
    }

    /** The lag during a window: samples, and whether it grew. */
    static final class LagTrend {

        /** A lag below this much of a second's transactions counts as flat. */
        private static final double HARMLESS_SECONDS = 0.5;
        /** A growth below this part of the rate may be chance. */
        private static final double HARMLESS_PART = 0.01;

        private final List<Sample> samples = new ArrayList<>();

        private record Sample(double seconds, long records) {}

        void add(double atSeconds, long records) {
            samples.add(new Sample(atSeconds, records));
        }

        long max() {
            return samples.stream().mapToLong(Sample::records).max().orElse(0);
        }

        /** Records a second by which it grew, by least squares; negative when it shrank. */
        double growth() {
            double meanX =
                    samples.stream().mapToDouble(Sample::seconds).average().orElse(0);
            double meanY = samples.stream().mapToLong(Sample::records).average().orElse(0);
            double products = 0;
            double squares = 0;
            for (Sample sample : samples) {
                products += (sample.seconds() - meanX) * (sample.records() - meanY);
                squares += (sample.seconds() - meanX) * (sample.seconds() - meanX);
            }
            return squares == 0 ? 0 : products / squares;
        }

        /** Whether the consumers kept up with {@code rate} transactions a second. */
        boolean isFlat(double rate) {
            return max() <= HARMLESS_SECONDS * rate || growth() <= HARMLESS_PART * rate;
        }
    }
}
