package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.LoadReceiver;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.merchant.WebhookAnswer;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.Arrivals.Endpoint;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Measures the time from event to delivery of healthy endpoints, first while all are healthy, then while some fail: of three merchants
 * one endpoint hangs, refuses connections or drips, and the last merchant has 20 endpoints that hang.
 */
@Command(
        name = "isolation",
        resourceBundle = "dev.ligeiro.infra.loadtest.Isolation",
        description = "Do failing endpoints delay the webhooks to healthy ones?")
public final class Isolation implements Callable<Integer> {

    private static final int FAILING_MERCHANTS = 3;
    private static final int MERCHANT_ENDPOINTS_MAX = 20;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LAST_MAX = Duration.ofSeconds(60);

    @Mixin
    private final LoadTestContext.Attached attached = new LoadTestContext.Attached();

    @Option(names = "--merchants", paramLabel = "N", defaultValue = "20")
    private int merchantCount;

    @Option(names = "--endpoints", paramLabel = "N", defaultValue = "5")
    private int slots;

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
        if (merchantCount <= FAILING_MERCHANTS) {
            throw new IllegalArgumentException("--merchants: " + merchantCount + " (expected: 4 or more)");
        }
        try (LoadTestContext context = LoadTestContext.attach(attached)) {
            return new Run(context).measure();
        }
    }

    /** The merchants, their endpoints, and the latencies of the healthy ones by period. */
    private final class Run {

        private final LoadTestContext context;
        private final CallJournal journal = new CallJournal(CallIdentifiers.random());
        private final List<MerchantApi> merchants;
        private final Arrivals arrivals;
        private final int healthyPeriods = healthySeconds / periodSeconds;
        private final List<Histogram> micros;
        private final long startAt;
        private final long from;

        Run(LoadTestContext context) {
            this.context = context;
            this.arrivals = new Arrivals(journal, context.faults(), merchantCount, this::record);
            this.merchants = Stream.generate(
                            () -> LoadTestContext.newMerchant(context.system().env()))
                    .limit(merchantCount)
                    .toList();
            for (int merchant = 0; merchant < merchantCount; merchant++) {
                for (int slot = 0; slot < slots; slot++) {
                    boolean fails = merchant < FAILING_MERCHANTS && slot == 0 || merchant == merchantCount - 1;
                    register(merchant, slot, WebhookAnswer.AT_ONCE, !fails);
                }
            }
            this.micros = Stream.<Histogram>generate(() -> new SynchronizedHistogram(Load.histogram()))
                    .limit((healthySeconds + failingSeconds) / periodSeconds)
                    .toList();
            this.startAt = System.nanoTime();
            this.from = startAt + TimeUnit.SECONDS.toNanos(warmSeconds);
        }

        /** Returns the exit code. */
        int measure() {
            context.receiver().receive(arrivals);
            try (Generator generator =
                    new Generator(merchants, LoadTestContext.CONNECTIONS, journal, context.faults())) {
                long to = periodStart(micros.size());
                Load load = Load.open(Scenario.PAY, rate, startAt, from, to);
                generator.start(load);
                for (int period = 0; period < micros.size(); period++) {
                    Waits.until(periodStart(period));
                    if (period == healthyPeriods) {
                        makeEndpointsFail();
                    }
                    sayState(period * periodSeconds);
                }
                Waits.until(to);
                Waits.until(() -> load.isAnswered() && arrivals.measured() == arrivals.expected(), POLL, LAST_MAX);
            }
            context.requireSameProcesses();
            print();
            arrivals.audit();
            Progress.say(
                    "%d events, %d webhooks expected and %d of them arrived, %d duplicates",
                    journal.size(), arrivals.expected(), arrivals.measured(), arrivals.duplicates());
            return context.exitCode();
        }

        private long periodStart(int period) {
            return from + TimeUnit.SECONDS.toNanos((long) period * periodSeconds);
        }

        private void register(int merchant, int slot, WebhookAnswer answer, boolean measured) {
            String url = context.receiver().url(answer) + "/" + merchant + "/" + slot;
            JsonNode made = merchants.get(merchant).register(url);
            Endpoint endpoint = new Endpoint(merchant, slot, made.required("id").asString(), measured);
            arrivals.expect(
                    endpoint, URI.create(url).getPath(), made.required("secret").asString());
        }

        /** The URLs change, not the receiver: the endpoints that fail were healthy a moment before. */
        private void makeEndpointsFail() {
            LoadReceiver receiver = context.receiver();
            String refused = "http://127.0.0.1:" + Ports.free();
            List<String> urls = List.of(receiver.url(WebhookAnswer.HANG), refused, receiver.url(WebhookAnswer.DRIP));
            int last = merchantCount - 1;
            for (Endpoint endpoint : arrivals.endpoints()) {
                if (!endpoint.measured()) {
                    String url = endpoint.merchant() == last
                            ? receiver.url(WebhookAnswer.HANG)
                            : urls.get(endpoint.merchant());
                    changeUrl(endpoint, url + "/" + endpoint.merchant() + "/" + endpoint.slot());
                }
            }
            for (int slot = slots; slot < MERCHANT_ENDPOINTS_MAX; slot++) {
                register(last, slot, WebhookAnswer.HANG, false);
            }
        }

        private void changeUrl(Endpoint endpoint, String url) {
            Api api = merchants.get(endpoint.merchant()).api();
            Api.send(api.json("PATCH", MerchantApi.WEBHOOKS_PATH + "/" + endpoint.id(), Map.of("url", url)))
                    .expectSuccess();
        }

        private void record(Instant eventAt) {
            long nanos = Duration.between(eventAt, Instant.now()).toNanos();
            long sinceFrom = System.nanoTime() - nanos - from;
            long period = TimeUnit.NANOSECONDS.toSeconds(sinceFrom) / periodSeconds;
            if (sinceFrom >= 0 && period < micros.size()) {
                Load.recordNanos(micros.get((int) period), nanos);
            }
        }

        private void sayState(int second) {
            Progress.say(
                    "  second %d: %d webhooks, RSS of the dispatchers %d MB, lag %d",
                    second,
                    arrivals.measured(),
                    context.processes().rssKilobytes().getOrDefault(Role.WEBHOOK_DISPATCHER, 0L) / 1024,
                    context.lag().records());
        }

        private void print() {
            Map<String, Latency> rows = new LinkedHashMap<>();
            for (int period = 0; period < micros.size(); period++) {
                rows.put("to second " + (period + 1) * periodSeconds, Latency.of(micros.get(period)));
            }
            Latency before = Latency.of(sum(micros.subList(0, healthyPeriods)));
            Latency after = Latency.of(sum(micros.subList(healthyPeriods, micros.size())));
            rows.put("all healthy", before);
            rows.put("some fail", after);
            System.out.printf(
                    Locale.ROOT,
                    "%n%s%ngrowth of p50 %+.1f %%, of p99 %+.1f %%%n%n",
                    Tables.of(rows),
                    100 * (after.p50() / before.p50() - 1),
                    100 * (after.p99() / before.p99() - 1));
        }

        private static Histogram sum(List<Histogram> periods) {
            Histogram sum = Load.histogram();
            periods.forEach(sum::add);
            return sum;
        }
    }
}
