package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.MerchantApi;
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
import dev.ligeiro.infra.loadtest.system.MeasuredWindow.Cost;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures a create load without open checkout pages, with them, and without them again: what a page costs in a minute, and what it does
 * to the creates. Then pays some of the transactions: how soon their pages are told.
 */
@Command(
        name = "checkout",
        resourceBundle = "dev.ligeiro.infra.loadtest.Abuse",
        description = "What do open checkout pages cost beside creates, and how soon do they change?")
public final class CheckoutPages implements Callable<Integer> {

    /** In one go, so that the gateway is not the first thing that is measured. */
    private static final int OPENED_AT_ONCE = 100;

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration OPEN_MAX = Duration.ofSeconds(60);
    private static final Duration TOLD_MAX = Duration.ofSeconds(60);
    private static final double SECONDS_A_MINUTE = 60;
    private static final int SETTLE_SECONDS = 5;

    @Mixin
    private final AttachedRun.Options options = new AttachedRun.Options();

    @Option(names = "--pages", paramLabel = "N", defaultValue = "2000")
    private int pageCount;

    @Option(names = "--paid", paramLabel = "N", defaultValue = "200")
    private int paidCount;

    @Option(names = "--creates", paramLabel = "N", defaultValue = "500")
    private double rate;

    @Option(names = "--warm", paramLabel = "S", defaultValue = "60")
    private int warmSeconds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "120")
    private int seconds;

    private final Map<String, StepResult> windows = new LinkedHashMap<>();

    @Override
    public Integer call() {
        try (AttachedRun run = AttachedRun.of(options);
                Generator generator = run.generator()) {
            LoadTestContext context = run.context();
            MerchantApi shop = LoadTestContext.newMerchant(context.system().env());
            Progress.say("creating %d cashins", pageCount);
            List<String> ids = create(shop);
            Measurement measurement = run.measurement(generator);
            measurement.open("warm-up", Scenario.CREATE, rate, warmSeconds, 1);
            measure(measurement, "before");
            try (OpenPages pages = open(context, ids)) {
                measure(measurement, "with pages");
                Progress.say("  %s", pages);
                pay(context, shop, ids.subList(0, Math.min(paidCount, ids.size())), pages);
            }
            measure(measurement, "after");
            print();
            return context.exitCode();
        }
    }

    private List<String> create(MerchantApi shop) {
        ExecutorService callers = Executors.newFixedThreadPool(AttachedRun.CONNECTIONS);
        try {
            List<CompletableFuture<String>> created = IntStream.range(0, pageCount)
                    .mapToObj(number -> CompletableFuture.supplyAsync(
                            () -> LoadTestContext.createCashin(shop).toString(), callers))
                    .toList();
            return created.stream().map(CompletableFuture::join).toList();
        } finally {
            callers.shutdown();
        }
    }

    private void measure(Measurement measurement, String label) {
        windows.put(label, measurement.open(label, Scenario.CREATE, rate, SETTLE_SECONDS, seconds));
    }

    private OpenPages open(LoadTestContext context, List<String> ids) {
        OpenPages pages = new OpenPages(URI.create(context.merchant().api().baseUrl()), context.faults());
        long startAt = System.nanoTime();
        long memoryBefore = memory(context);
        for (int from = 0; from < ids.size(); from += OPENED_AT_ONCE) {
            int to = Math.min(from + OPENED_AT_ONCE, ids.size());
            ids.subList(from, to).forEach(pages::open);
            Waits.until(() -> pages.pending() >= to, POLL, OPEN_MAX);
        }
        if (pages.pending() < ids.size()) {
            context.faults().add("pages that were not told their status", pages.pending() + " of " + ids.size());
        }
        Progress.say(
                "  %d pages opened in %.1f s, RSS of the gateways %d MB before and %d MB after",
                pages.pending(), (System.nanoTime() - startAt) / 1e9, memoryBefore, memory(context));
        return pages;
    }

    /** From before the call that pays to the page's event: the processor's work is part of it. */
    private static void pay(LoadTestContext context, MerchantApi shop, List<String> ids, OpenPages pages) {
        Map<String, Long> payAt = new LinkedHashMap<>();
        for (String id : ids) {
            payAt.put(id, System.nanoTime());
            shop.pay(id);
        }
        Waits.until(() -> pages.paidAt().size() >= ids.size(), POLL, TOLD_MAX);
        Map<String, Long> paidAt = pages.paidAt();
        Histogram micros = Load.histogram();
        payAt.forEach((id, at) -> {
            Long toldAt = paidAt.get(id);
            if (toldAt != null) {
                Load.recordNanos(micros, toldAt - at);
            }
        });
        if (paidAt.size() < ids.size()) {
            context.faults().add("pages that were not told of the payment", paidAt.size() + " of " + ids.size());
        }
        System.out.println(Tables.of(Map.of("from pay to page", Latency.of(micros))));
    }

    private void print() {
        Map<String, Latency> creates = new LinkedHashMap<>();
        windows.forEach((label, window) -> creates.put("creates " + label, window.responses()));
        System.out.println(Tables.of(creates));
        for (Role role : List.of(Role.GATEWAY, Role.MONGOD)) {
            print(role.code(), cost -> cost.cpuMicros().getOrDefault(role, 0.0));
        }
        print("all", Cost::systemCpuMicros);
    }

    /** @param cpuMicros for each create */
    private void print(String label, ToDoubleFunction<Cost> cpuMicros) {
        // before, with pages and after, in µs a second
        double[] cpu = windows.values().stream()
                .map(StepResult::cost)
                .mapToDouble(cost -> cpuMicros.applyAsDouble(cost) * cost.rate())
                .toArray();
        double added = cpu[1] - (cpu[0] + cpu[2]) / 2;
        System.out.printf(
                Locale.ROOT,
                "%-8s %8.0f, %8.0f, %8.0f µs/s before, with, after: %.0f µs of CPU for each page and minute, %.1f %% of a core%n",
                label,
                cpu[0],
                cpu[1],
                cpu[2],
                added * SECONDS_A_MINUTE / pageCount,
                added / 10_000);
    }

    private static long memory(LoadTestContext context) {
        return context.processes().memoryOf(Role.GATEWAY).rss() / 1024;
    }
}
