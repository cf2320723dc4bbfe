package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Measurement;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Processes.Memory;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures what an overload does: finds the peak rate of paid cashins in a closed loop, then sends a multiple of it in an open loop over
 * many connections. The audit requires that each accepted call is stored, processed and announced, and that no refused one is.
 */
@Command(
        name = "overload",
        resourceBundle = "dev.ligeiro.infra.loadtest.Abuse",
        description = "What happens at twice the rate that the machine can carry?")
public final class Overload implements Callable<Integer> {

    private static final int FIRST_UNFINISHED = 4;
    private static final int FIRST_SECONDS = 3;
    private static final int UNANNOUNCED_MAX = 2_048;
    private static final Duration DRAIN_MAX = Duration.ofMinutes(5);

    @Mixin
    private final AttachedRun.Options options = new AttachedRun.Options();

    @Option(names = "--warm", paramLabel = "S", defaultValue = "35")
    private int warmSeconds;

    @Option(names = "--peak", paramLabel = "S", defaultValue = "20")
    private int peakSeconds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "120")
    private int seconds;

    @Option(names = "--factor", paramLabel = "X", defaultValue = "2")
    private double factor;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "2000")
    private int connections;

    @Override
    public Integer call() {
        try (AttachedRun run = AttachedRun.of(options)) {
            LoadTestContext context = run.context();
            // the context's own cashin is older
            long startedAt = System.currentTimeMillis();
            double peak = peak(run);
            if (context.faults().count() == 0) {
                overload(run, factor * peak);
            }
            audit(run, startedAt);
            return context.exitCode();
        }
    }

    private double peak(AttachedRun run) {
        try (Generator generator = run.generator()) {
            Measurement measurement = run.measurement(generator);
            measurement.closed("first calls", Scenario.CREATE, FIRST_UNFINISHED, FIRST_SECONDS);
            measurement.closed("warm-up", Scenario.PAY, UNANNOUNCED_MAX, warmSeconds);
            double peak = measurement
                    .closed("peak", Scenario.PAY, UNANNOUNCED_MAX, peakSeconds)
                    .cost()
                    .rate();
            Progress.say("peak %.0f/s", peak);
            return peak;
        }
    }

    private void overload(AttachedRun run, double rate) {
        LoadTestContext context = run.context();
        Memory before = context.processes().memoryOf(Role.GATEWAY);
        try (Generator generator = run.generator(List.of(context.merchant()), connections)) {
            long startAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            Load load = Load.open(Scenario.PAY, rate, startAt, startAt, startAt + TimeUnit.SECONDS.toNanos(seconds))
                    .mayBeRefused();
            StepResult result = run.measurement(generator).overload(load, DRAIN_MAX);
            print(load, result);
        }
        Progress.say(
                "RSS of the gateway %d MB before, %d MB after",
                before.rss() / 1024, context.processes().memoryOf(Role.GATEWAY).rss() / 1024);
    }

    private static void print(Load load, StepResult result) {
        Map<String, Latency> rows = new LinkedHashMap<>();
        rows.put("accepted", result.responses());
        rows.put("refused", Latency.of(load.refusedMicros()));
        System.out.printf("%n%s%n%s%n", Tables.of(rows), Tables.of(result.cost()));
        Progress.say("%s", load);
    }

    private static void audit(AttachedRun run, long startedAt) {
        LoadTestContext context = run.context();
        List<Tenant> tenants = List.of(context.sample().tenant());
        Audit.Result result = context.audit(run.journal(), tenants, startedAt);
        Progress.say(
                "%d calls, %d accepted, %d stored, %d webhooks",
                result.calls(), result.created(), result.stored(), result.webhooks());
    }
}
