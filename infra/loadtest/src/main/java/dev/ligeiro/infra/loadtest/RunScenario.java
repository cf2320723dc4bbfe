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
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Warms a scenario up, measures it at its peak and at parts of it, and audits all that it did, the warm-up too. */
final class RunScenario {

    private static final int SHOWN = 20_000;
    private static final int PREPARE_SECONDS = 5;
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
        Progress.say("%s", scenario.word());
        bench.receiver().expect(bench.webhookSecret(), naming, ledger);
        List<StepResult> steps;
        try (Generator generator =
                new Generator(bench.merchant(), options.connections(), naming, ledger, bench.faults())) {
            prepare(generator);
            steps = measure(new Measurement(bench, generator, scenario.mix()));
        }
        AuditResult audit = audit();
        return new ScenarioResult(
                scenario.word(),
                options.warmSeconds(),
                options.isCold(),
                options.stored(),
                options.connections(),
                steps,
                audit);
    }

    /** What the scenario reads has to be there. */
    private void prepare(Generator generator) {
        if (!scenario.mix().shows() && !scenario.mix().lists()) {
            return;
        }
        new Measurement(bench, generator, Mix.CREATE).closed("prepare", options.connections(), PREPARE_SECONDS);
        int lastPage = scenario.mix().lists()
                ? bench.api().list(bench.merchant(), 1).required("last_page").asInt()
                : 1;
        generator.aimAt(new Targets(0, Math.min(SHOWN, ledger.size()), lastPage));
    }

    private List<StepResult> measure(Measurement measurement) {
        List<StepResult> steps = new ArrayList<>();
        int unfinishedMax = scenario.mix().isAnnounced() ? options.unfinishedMax() : options.connections();
        if (options.warmSeconds() > 0) {
            measurement.closed("warm-up", unfinishedMax, options.warmSeconds());
        }
        if (!options.rates().isEmpty()) {
            options.rates()
                    .forEach(rate ->
                            steps.add(measurement.open(String.format("%.0f/s", rate), rate, options.windowSeconds())));
            return steps;
        }
        StepResult peak = measurement.closed("peak", unfinishedMax, options.windowSeconds());
        steps.add(peak);
        options.percents()
                .forEach(percent -> steps.add(measurement.open(
                        String.format("%.0f %%", percent), peak.rate() * percent / 100, options.windowSeconds())));
        return steps;
    }

    private AuditResult audit() {
        Progress.say("  audit of %d calls", ledger.size());
        Audit audit = new Audit(ledger, naming, bench.isProcessed(), bench.faults());
        if (ledger.size() > 0 && ledger.call(0).creates() && ledger.isAnswered(0)) {
            Tenant tenant = bench.stored()
                    .get(new TransactionId(new UUID(ledger.high(0), ledger.low(0))))
                    .tenant();
            awaitAccepted(tenant);
            bench.stored().forEachSince(tenant, startedAt, audit::take);
        }
        AuditResult result = audit.sumUp();
        Progress.say("  audit %s", result.passed() ? "passed" : "FAILED");
        return result;
    }

    /** The last commands may still be on their way. */
    private void awaitAccepted(Tenant tenant) {
        long giveUpAt = System.nanoTime() + ACCEPT_MAX.toNanos();
        while (bench.isProcessed()
                && bench.stored().countUnaccepted(tenant, startedAt) > 0
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
