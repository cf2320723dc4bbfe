package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.generate.Generator;
import dev.ligeiro.infra.loadtest.generate.Load;
import dev.ligeiro.infra.loadtest.generate.Pace;
import dev.ligeiro.infra.loadtest.generate.Scenario;
import dev.ligeiro.infra.loadtest.observe.MeasuredWindow;
import dev.ligeiro.infra.loadtest.observe.WindowCost;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Applies a load, measures its window, and waits until every call is finished. A call that does not finish is a fault. */
final class Measurement {

    /** From the start of a load to its window. */
    private static final int START_SECONDS = 2;

    private static final Duration DRAIN_MAX = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(20);
    /** A load ends early when so many calls failed. */
    private static final int FAILURES_MAX = 1_000;

    private static final int PROGRESS_SECONDS = 5;

    private final LoadTestContext context;
    private final Generator generator;
    private final Scenario scenario;
    private final int settleSeconds;

    /** @param settleSeconds of an open loop before its window: a new rate makes the JIT compilers work again */
    Measurement(LoadTestContext context, Generator generator, Scenario scenario, int settleSeconds) {
        this.context = context;
        this.generator = generator;
        this.scenario = scenario;
        this.settleSeconds = settleSeconds;
    }

    /** As fast as the system can, with at most {@code unfinishedMax} unfinished calls. */
    StepResult closed(String label, int unfinishedMax, int seconds) {
        return measure(label, null, START_SECONDS, seconds, startAt -> new Pace.Closed(unfinishedMax));
    }

    StepResult open(String label, double rate, int seconds) {
        return measure(
                label, rate, Math.max(START_SECONDS, settleSeconds), seconds, startAt -> new Pace.Open(startAt, rate));
    }

    private StepResult measure(
            String label, @Nullable Double targetRate, int leadSeconds, int seconds, LongFunction<Pace> pace) {
        long startAt = System.nanoTime();
        long from = startAt + TimeUnit.SECONDS.toNanos(leadSeconds);
        Load load = new Load(scenario, pace.apply(startAt), from, from + TimeUnit.SECONDS.toNanos(seconds));
        context.receiver().count(load);
        generator.start(load);
        waitUntil(from, load);
        WindowCost cost = watch(label, targetRate, seconds, load);
        drain(load);
        context.requireSameProcesses();
        return StepResult.of(label, targetRate, load, scenario.isAnnounced(), cost);
    }

    private static void waitUntil(long nanoTime, Load load) {
        while (System.nanoTime() < nanoTime && load.failures() < FAILURES_MAX) {
            Waits.until(Math.min(nanoTime, System.nanoTime() + TimeUnit.SECONDS.toNanos(1)));
        }
    }

    private WindowCost watch(String label, @Nullable Double targetRate, int seconds, Load load) {
        MeasuredWindow window =
                new MeasuredWindow(context.processes(), context.allocation(), context.lag(), load::finished);
        String target = targetRate == null ? "closed loop" : "%.0f/s".formatted(targetRate);
        for (int second = 1; System.nanoTime() < load.measuredTo() && load.failures() < FAILURES_MAX; second++) {
            Waits.until(Math.min(load.measuredTo(), load.measuredFrom() + TimeUnit.SECONDS.toNanos(second)));
            long lag = window.sampleLag();
            if (second % PROGRESS_SECONDS == 0) {
                Progress.say(
                        "  %s, %s: %d of %d s, %.0f/s, lag %d, %d failed",
                        label,
                        target,
                        second,
                        seconds,
                        window.finishedSoFar() / window.seconds(),
                        lag,
                        load.failures());
            }
        }
        return window.close();
    }

    /** The unfinished calls of a load must not run during the next window, and the audit needs their results. */
    private void drain(Load load) {
        load.cancel();
        boolean ended = Waits.until(() -> load.isDrained() || load.failures() >= FAILURES_MAX, POLL, DRAIN_MAX);
        if (!ended || load.failures() >= FAILURES_MAX) {
            context.faults()
                    .add(
                            "load that does not finish",
                            "%d calls made, %d finished, %d failed"
                                    .formatted(load.made(), load.finished(), load.failures()));
        }
    }
}
