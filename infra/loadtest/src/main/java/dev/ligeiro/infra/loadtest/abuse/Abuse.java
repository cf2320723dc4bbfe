package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Measurement;
import dev.ligeiro.infra.loadtest.run.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the creates of one merchant alone, then beside each kind of abuse, then beside all of them: slow lists of another merchant,
 * half-open requests, and requests with random keys.
 */
@Command(
        name = "abuse",
        resourceBundle = "dev.ligeiro.infra.loadtest.Abuse",
        description = "Do slow lists, half-open requests or random keys delay the creates of others?")
public final class Abuse implements Callable<Integer> {

    @Mixin
    private final AttachedRun.Options options = new AttachedRun.Options();

    @Option(names = "--rate", paramLabel = "N", defaultValue = "500")
    private double rate;

    @Option(names = "--warm", paramLabel = "S", defaultValue = "35")
    private int warmSeconds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "30")
    private int seconds;

    @Option(names = "--stored", paramLabel = "N", defaultValue = "1000000")
    private long stored;

    @Option(names = "--lists", paramLabel = "N", defaultValue = "120")
    private int lists;

    @Option(names = "--half-open", paramLabel = "N", defaultValue = "5000")
    private int halfOpen;

    @Option(names = "--random-keys", paramLabel = "N", defaultValue = "20000")
    private int randomKeys;

    private final Map<String, Latency> rows = new LinkedHashMap<>();

    @Override
    public Integer call() {
        try (AttachedRun run = AttachedRun.of(options);
                Generator generator = run.generator()) {
            LoadTestContext context = run.context();
            measure(run.measurement(generator), curiousMerchant(context).api());
            Latency before = rows.values().iterator().next();
            System.out.printf("%n%s%n", Tables.of(rows));
            rows.forEach((phase, latency) -> System.out.printf(
                    Locale.ROOT, "%s: p99 %.2f times that alone%n", phase, latency.p99() / before.p99()));
            return context.exitCode();
        }
    }

    /** A merchant with so many transactions that a list with a status takes long, because all of them are counted. */
    private MerchantApi curiousMerchant(LoadTestContext context) {
        Progress.say("storing %d transactions", stored);
        MerchantApi merchant = LoadTestContext.newMerchant(context.system().env());
        context.stored().addPast(context.stored().get(LoadTestContext.createCashin(merchant)), stored);
        return merchant;
    }

    private void measure(Measurement measurement, JsonApi curious) {
        Supplier<Abuser> slowLists = () -> new AbuserProcess(AbuseKind.SLOW_LISTS, curious, lists);
        Supplier<Abuser> halfOpenRequests = () -> new AbuserProcess(AbuseKind.HALF_OPEN_REQUESTS, curious, halfOpen);
        Supplier<Abuser> keys =
                () -> new AbuserProcess(AbuseKind.RANDOM_KEYS, curious, randomKeys / Math.max(1.0, seconds));
        warmUp(measurement, List.of(slowLists, halfOpenRequests, keys));
        phase(measurement, "alone", List.of());
        phase(measurement, lists + " slow lists", List.of(slowLists));
        phase(measurement, halfOpen + " half-open requests", List.of(halfOpenRequests));
        phase(measurement, randomKeys + " random keys", List.of(keys));
        phase(measurement, "all of these", List.of(slowLists, halfOpenRequests, keys));
        phase(measurement, "alone again", List.of());
    }

    /** Creates alone, then beside the others: the first lists, too, make the JIT compilers work, and that delays every create. */
    private void warmUp(Measurement measurement, List<Supplier<Abuser>> kinds) {
        measurement.open("warm-up", Scenario.CREATE, rate, 0, warmSeconds);
        beside(kinds, () -> measurement.open("warm-up beside all of these", Scenario.CREATE, rate, 0, warmSeconds));
    }

    private void phase(Measurement measurement, String name, List<Supplier<Abuser>> kinds) {
        rows.put(
                name,
                beside(kinds, () -> measurement.open(name, Scenario.CREATE, rate, 0, seconds))
                        .responses());
    }

    private static StepResult beside(List<Supplier<Abuser>> kinds, Supplier<StepResult> window) {
        List<Abuser> abusers = kinds.stream().map(Supplier::get).toList();
        try {
            return window.get();
        } finally {
            abusers.forEach(Abuser::close);
            abusers.forEach(abuser -> Progress.say("  %s", abuser));
        }
    }
}
