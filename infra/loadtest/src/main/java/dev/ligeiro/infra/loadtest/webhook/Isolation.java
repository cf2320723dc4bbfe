package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.merchant.Timeline;
import dev.ligeiro.infra.loadtest.merchant.WebhookReceiver;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the time from event to delivery of healthy endpoints, first while all are healthy, then while some fail: of four merchants
 * one endpoint hangs, refuses connections, drips, or has a dead name server, and the last merchant has 20 endpoints that hang.
 */
@Command(
        name = "isolation",
        resourceBundle = "dev.ligeiro.infra.loadtest.Webhooks",
        description = "Do failing endpoints delay the webhooks to healthy ones?")
public final class Isolation implements Callable<Integer> {

    private static final int FAILING_MERCHANTS = 4;
    private static final int MERCHANT_ENDPOINTS_MAX = 20;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LAST_MAX = Duration.ofSeconds(60);

    @Mixin
    private final WebhookRun.Options options = new WebhookRun.Options();

    @Option(names = "--rate", paramLabel = "N", defaultValue = "200")
    private double rate;

    @Option(names = "--warm", paramLabel = "S", defaultValue = "60")
    private int warmSeconds;

    @Option(names = "--healthy", paramLabel = "S", defaultValue = "120")
    private int healthySeconds;

    @Option(names = "--failing", paramLabel = "S", defaultValue = "600")
    private int failingSeconds;

    @Option(names = "--period", paramLabel = "S", defaultValue = "30")
    private int periodSeconds;

    @Override
    public Integer call() {
        if (options.merchants <= FAILING_MERCHANTS) {
            throw new IllegalArgumentException("--merchants: " + options.merchants + " (expected: 5 or more)");
        }
        try (WebhookRun run = WebhookRun.of(options, (merchant, slot) -> !isFailing(merchant, slot), Answer.AT_ONCE);
                DeadNameServer names = new DeadNameServer(run.context().processes())) {
            Progress.say("%s", names);
            print(measure(run));
            return run.audit();
        }
    }

    private boolean isFailing(int merchant, int slot) {
        return merchant < FAILING_MERCHANTS && slot == 0 || merchant == options.merchants - 1;
    }

    /** Returns the times from event to delivery. */
    private Timeline measure(WebhookRun run) {
        long startAt = System.nanoTime();
        long from = startAt + TimeUnit.SECONDS.toNanos(warmSeconds);
        long to = from + TimeUnit.SECONDS.toNanos(healthySeconds + failingSeconds);
        Timeline times = new Timeline(from);
        run.arrivals().listen((endpoint, number, eventAt) -> {
            if (endpoint.measured()) {
                long now = System.nanoTime();
                times.record(now - Duration.between(eventAt, Instant.now()).toNanos(), now);
            }
        });
        Load load = Load.open(Scenario.PAY, rate, startAt, from, to);
        run.generator().start(load);
        Waits.until(from);
        for (int second = 0; second < healthySeconds + failingSeconds; second += periodSeconds) {
            if (second == wholePeriods(healthySeconds)) {
                fail(run);
            }
            Waits.until(from + TimeUnit.SECONDS.toNanos(second + periodSeconds));
            sayState(run, second + periodSeconds);
        }
        Waits.until(() -> load.isAnswered() && run.isComplete(), POLL, LAST_MAX);
        run.context().requireSameProcesses();
        return times;
    }

    private int wholePeriods(int seconds) {
        return seconds / periodSeconds * periodSeconds;
    }

    /** The URLs change, not the receiver: the endpoints that fail were healthy a moment before. */
    private void fail(WebhookRun run) {
        WebhookReceiver receiver = run.context().receiver();
        String refused = "http://127.0.0.1:" + Ports.free();
        String nameless = "https://" + DeadNameServer.NAME;
        List<String> urls = List.of(receiver.url(Answer.HANG), refused, receiver.url(Answer.DRIP), nameless);
        int last = options.merchants - 1;
        for (Arrivals.Endpoint endpoint : run.endpoints()) {
            if (!endpoint.measured()) {
                String url = endpoint.merchant() == last ? receiver.url(Answer.HANG) : urls.get(endpoint.merchant());
                run.changeUrl(endpoint, url + "/" + endpoint.merchant() + "/" + endpoint.slot());
            }
        }
        for (int slot = options.endpoints; slot < MERCHANT_ENDPOINTS_MAX; slot++) {
            run.register(last, slot, Answer.HANG, false);
        }
    }

    private static void sayState(WebhookRun run, int second) {
        StoredDeliveries deliveries = new StoredDeliveries(run.context().stored());
        Progress.say(
                "  second %d: %d webhooks, RSS of the dispatchers %d MB, %d lanes, %d scheduled, lag %d",
                second,
                run.arrivals().measured(),
                run.context().processes().memoryOf(Role.WEBHOOK_DISPATCHER).rss() / 1024,
                deliveries.countLanes(),
                deliveries.countScheduled(),
                run.context().lag().records());
    }

    private void print(Timeline times) {
        Map<String, Latency> rows = new LinkedHashMap<>();
        int end = wholePeriods(healthySeconds + failingSeconds);
        for (int to = periodSeconds; to <= end; to += periodSeconds) {
            rows.put("to second " + to, Latency.of(times.micros(to - periodSeconds, to)));
        }
        int failingFrom = wholePeriods(healthySeconds);
        Latency before = Latency.of(times.micros(0, failingFrom));
        Latency after = Latency.of(times.micros(failingFrom, end));
        rows.put("all healthy", before);
        rows.put("some fail", after);
        System.out.printf(
                Locale.ROOT,
                "%n%s%ngrowth of p50 %+.1f %%, of p99 %+.1f %%%n%n",
                Tables.of(rows),
                100 * (after.p50() / before.p50() - 1),
                100 * (after.p99() / before.p99() - 1));
    }
}
