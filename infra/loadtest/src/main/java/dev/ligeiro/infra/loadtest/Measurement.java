package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.generate.Generator;
import dev.ligeiro.infra.loadtest.generate.Load;
import dev.ligeiro.infra.loadtest.generate.Mix;
import dev.ligeiro.infra.loadtest.generate.Pace;
import dev.ligeiro.infra.loadtest.observe.Cost;
import dev.ligeiro.infra.loadtest.observe.Role;
import dev.ligeiro.infra.loadtest.observe.Window;
import dev.ligeiro.infra.loadtest.report.Latency;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Puts a load on, watches it and waits until all of it has come to its end; what does not is a fault. */
final class Measurement {

    /** After a load has started, before its window opens. */
    private static final int START_SECONDS = 2;

    private static final Duration DRAIN_MAX = Duration.ofSeconds(90);
    private static final long LOOK_EVERY_MILLIS = 20;
    /** More would tell nothing new. */
    private static final int FAILURES_MAX = 1_000;

    private static final int SAY_EVERY_SECONDS = 5;
    /** Of the target: what a schedule may fall short of by the window's edges. */
    private static final double SUSTAINED_PART = 0.985;

    /** Interrupts and kernel threads of a machine that is left alone stay below. */
    private static final double DISTURBED_CORES = 0.3;

    private final Bench bench;
    private final Generator generator;
    private final Mix mix;
    private final int settleSeconds;

    /** @param settleSeconds of a rate before its window opens: the compilers are busy again after each change of the load */
    Measurement(Bench bench, Generator generator, Mix mix, int settleSeconds) {
        this.bench = bench;
        this.generator = generator;
        this.mix = mix;
        this.settleSeconds = settleSeconds;
    }

    /** As fast as it goes, with {@code unfinishedMax} under way. */
    StepResult closed(String label, int unfinishedMax, int seconds) {
        return measure(label, null, START_SECONDS, seconds, startAt -> new Pace.Closed(unfinishedMax));
    }

    StepResult open(String label, double rate, int seconds) {
        return measure(
                label, rate, Math.max(START_SECONDS, settleSeconds), seconds, startAt -> new Pace.Open(startAt, rate));
    }

    private StepResult measure(
            String label, @Nullable Double targetRate, int leadSeconds, int seconds, Function<Long, Pace> pace) {
        long startAt = System.nanoTime();
        long from = startAt + TimeUnit.SECONDS.toNanos(leadSeconds);
        Load load = new Load(mix, pace.apply(startAt), from, from + TimeUnit.SECONDS.toNanos(seconds));
        bench.receiver().expect(load);
        generator.start(load);
        settle(load, from);
        Cost cost = watch(label, targetRate, seconds, load);
        drain(load);
        bench.requireSameProcesses();
        return result(label, targetRate, load, cost);
    }

    /** A load that fails is not waited for. */
    private static void settle(Load load, long until) {
        while (System.nanoTime() < until && load.failures() < FAILURES_MAX) {
            sleepUntil(Math.min(until, System.nanoTime() + TimeUnit.SECONDS.toNanos(1)));
        }
    }

    private Cost watch(String label, @Nullable Double targetRate, int seconds, Load load) {
        Window window = new Window(bench.processes(), bench.garbage(), bench.lag(), load::finished);
        String target = targetRate == null ? "closed loop" : "%.0f/s".formatted(targetRate);
        for (int second = 1; System.nanoTime() < load.measuredTo() && load.failures() < FAILURES_MAX; second++) {
            sleepUntil(Math.min(load.measuredTo(), load.measuredFrom() + TimeUnit.SECONDS.toNanos(second)));
            long lag = window.sample();
            if (second % SAY_EVERY_SECONDS == 0) {
                Progress.say(
                        "  %s, %s: %d of %d s, %.0f/s, lag %d, %d failed",
                        label,
                        target,
                        second,
                        seconds,
                        window.completedSoFar() / window.seconds(),
                        lag,
                        load.failures());
            }
        }
        return window.close();
    }

    /** What is under way must not be measured with the next load, and is needed by the audit. */
    private void drain(Load load) {
        load.cancel();
        long giveUpAt = System.nanoTime() + DRAIN_MAX.toNanos();
        while (!load.isDrained()) {
            if (System.nanoTime() > giveUpAt || load.failures() >= FAILURES_MAX) {
                bench.faults()
                        .add(
                                "load that does not end",
                                "%d calls made, %d finished, %d failed"
                                        .formatted(load.made(), load.finished(), load.failures()));
                return;
            }
            sleepUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY_MILLIS));
        }
    }

    private static StepResult result(String label, @Nullable Double targetRate, Load load, Cost cost) {
        boolean kept = targetRate == null || cost.rate() >= SUSTAINED_PART * targetRate;
        double cores =
                cost.cpuMicros().values().stream().mapToLong(Long::longValue).sum() / cost.seconds() / 1e6;
        return new StepResult(
                label,
                targetRate != null,
                targetRate,
                cost.seconds(),
                cost.rate(),
                kept && cost.lag().isFlat(cost.rate()),
                Latency.of(all(load)),
                byCall(load),
                load.mix().isAnnounced() ? Latency.of(load.announcedMicros()) : null,
                cost.systemCpuMicrosEach(),
                byWord(cost.cpuMicrosEach()),
                cost.cores(),
                cost.othersCores(),
                cost.stolenCores(),
                cost.othersCores() + cost.stolenCores() > DISTURBED_CORES,
                byWord(cost.memory()),
                byWord(cost.allocatedBytes()),
                cost.lag().max(),
                cost.lag().growth());
    }

    private static Histogram all(Load load) {
        // of the same range, not its contents
        Histogram all = new Histogram(load.announcedMicros());
        load.answerMicros().values().forEach(all::add);
        return all;
    }

    private static Map<String, Latency> byCall(Load load) {
        Map<String, Latency> latencies = new LinkedHashMap<>();
        load.answerMicros().forEach((call, micros) -> latencies.put(call.code(), Latency.of(micros)));
        return latencies;
    }

    private static <T> Map<String, T> byWord(Map<Role, T> byRole) {
        Map<String, T> byWord = new LinkedHashMap<>();
        byRole.forEach((role, value) -> byWord.put(role.code(), value));
        return byWord;
    }

    private static void sleepUntil(long nanoTime) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException("interrupted", e);
        }
    }
}
