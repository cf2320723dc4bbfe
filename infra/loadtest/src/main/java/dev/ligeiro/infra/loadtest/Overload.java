package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.system.Processes.Memory;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.TargetSystem;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.Tenant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what an overload does: finds the peak rate of paid cashins in a closed loop, then sends a multiple of it in an open loop over
 * many connections. The audit requires that each accepted call is stored, processed and announced, and that no refused one is.
 */
@Command(
        name = "overload",
        resourceBundle = "dev.ligeiro.infra.loadtest.Protection",
        description = "What happens at twice the rate that the machine can carry?")
final class Overload implements Callable<Integer> {

    private static final int PEAK_CONNECTIONS = 64;
    private static final int FIRST_UNFINISHED = 4;
    private static final int FIRST_SECONDS = 3;
    private static final int UNANNOUNCED_MAX = 2_048;
    private static final Duration ACCEPT_POLL = Duration.ofSeconds(1);
    private static final Duration ACCEPT_MAX = Duration.ofMinutes(5);

    @Option(names = "--home", required = true, paramLabel = "DIR")
    private Path home = Path.of("");

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

    @Option(names = "--help", usageHelp = true)
    private boolean help;

    private final CallJournal journal = new CallJournal(new CallIdentifiers(
            String.format("%08x", ThreadLocalRandom.current().nextInt())));

    @Override
    public Integer call() {
        try (LoadTestContext context = LoadTestContext.of(TargetSystem.attach(home.toAbsolutePath()))) {
            // the context's own cashin is older
            long startedAt = System.currentTimeMillis();
            double peak = peak(context);
            if (context.faults().count() == 0) {
                overload(context, factor * peak);
            }
            audit(context, startedAt);
            return context.exitCode();
        }
    }

    private double peak(LoadTestContext context) {
        try (Generator generator = generator(context, PEAK_CONNECTIONS)) {
            Measurement measurement = new Measurement(context, generator, journal);
            measurement.closed("first calls", Scenario.CREATE, FIRST_UNFINISHED, FIRST_SECONDS);
            measurement.closed("warm-up", Scenario.PAY, UNANNOUNCED_MAX, warmSeconds);
            double peak = measurement
                    .closed("peak", Scenario.PAY, UNANNOUNCED_MAX, peakSeconds)
                    .cost()
                    .rate();
            LoadTest.say("peak %.0f/s", peak);
            return peak;
        }
    }

    private void overload(LoadTestContext context, double rate) {
        Memory before = context.processes().memoryOf(Role.GATEWAY);
        try (Generator generator = generator(context, connections)) {
            long startAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            Load load = Load.open(Scenario.PAY, rate, startAt, startAt, startAt + TimeUnit.SECONDS.toNanos(seconds))
                    .mayBeRefused();
            StepResult result = new Measurement(context, generator, journal).overload(load, ACCEPT_MAX);
            print(load, result);
        }
        LoadTest.say(
                "RSS of the gateway %d MB before, %d MB after",
                before.rss() / 1024, context.processes().memoryOf(Role.GATEWAY).rss() / 1024);
    }

    private static void print(Load load, StepResult result) {
        Map<String, Latency> rows = new LinkedHashMap<>();
        rows.put("accepted", result.responses());
        rows.put("refused", Latency.of(load.refusedMicros()));
        System.out.printf("%n%s%n%s%n", Tables.of(rows), Tables.of(result.cost()));
        LoadTest.say("%s", load);
    }

    private Generator generator(LoadTestContext context, int count) {
        return new Generator(List.of(context.merchant()), count, journal, context.faults());
    }

    private void audit(LoadTestContext context, long startedAt) {
        Tenant tenant = context.sample().tenant();
        Waits.until(() -> context.stored().countUnaccepted(tenant, startedAt) == 0, ACCEPT_POLL, ACCEPT_MAX);
        Audit audit = new Audit(journal, true, context.faults());
        context.stored().forEachSince(tenant, startedAt, audit::take);
        Audit.Result result = audit.finish();
        LoadTest.say(
                "%d calls, %d accepted, %d stored, %d webhooks",
                result.calls(), result.created(), result.stored(), result.webhooks());
    }
}
