package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.list.Fills.FilledMerchant;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.StepResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Measurement;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Stores millions of past transactions of a merchant, and some of another merchant beside it. Then measures pages of each filter and each
 * pair of filters, and creates beside readers of lists. All totals must equal a count over the stored transactions, also after some old
 * ones have changed.
 */
@Command(
        name = "lists",
        resourceBundle = "dev.ligeiro.infra.loadtest.Lists",
        description = "Are lists exact and near at millions of transactions, and do they burden creates?")
public final class Lists implements Callable<Integer> {

    private static final String GRID = "grid";
    private static final String READERS = "readers";
    private static final Set<String> PARTS = Set.of(GRID, READERS);
    private static final int SETTLE_SECONDS = 2;
    private static final int CANCELED = 20;
    private static final Duration CANCELED_WITHIN = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);

    private final SplittableRandom random = new SplittableRandom();

    @Mixin
    private final LoadTestContext.Attached attached = new LoadTestContext.Attached();

    @Option(names = "--parts", split = ",", hideParamSyntax = true, paramLabel = "LIST", defaultValue = "grid,readers")
    private List<String> parts = List.of();

    @Option(names = "--stored", paramLabel = "N", defaultValue = "10000000")
    private long stored;

    @Option(names = "--beside", paramLabel = "N", defaultValue = "1000000")
    private long storedBeside;

    @Option(names = "--days", paramLabel = "N", defaultValue = "60")
    private int days;

    @Option(names = "--wait", paramLabel = "S", defaultValue = "120")
    private int waitSeconds;

    @Option(names = "--requests", paramLabel = "N", defaultValue = "100")
    private int requests;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "300")
    private double rate;

    @Option(names = "--readers", paramLabel = "N", defaultValue = "50")
    private int readerCount;

    @Option(names = "--warm", paramLabel = "S", defaultValue = "35")
    private int warmSeconds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "60")
    private int seconds;

    @Override
    public Integer call() {
        parts.stream().filter(part -> !PARTS.contains(part)).findFirst().ifPresent(unknown -> {
            throw new IllegalArgumentException("--parts: " + unknown + " (expected: grid, readers)");
        });
        try (LoadTestContext context = LoadTestContext.attach(attached)) {
            Fills fills = new Fills(context);
            FilledMerchant large = fills.merchant("large", days, stored);
            FilledMerchant beside = fills.merchant("beside", days, storedBeside);
            fills.store(List.of(large, beside));
            if (parts.contains(GRID)) {
                warmUp(beside);
                measureGrid(context, large);
                compareTotals(context, beside, ListFilter.grid(beside.history()));
            }
            if (parts.contains(READERS)) {
                createBesideReaders(context, large);
            }
            return context.exitCode();
        }
    }

    private ListClient client(FilledMerchant merchant) {
        return new ListClient(merchant.api().api(), Duration.ofSeconds(waitSeconds));
    }

    /** Before, the gateway's code is not compiled. The lists that are measured are another merchant's. */
    private void warmUp(FilledMerchant merchant) {
        ListClient client = client(merchant);
        List<ListFilter> filters = ListFilter.grid(merchant.history());
        long to = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmSeconds);
        while (System.nanoTime() < to) {
            ListFilter filter = filters.get(random.nextInt(filters.size()));
            client.get(filter.path(1))
                    .ifPresent(first -> client.get(filter.path(random.nextLong(1, first.last() + 1))));
        }
    }

    private void measureGrid(LoadTestContext context, FilledMerchant merchant) {
        ListTotals totals = new ListTotals(context, merchant);
        new Grid(client(merchant), context.processes(), context.faults(), requests)
                .measure(ListFilter.grid(merchant.history()), totals);
        totals.compare();
    }

    private void compareTotals(LoadTestContext context, FilledMerchant merchant, List<ListFilter> filters) {
        ListTotals totals = new ListTotals(context, merchant);
        filters.forEach(filter ->
                totals.add(filter, client(merchant).require(filter.path(1)).total()));
        totals.compare();
    }

    /** Creates without readers, with them, and without them again. Without a warm-up there is only the window with readers. */
    private void createBesideReaders(LoadTestContext context, FilledMerchant merchant) {
        List<ListFilter> read = ListFilter.grid(merchant.history());
        CallJournal journal = new CallJournal(CallIdentifiers.random());
        long startedAt = System.currentTimeMillis();
        Map<String, Latency> latencies = new LinkedHashMap<>();
        try (Generator generator =
                new Generator(List.of(merchant.api()), LoadTestContext.CONNECTIONS, journal, context.faults())) {
            Measurement creates = new Measurement(context, generator, journal);
            if (warmSeconds > 0) {
                creates.open("warm-up", Scenario.CREATE, rate, warmSeconds, 1);
                // the first lists make the JIT compilers work, and count what no list has counted yet
                besideReaders(
                        merchant,
                        read,
                        () -> creates.open("warm-up beside readers", Scenario.CREATE, rate, warmSeconds, 1));
                latencies.put("creates without readers", measure(creates, "without readers"));
            }
            latencies.put(
                    "pages",
                    besideReaders(
                            merchant,
                            read,
                            () -> latencies.put("creates beside readers", measure(creates, "beside readers"))));
            if (warmSeconds > 0) {
                latencies.put("creates without readers again", measure(creates, "without readers again"));
            }
        }
        System.out.printf("%n%s%n", Tables.of(latencies));
        context.audit(journal, merchant.tenant(), startedAt);
        cancelOldest(context, merchant);
        compareTotals(context, merchant, read);
    }

    /** The processor then changes transactions of days that the gateway has counted, and the totals must notice it. */
    private static void cancelOldest(LoadTestContext context, FilledMerchant merchant) {
        List<Transaction> pending = context.stored().oldest(merchant.tenant(), Status.PENDING, CANCELED);
        Api api = merchant.api().api();
        for (Transaction transaction : pending) {
            api.postNothing(MerchantApi.transactionPath(transaction.id().toString()) + "/cancel")
                    .expectSuccess();
        }
        boolean canceled = Waits.until(
                () -> pending.stream()
                        .allMatch(transaction ->
                                context.stored().get(transaction.id()).status() == Status.CANCELED),
                POLL,
                CANCELED_WITHIN);
        if (!canceled) {
            context.faults().add("canceled transactions that are not", "within " + CANCELED_WITHIN.toSeconds() + " s");
        }
    }

    private Latency measure(Measurement creates, String label) {
        StepResult result = creates.open(label, Scenario.CREATE, rate, SETTLE_SECONDS, seconds);
        System.out.printf("%n%s%n%s%n", label, Tables.of(result.cost()));
        return result.responses();
    }

    /** Returns the latencies of the pages. */
    private Latency besideReaders(FilledMerchant merchant, List<ListFilter> read, Runnable measurement) {
        try (ListReaders readers = new ListReaders(readerCount, merchant.api().api(), read)) {
            measurement.run();
            Progress.say("  %s", readers);
            return readers.latency();
        }
    }
}
