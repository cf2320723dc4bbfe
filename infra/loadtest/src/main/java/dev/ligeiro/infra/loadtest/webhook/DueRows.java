package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.WebhookReceiver;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import io.netty.handler.codec.http.FullHttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Stores due deliveries of a dead endpoint, and one delivery a second of a healthy endpoint of the same merchant. Measures the writes
 * to MongoDB and how late the healthy ones arrive; then, if asked, lets the dead endpoint return.
 */
@Command(
        name = "due-rows",
        resourceBundle = "dev.ligeiro.infra.loadtest.Webhooks",
        description = "What do many due deliveries of a dead endpoint cost, and whom do they delay?")
public final class DueRows implements Callable<Integer> {

    private static final int PROGRESS_SECONDS = 10;
    /** Before the first delivery of the healthy endpoint is due. */
    private static final Duration START = Duration.ofSeconds(5);

    private static final Duration LATE_MAX = Duration.ofSeconds(10);

    private static final Duration OUTAGE = Duration.ofHours(1);
    private static final Duration RETURN_MAX = Duration.ofMinutes(20);
    private static final byte[] BODY =
            ("{\"type\":\"transaction.paid\",\"timestamp\":\"2026-11-22T12:00:00Z\",\"data\":{\"description\":\""
                            + "x".repeat(1_000) + "\"}}")
                    .getBytes(StandardCharsets.UTF_8);

    @Mixin
    private final AttachedRun.Options options = new AttachedRun.Options();

    @Option(names = "--rows", paramLabel = "N", defaultValue = "1000000")
    private int rows;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "120")
    private int seconds;

    @Option(names = "--return")
    private boolean returns;

    private final Map<String, Instant> dueAt = new ConcurrentHashMap<>();
    private final Set<String> returned = ConcurrentHashMap.newKeySet();
    private volatile Histogram lateMicros = Load.histogram();

    @Override
    public Integer call() {
        try (AttachedRun run = AttachedRun.of(options)) {
            LoadTestContext context = run.context();
            StoredDeliveries deliveries = new StoredDeliveries(context.stored());
            context.receiver().receive(this::accept);
            int deadPort = Ports.free();
            UUID dead = id(context.merchant().register("http://127.0.0.1:" + deadPort + "/at_once/dead"));
            UUID healthy = id(context.merchant().register(context.receiver().url(Answer.AT_ONCE) + "/healthy"));
            Progress.say("storing %d due deliveries", rows);
            Instant now = Instant.now();
            deliveries.add(
                    dead,
                    context.sample().tenant(),
                    rows,
                    number -> row(dead, now.minusMillis(OUTAGE.toMillis() * (rows - number) / rows)));
            Progress.say("the endpoint is dead");
            measure(context, deliveries, healthy);
            if (returns) {
                measureReturn(context, deliveries, healthy, deadPort);
            }
            return context.exitCode();
        }
    }

    private static UUID id(JsonNode endpoint) {
        return UUID.fromString(endpoint.required("id").asString());
    }

    /** A delivery whose first attempt failed. */
    private static Delivery row(UUID endpoint, Instant dueAt) {
        Instant eventAt = dueAt.minusSeconds(5);
        TransactionId transaction = new TransactionId(UuidV7.at(eventAt.toEpochMilli()));
        Attempt failed = new Attempt(eventAt, AttemptOutcome.UNREACHABLE, null, Duration.ofMillis(1));
        return new Delivery(
                new DeliveryId(endpoint, new EventId(transaction, 2)),
                "transaction.paid",
                eventAt,
                DeliveryStatus.SCHEDULED,
                List.of(failed),
                dueAt,
                null,
                BODY);
    }

    private void accept(FullHttpRequest request) {
        String id = request.headers().get("webhook-id", "");
        Instant due = dueAt.remove(id);
        if (due != null) {
            long micros = Duration.between(due, Instant.now()).toNanos() / 1000;
            lateMicros.recordValue(Math.max(1, Math.min(Load.MICROS_MAX, micros)));
        } else if (request.uri().endsWith("/dead")) {
            returned.add(id);
        }
    }

    private void addHealthyRows(LoadTestContext context, StoredDeliveries deliveries, UUID healthy, int count) {
        lateMicros = Load.histogram();
        Instant first = Instant.now().plus(START);
        deliveries.add(healthy, context.sample().tenant(), count, number -> {
            Delivery row = row(healthy, first.plusSeconds(number));
            dueAt.put(row.id().eventId().toString(), first.plusSeconds(number));
            return row;
        });
    }

    private void measure(LoadTestContext context, StoredDeliveries deliveries, UUID healthy) {
        addHealthyRows(context, deliveries, healthy, seconds);
        StoredDeliveries.Writes start = deliveries.writes();
        StoredDeliveries.Writes last = start;
        long startAt = System.nanoTime();
        for (int second = PROGRESS_SECONDS; second <= seconds; second += PROGRESS_SECONDS) {
            Waits.until(startAt + TimeUnit.SECONDS.toNanos(second));
            StoredDeliveries.Writes now = deliveries.writes();
            Progress.say("  second %d: %s", second, text(now.since(last), PROGRESS_SECONDS));
            last = now;
        }
        Progress.say("in %d s: %s", seconds, text(last.since(start), seconds));
        Waits.until(dueAt::isEmpty, Duration.ofMillis(100), START.multipliedBy(2));
        System.out.println(Tables.of(Map.of("lateness", Latency.of(lateMicros))));
        if (!dueAt.isEmpty()) {
            context.faults().add("deliveries of the healthy endpoint missing", Integer.toString(dueAt.size()));
        }
    }

    /** The breaker of the endpoint may be open for 5 minutes more. */
    private void measureReturn(LoadTestContext context, StoredDeliveries deliveries, UUID healthy, int deadPort) {
        addHealthyRows(context, deliveries, healthy, (int) RETURN_MAX.toSeconds());
        long startAt = System.nanoTime();
        try (WebhookReceiver receiver = new WebhookReceiver(context.faults(), deadPort)) {
            Progress.say("the endpoint answers again");
            receiver.receive(this::accept);
            long before = 0;
            while (returned.size() < rows && System.nanoTime() - startAt < RETURN_MAX.toNanos()) {
                Waits.until(() -> returned.size() >= rows, Duration.ofMillis(20), Duration.ofSeconds(PROGRESS_SECONDS));
                long now = returned.size();
                Progress.say(
                        "  second %d: %d of %d arrived, %d more",
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startAt), now, rows, now - before);
                before = now;
            }
        }
        System.out.println(Tables.of(Map.of("lateness", Latency.of(lateMicros))));
        if (returned.size() < rows) {
            context.faults().add("deliveries of the returned endpoint missing", returned.size() + " of " + rows);
        }
        Instant lateBefore = Instant.now().minus(LATE_MAX);
        long late = dueAt.values().stream().filter(lateBefore::isAfter).count();
        if (late > 0) {
            context.faults().add("deliveries of the healthy endpoint missing", Long.toString(late));
        }
    }

    private static String text(StoredDeliveries.Writes writes, double seconds) {
        return String.format(
                Locale.ROOT,
                "writes/s: deliveries %.1f, lanes %.1f, documents of all collections %.1f",
                writes.deliveries() / seconds,
                writes.lanes() / seconds,
                writes.documents() / seconds);
    }
}
