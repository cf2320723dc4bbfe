package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.audit.Audit;
import dev.ligeiro.infra.loadtest.audit.AuditResult;
import dev.ligeiro.infra.loadtest.generate.Generator;
import dev.ligeiro.infra.loadtest.generate.Scenario;
import dev.ligeiro.infra.loadtest.journal.CallIdentifiers;
import dev.ligeiro.infra.loadtest.journal.CallJournal;
import dev.ligeiro.infra.loadtest.observe.Role;
import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;

/** Warms a scenario up, measures its peak and parts of it, and audits all its calls, those of the warm-up included. */
final class RunScenario {

    private static final int SHOWN_MAX = 20_000;
    private static final int PREPARE_SECONDS = 5;
    private static final int FIRST_UNFINISHED = 4;
    private static final int FIRST_SECONDS = 3;
    private static final Duration ACCEPT_POLL = Duration.ofSeconds(1);
    private static final Duration ACCEPT_MAX = Duration.ofSeconds(60);

    private final LoadTestContext context;
    private final Options options;
    private final Scenario scenario;
    private final Tenant tenant;
    private final boolean processed;
    private final CallJournal journal = new CallJournal();
    private final CallIdentifiers identifiers = new CallIdentifiers(
            String.format("%08x", ThreadLocalRandom.current().nextInt()));
    private final long startedAt = System.currentTimeMillis();

    RunScenario(LoadTestContext context, Options options, Scenario scenario) {
        this.context = context;
        this.options = options;
        this.scenario = scenario;
        this.tenant = context.sample().tenant();
        this.processed = context.processes().has(Role.PROCESSOR);
    }

    ScenarioResult run() {
        Progress.say("%s", scenario.code());
        context.receiver().expect(context.webhookSecret(), identifiers, journal);
        List<StepResult> steps;
        try (Generator generator =
                new Generator(context.merchant(), options.connections, identifiers, journal, context.faults())) {
            prepare(generator);
            steps = measure(generator);
        }
        AuditResult audit = audit();
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
    private void prepare(Generator generator) {
        Measurement creates = new Measurement(context, generator, Scenario.CREATE, 0);
        creates.closed("first calls", FIRST_UNFINISHED, FIRST_SECONDS);
        if (scenario.reads() && !hasFaults()) {
            creates.closed("prepare", options.connections, PREPARE_SECONDS);
            int lastPage = scenario.lists() ? lastPage() : 1;
            generator.read(Math.min(SHOWN_MAX, journal.size()), lastPage);
        }
    }

    /** The number of the list's last page. The list's total must be the number of stored transactions. */
    private int lastPage() {
        JsonNode list = context.merchant().list("page=1");
        long total = list.required("total").asLong();
        long stored = context.stored().count(tenant);
        if (total != stored) {
            context.faults().add("list with a wrong total", total + " (expected: " + stored + ")");
        }
        return list.required("last_page").asInt();
    }

    /** Stops at the first fault: later figures would not count. */
    private List<StepResult> measure(Generator generator) {
        Measurement measurement = new Measurement(context, generator, scenario, options.settleSeconds);
        int unfinishedMax = scenario.isAnnounced() ? options.unfinishedMax : options.connections;
        if (options.warmSeconds > 0 && !hasFaults()) {
            measurement.closed("warm-up", unfinishedMax, options.warmSeconds);
        }
        List<StepResult> steps = new ArrayList<>();
        for (double rate : rates(measurement, unfinishedMax, steps)) {
            if (!hasFaults()) {
                String label = options.rates.isEmpty()
                        ? "%.0f %%".formatted(100 * rate / steps.get(0).cost().rate())
                        : "given";
                steps.add(measurement.open(label, rate, options.windowSeconds));
            }
        }
        return steps;
    }

    /** The rates of the open loops: the given ones, else parts of the peak, which this measures and adds to {@code steps}. */
    private List<Double> rates(Measurement measurement, int unfinishedMax, List<StepResult> steps) {
        if (!options.rates.isEmpty() || hasFaults()) {
            return options.rates;
        }
        StepResult peak = measurement.closed("peak", unfinishedMax, options.windowSeconds);
        steps.add(peak);
        return options.percents.stream()
                .map(percent -> percent / 100 * peak.cost().rate())
                .toList();
    }

    private boolean hasFaults() {
        return context.faults().count() > 0;
    }

    private AuditResult audit() {
        Progress.say("  audit of %d calls", journal.size());
        Audit audit = new Audit(journal, identifiers, processed, context.faults());
        if (processed) {
            // the processor may still have commands to consume
            Waits.until(() -> context.stored().countUnaccepted(tenant, startedAt) == 0, ACCEPT_POLL, ACCEPT_MAX);
        }
        context.stored().forEachSince(tenant, startedAt, audit::take);
        AuditResult result = audit.finish();
        Progress.say("  audit %s", result.passed() ? "passed" : "FAILED");
        return result;
    }
}
