package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.system.MeasuredWindow;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Applies a load, measures its window, and waits until every call is finished. A call that does not finish is a fault. */
public final class Measurement {

    /** From the start of a load to its window. */
    private static final int START_SECONDS = 2;

    private static final Duration DRAIN_MAX = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(20);
    /** A load ends early when so many calls failed. */
    private static final int FAILURES_MAX = 1_000;

    private static final int PROGRESS_SECONDS = 5;

    private final LoadTestContext context;
    private final Generator generator;
    private final CallJournal journal;

    public Measurement(LoadTestContext context, Generator generator, CallJournal journal) {
        this.context = context;
        this.generator = generator;
        this.journal = journal;
    }

    /** As fast as the system can, with at most {@code unfinishedMax} unfinished calls. */
    public StepResult closed(String label, Scenario scenario, int unfinishedMax, int seconds) {
        long from = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        return measure(label, Load.closed(scenario, unfinishedMax, from, from + TimeUnit.SECONDS.toNanos(seconds)));
    }

    /** @param settleSeconds at this rate before the window: a new rate makes the JIT compilers work again */
    public StepResult open(String label, Scenario scenario, double rate, int settleSeconds, int seconds) {
        long startAt = System.nanoTime();
        long from = startAt + TimeUnit.SECONDS.toNanos(Math.max(START_SECONDS, settleSeconds));
        return measure(label, Load.open(scenario, rate, startAt, from, from + TimeUnit.SECONDS.toNanos(seconds)));
    }

    private StepResult measure(String label, Load load) {
        context.receiver().expect(context.webhookSecret(), journal, load);
        generator.start(load);
        while (isBefore(load.measuredFrom(), load)) {
            Waits.until(Math.min(load.measuredFrom(), System.nanoTime() + TimeUnit.SECONDS.toNanos(1)));
        }
        MeasuredWindow window = new MeasuredWindow(context.processes(), context.lag(), load::finished);
        watch(label, load, window);
        MeasuredWindow.Cost cost = window.close();
        drain(load);
        context.requireSameProcesses();
        return StepResult.of(label, load, cost);
    }

    private static void watch(String label, Load load, MeasuredWindow window) {
        String target = load.targetRate() == null ? "closed loop" : "%.0f/s".formatted(load.targetRate());
        for (int second = 1; isBefore(load.measuredTo(), load); second++) {
            Waits.until(Math.min(load.measuredTo(), load.measuredFrom() + TimeUnit.SECONDS.toNanos(second)));
            long lag = window.sampleLag();
            if (second % PROGRESS_SECONDS == 0) {
                Progress.say(
                        "  %s, %s, second %d: %.0f/s, lag %d, %d failed",
                        label, target, second, window.rate(), lag, load.failures());
            }
        }
    }

    private static boolean isBefore(long nanoTime, Load load) {
        return System.nanoTime() < nanoTime && load.failures() < FAILURES_MAX;
    }

    /** Ends a load. Its unfinished calls must not run during the next window, and the audit needs their results. */
    private void drain(Load load) {
        load.cancel();
        boolean ended = Waits.until(() -> load.isDrained() || load.failures() >= FAILURES_MAX, POLL, DRAIN_MAX);
        if (!ended || load.failures() >= FAILURES_MAX) {
            context.faults().add("load that does not finish", load.toString());
        }
    }
}
