package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.brokers.Polling;
import dev.ligeiro.infra.loadtest.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.Report.StepResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Warms a scenario up, measures its peak and parts of it, and audits all its calls, those of the warm-up included. */
final class RunScenario {

    private static final int SHOWN_MAX = 20_000;
    private static final int PREPARE_SECONDS = 5;
    private static final int FIRST_UNFINISHED = 4;
    /** Transactions whose last webhook has not arrived, in closed loops. */
    private static final int UNANNOUNCED_MAX = 2_048;
    /** From the start of a load to its window. */
    private static final int START_SECONDS = 2;

    private static final Duration DRAIN_MAX = Duration.ofSeconds(90);
    private static final Duration ACCEPT_MAX = Duration.ofSeconds(90);
    /** A load ends early when so many calls failed. */
    private static final int FAILURES_MAX = 1_000;

    private static final int STEADY_WINDOW_SECONDS = 20;
    /** Two windows whose costs differ by less count as equal. */
    private static final double STEADY_PART = 0.05;

    private static final int PROGRESS_SECONDS = 5;

    private final LoadTestContext context;
    private final LoadOptions options;
    private final Scenario scenario;
    private final int unfinishedMax;
    private final CallJournal journal = new CallJournal(CallIdentifiers.random());
    private final Generator generator;
    private final List<StepResult> steps = new ArrayList<>();
    private final long startedAt = System.currentTimeMillis();

    RunScenario(LoadTestContext context, LoadOptions options, Scenario scenario) {
        this.context = context;
        this.options = options;
        this.scenario = scenario;
        this.unfinishedMax = scenario.isAnnounced() ? UNANNOUNCED_MAX : options.connections;
        this.generator = new Generator(context.merchant(), options.connections, journal, context.faults());
    }

    ScenarioResult run() {
        Terminal.say("%s", scenario.code());
        try (generator) {
            prepare();
            measure();
        }
        Terminal.say("  audit of %d calls", journal.size());
        Audit.Result audit = audit();
        Terminal.say("  audit %s", audit.passed() ? "passed" : "FAILED");
        return new ScenarioResult(
                scenario.code(),
                options.warmSeconds,
                options.isCold(),
                options.stored,
                options.connections,
                steps,
                audit);
    }

    /** The first calls are few, because the services may have just started. Then creates the transactions to read, if any. */
    private void prepare() {
        closed("first calls", Scenario.CREATE, FIRST_UNFINISHED, options.firstSeconds);
        if (scenario.reads() && !hasFaults()) {
            closed("prepare", Scenario.CREATE, options.connections, PREPARE_SECONDS);
            ListQueries lists = new ListQueries(context);
            int lastPage = scenario.lists() ? lists.requireExact() : 1;
            generator.read(Math.min(SHOWN_MAX, journal.size()), lastPage, lists.found());
        }
    }

    /** The peak and parts of it, then the given rates, then these again beside failing endpoints. Stops at the first fault. */
    private void measure() {
        if (options.warmSeconds > 0 && !hasFaults()) {
            warmUp();
        }
        if (!options.percents().isEmpty() && !hasFaults()) {
            StepResult peak = closed("peak", scenario, unfinishedMax, options.windowSeconds);
            steps.add(peak);
            for (double percent : options.percents()) {
                open("%.0f %%".formatted(percent), percent / 100 * peak.cost().rate());
            }
        }
        for (double rate : options.rates) {
            open("given", rate);
        }
        if (options.failing > 0) {
            for (double rate : options.rates) {
                try (FailingMerchant failing = new FailingMerchant(context, options.failing, rate)) {
                    open("beside " + failing, rate);
                }
            }
        }
    }

    /** Full load for the given time, and then until two windows in a row cost nearly the same, or the limit is reached. */
    private void warmUp() {
        double before = closed("warm-up", scenario, unfinishedMax, options.warmSeconds)
                .cost()
                .systemCpuMicros();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.steadyWithinSeconds);
        boolean steady = false;
        while (!steady && !hasFaults() && System.nanoTime() < deadline) {
            double cost = closed("warm-up until steady", scenario, unfinishedMax, STEADY_WINDOW_SECONDS)
                    .cost()
                    .systemCpuMicros();
            steady = Math.abs(cost - before) < STEADY_PART * before;
            Terminal.say("  %.0f µs each%s", cost, steady ? ", steady" : "");
            before = cost;
        }
    }

    private boolean hasFaults() {
        return context.faults().count() > 0;
    }

    /** As fast as the system can, with at most this many unfinished calls. */
    private StepResult closed(String label, Scenario calls, int callsUnfinishedMax, int seconds) {
        long from = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        return measure(label, Load.closed(calls, callsUnfinishedMax, from, from + TimeUnit.SECONDS.toNanos(seconds)));
    }

    /** The window begins some seconds later: a new rate makes the JIT compilers work again. */
    private void open(String label, double rate) {
        if (!hasFaults()) {
            long startAt = System.nanoTime();
            long from = startAt + TimeUnit.SECONDS.toNanos(Math.max(START_SECONDS, options.settleSeconds));
            long to = from + TimeUnit.SECONDS.toNanos(options.windowSeconds);
            steps.add(measure(label, Load.open(scenario, rate, startAt, from, to)));
        }
    }

    /** Applies a load, measures its window, and waits until every call is finished. A call that does not finish is a fault. */
    private StepResult measure(String label, Load load) {
        context.receiver().expect(context.webhookSecret(), journal, load);
        generator.start(load);
        while (isBefore(load.measuredFrom, load)) {
            Terminal.waitUntil(Math.min(load.measuredFrom, System.nanoTime() + TimeUnit.SECONDS.toNanos(1)));
        }
        MeasuredWindow window = new MeasuredWindow(context, load::finished);
        for (int second = 1; isBefore(load.measuredTo, load); second++) {
            Terminal.waitUntil(Math.min(load.measuredTo, load.measuredFrom + TimeUnit.SECONDS.toNanos(second)));
            long lag = window.sampleLag();
            if (second % PROGRESS_SECONDS == 0) {
                Terminal.say(
                        "  %s, %s, second %d: %.0f/s, lag %d, %d failed",
                        label, load.target(), second, window.rate(), lag, load.failures());
            }
        }
        MeasuredWindow.Cost cost = window.close();
        drain(load);
        context.requireSameProcesses();
        return StepResult.of(label, load, cost);
    }

    private static boolean isBefore(long nanoTime, Load load) {
        return System.nanoTime() < nanoTime && load.failures() < FAILURES_MAX;
    }

    /** Ends a load. Its unfinished calls must not run during the next window, and the audit needs their results. */
    private void drain(Load load) {
        load.cancel();
        boolean ended = Polling.until(() -> load.isDrained() || load.failures() >= FAILURES_MAX, DRAIN_MAX);
        if (!ended || load.failures() >= FAILURES_MAX) {
            context.faults().add("load that does not finish", load.toString());
        }
    }

    /** Compares the calls with the transactions that the merchant has created since the scenario began. */
    private Audit.Result audit() {
        LoadedTransactions stored = context.stored();
        boolean processed = context.processes().has(Role.PROCESSOR);
        Audit audit = new Audit(journal, processed, context.faults());
        if (processed) {
            // the processors may still have commands to consume
            Polling.until(() -> stored.countUnaccepted(context.tenant(), startedAt) == 0, ACCEPT_MAX);
        }
        stored.forEachSince(context.tenant(), startedAt, audit::take);
        return audit.finish();
    }
}
