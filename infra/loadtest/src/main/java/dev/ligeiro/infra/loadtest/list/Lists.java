package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.list.fill.FillMerchants;
import dev.ligeiro.infra.loadtest.list.fill.FillStore;
import dev.ligeiro.infra.loadtest.list.fill.FilledMerchant;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Stores millions of past transactions of a merchant, and some of another merchant beside it. Then measures pages of each filter and
 * each pair of filters, compares totals with a brute count, also after a storm of changes, and follows a list while transactions are created.
 */
@Command(
        name = "lists",
        resourceBundle = "dev.ligeiro.infra.loadtest.Lists",
        description = "Are lists exact and near at millions of transactions, and do they burden creates?")
public final class Lists implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration DRAIN_MAX = Duration.ofSeconds(60);

    @Mixin
    private final AttachedRun.Options attached = new AttachedRun.Options();

    @Mixin
    private final ListOptions options = new ListOptions();

    @Override
    public Integer call() {
        options.requireValid();
        try (AttachedRun run = AttachedRun.of(attached)) {
            LoadTestContext context = run.context();
            FillStore fills = new FillStore(context.stored());
            FilledMerchant large = FilledMerchant.of(context, fills, "large", options.days, options.stored);
            FilledMerchant beside = FilledMerchant.of(context, fills, "beside", options.days, options.beside);
            new FillMerchants(context, fills).store(List.of(large, beside));
            if (options.parts.contains(ListOptions.GRID)) {
                warm(beside);
                grid(context, large);
                totals(context, beside);
            }
            if (options.parts.contains(ListOptions.STORM)) {
                new ListStorm(run, large, options).run();
            }
            if (options.parts.contains(ListOptions.WALK)) {
                walk(run, large);
            }
            return context.exitCode();
        }
    }

    private ListClient client(FilledMerchant merchant) {
        return new ListClient(merchant.api().api(), Duration.ofSeconds(options.waitSeconds));
    }

    /** Before, the gateway's code is not compiled. The lists that are measured are another merchant's. */
    private void warm(FilledMerchant merchant) {
        ListClient client = client(merchant);
        Filters filters = new Filters(merchant.fill(), merchant.sample());
        SplittableRandom random = new SplittableRandom();
        long to = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.warmSeconds);
        while (System.nanoTime() < to) {
            filters.random(random, 1).forEach(filter -> client.get(filter.path(1))
                    .ifPresent(first -> client.get(
                            filter.path(random.nextLong(1, first.page().last() + 1)))));
        }
    }

    private void grid(LoadTestContext context, FilledMerchant merchant) {
        Grid grid = new Grid(client(merchant), context::processes, context.faults(), options.requests);
        ListTotals totals = new ListTotals(client(merchant), context.faults());
        List<FilterTimes> times = new ArrayList<>();
        for (ListFilter filter : new Filters(merchant.fill(), merchant.sample()).grid()) {
            grid.measure(filter).ifPresent(measured -> {
                times.add(measured);
                totals.add(filter, measured.total());
                Progress.say("  %s", measured);
            });
        }
        System.out.printf(
                "%n%s%n", Tables.ofRows(times.stream().map(FilterTimes::row).toList()));
        compare(context, merchant, totals);
    }

    /** Another merchant's totals are its own. */
    private void totals(LoadTestContext context, FilledMerchant merchant) {
        ListTotals totals = new ListTotals(client(merchant), context.faults());
        totals.ask(new Filters(merchant.fill(), merchant.sample()).grid());
        compare(context, merchant, totals);
    }

    private static void compare(LoadTestContext context, FilledMerchant merchant, ListTotals totals) {
        Progress.say(
                "counting the transactions of the merchant %s", merchant.fill().name());
        totals.compare(
                new StoredRows(context.stored().database()), merchant.fill().tenant());
    }

    private void walk(AttachedRun run, FilledMerchant merchant) {
        LoadTestContext context = run.context();
        try (Generator generator = run.generator(List.of(merchant.api()), AttachedRun.CONNECTIONS)) {
            long now = System.nanoTime();
            Load creates = Load.open(Scenario.CREATE, options.rate, now, now, now + TimeUnit.HOURS.toNanos(1));
            generator.start(creates);
            Walk walk =
                    new Walk(client(merchant), new StoredRows(context.stored().database()), context.faults());
            int rows = walk.follow(merchant.fill().tenant(), options.walk);
            creates.cancel();
            Waits.until(creates::isAnswered, POLL, DRAIN_MAX);
            System.out.printf("%n%s%n", Tables.of(walk.latencies()));
            Progress.say("%d rows followed beside %s", rows, creates);
        }
    }
}
