package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Warms a scenario up, measures its peak and parts of it, and audits all its calls, those of the warm-up included. */
final class RunScenario {

    private static final int SHOWN_MAX = 20_000;
    private static final int PREPARE_SECONDS = 5;
    private static final int FIRST_UNFINISHED = 4;
    /** Transactions whose last webhook has not arrived, in closed loops. */
    private static final int UNANNOUNCED_MAX = 2_048;

    private final LoadTestContext context;
    private final LoadOptions options;
    private final Scenario scenario;
    private final int unfinishedMax;
    private final Tenant tenant;
    private final CallJournal journal = new CallJournal(CallIdentifiers.random());
    private final long startedAt = System.currentTimeMillis();

    RunScenario(LoadTestContext context, LoadOptions options, Scenario scenario) {
        this.context = context;
        this.options = options;
        this.scenario = scenario;
        this.unfinishedMax = scenario.isAnnounced() ? UNANNOUNCED_MAX : options.connections;
        this.tenant = context.sample().tenant();
    }

    ScenarioResult run() {
        Progress.say("%s", scenario.code());
        List<StepResult> steps = new ArrayList<>();
        try (Generator generator =
                new Generator(List.of(context.merchant()), options.connections, journal, context.faults())) {
            Measurement measurement = new Measurement(context, generator, journal);
            prepare(measurement, generator);
            measure(measurement, steps);
        }
        return new ScenarioResult(
                scenario.code(),
                options.warmSeconds,
                options.isCold(),
                options.stored,
                options.connections,
                steps,
                audit());
    }

    /** The first calls are few, because the services may have just started. Then creates the transactions to read, if any. */
    private void prepare(Measurement measurement, Generator generator) {
        measurement.closed("first calls", Scenario.CREATE, FIRST_UNFINISHED, options.firstSeconds);
        if (scenario.reads() && !hasFaults()) {
            measurement.closed("prepare", Scenario.CREATE, options.connections, PREPARE_SECONDS);
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

    /** The peak and parts of it, then the given rates. Stops at the first fault: later figures would not count. */
    private void measure(Measurement measurement, List<StepResult> steps) {
        if (options.warmSeconds > 0 && !hasFaults()) {
            measurement.closed("warm-up", scenario, unfinishedMax, options.warmSeconds);
        }
        if (!options.percents().isEmpty() && !hasFaults()) {
            StepResult peak = measurement.closed("peak", scenario, unfinishedMax, options.windowSeconds);
            steps.add(peak);
            for (double percent : options.percents()) {
                open(
                        measurement,
                        "%.0f %%".formatted(percent),
                        percent / 100 * peak.cost().rate(),
                        steps);
            }
        }
        for (double rate : options.rates) {
            open(measurement, "given", rate, steps);
        }
    }

    private void open(Measurement measurement, String label, double rate, List<StepResult> steps) {
        if (!hasFaults()) {
            steps.add(measurement.open(label, scenario, rate, options.settleSeconds, options.windowSeconds));
        }
    }

    private boolean hasFaults() {
        return context.faults().count() > 0;
    }

    private Audit.Result audit() {
        Progress.say("  audit of %d calls", journal.size());
        Audit.Result result = context.audit(journal, tenant, startedAt);
        Progress.say("  audit %s", result.passed() ? "passed" : "FAILED");
        return result;
    }
}
