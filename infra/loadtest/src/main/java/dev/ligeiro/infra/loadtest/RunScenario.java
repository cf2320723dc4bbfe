package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.audit.Audit;
import dev.ligeiro.infra.loadtest.audit.AuditResult;
import dev.ligeiro.infra.loadtest.generate.Generator;
import dev.ligeiro.infra.loadtest.generate.Mix;
import dev.ligeiro.infra.loadtest.generate.Targets;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import dev.ligeiro.infra.loadtest.ledger.Naming;
import dev.ligeiro.infra.loadtest.report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Warms a scenario up, measures it at its peak and at parts of it, and audits all that it did, the warm-up too. */
final class RunScenario {

    private static final int SHOWN = 20_000;
    private static final int PREPARE_SECONDS = 5;
    private static final int WAKE_UNFINISHED = 4;
    private static final int WAKE_SECONDS = 3;
    private static final Duration ACCEPT_MAX = Duration.ofSeconds(60);

    private final Bench bench;
    private final Options options;
    private final Scenario scenario;
    private final Ledger ledger = new Ledger();
    private final Naming naming =
            new Naming(String.format("%08x", ThreadLocalRandom.current().nextInt()));
    private final long startedAt = System.currentTimeMillis();

    RunScenario(Bench bench, Options options, Scenario scenario) {
        this.bench = bench;
        this.options = options;
        this.scenario = scenario;
    }

    ScenarioResult run() {
        Progress.say("%s", scenario.code());
        bench.receiver().expect(bench.webhookSecret(), naming, ledger);
        List<StepResult> steps;
        try (Generator generator =
                new Generator(bench.merchant(), options.connections(), naming, ledger, bench.faults())) {
            prepare(generator);
            steps = measure(generator);
        }
        AuditResult audit = audit();
        return new ScenarioResult(
                scenario.code(),
                options.warmSeconds(),
                options.isCold(),
                options.stored(),
                options.connections(),
                steps,
                audit);
    }

    /** Services that have just started are woken gently; and what the scenario reads has to be there. */
    private void prepare(Generator generator) {
        Measurement creates = new Measurement(bench, generator, Mix.CREATE, 0);
        creates.closed("wake", WAKE_UNFINISHED, WAKE_SECONDS);
        if (!scenario.mix().shows() && !scenario.mix().lists() || isBroken()) {
            return;
        }
        creates.closed("prepare", options.connections(), PREPARE_SECONDS);
        int lastPage = scenario.mix().lists() ? lastPage() : 1;
        generator.aimAt(new Targets(0, Math.min(SHOWN, ledger.size()), lastPage));
    }

    /** Of the whole list, whose total must be right. */
    private int lastPage() {
        JsonNode list = bench.api().list(bench.merchant(), 1);
        long total = list.required("total").asLong();
        long stored = bench.stored().count(bench.tenant());
        if (total != stored) {
            bench.faults().add("list with a wrong total", total + " (expected: " + stored + ")");
        }
        return list.required("last_page").asInt();
    }

    /** Stops at the first fault: what comes after it would not count. */
    private List<StepResult> measure(Generator generator) {
        Measurement measurement = new Measurement(bench, generator, scenario.mix(), options.settleSeconds());
        int unfinishedMax = scenario.mix().isAnnounced() ? options.unfinishedMax() : options.connections();
        if (options.warmSeconds() > 0 && !isBroken()) {
            measurement.closed("warm-up", unfinishedMax, options.warmSeconds());
        }
        List<StepResult> steps = new ArrayList<>();
        for (double rate : rates(measurement, unfinishedMax, steps)) {
            if (!isBroken()) {
                String label = steps.isEmpty() || steps.get(0).openLoop()
                        ? "given"
                        : "%.0f %%".formatted(100 * rate / steps.get(0).rate());
                steps.add(measurement.open(label, rate, options.windowSeconds()));
            }
        }
        return steps;
    }

    /** The rates of the open loops: as given, else parts of the peak, which is measured and added to {@code steps}. */
    private List<Double> rates(Measurement measurement, int unfinishedMax, List<StepResult> steps) {
        if (!options.rates().isEmpty() || isBroken()) {
            return options.rates();
        }
        StepResult peak = measurement.closed("peak", unfinishedMax, options.windowSeconds());
        steps.add(peak);
        return options.percents().stream()
                .map(percent -> percent / 100 * peak.rate())
                .toList();
    }

    private boolean isBroken() {
        return bench.faults().count() > 0;
    }

    private AuditResult audit() {
        Progress.say("  audit of %d calls", ledger.size());
        Audit audit = new Audit(ledger, naming, bench.isProcessed(), bench.faults());
        awaitAccepted();
        bench.stored().forEachSince(bench.tenant(), startedAt, audit::take);
        AuditResult result = audit.sumUp();
        Progress.say("  audit %s", result.passed() ? "passed" : "FAILED");
        return result;
    }

    /** The last commands may still be on their way. */
    private void awaitAccepted() {
        long giveUpAt = System.nanoTime() + ACCEPT_MAX.toNanos();
        while (bench.isProcessed()
                && bench.stored().countUnaccepted(bench.tenant(), startedAt) > 0
                && System.nanoTime() < giveUpAt) {
            try {
                TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CannotRunException("interrupted", e);
            }
        }
    }
}
