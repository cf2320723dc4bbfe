package dev.ligeiro.infra.loadtest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.MerchantApi;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates cashins that are paid at once, at a rate, while somebody disturbs the system, and repeats each create with its idempotency key, ever
 * more seldom, until it has a 201. Then waits until all are paid and announced, and prints one line of JSON. It knows the merchant's API only,
 * so it runs wherever the gateways are reached and the dispatchers reach it. Exit code 0: every create has exactly one transaction, paid and
 * announced; 1: not so; 2: it could not be run.
 */
@Command(
        name = "disturbed-load",
        description = "Creates paid cashins while the system is disturbed.",
        exitCodeOnExecutionException = 2)
final class DisturbedLoad implements Callable<Integer> {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int CREATED = 201;
    /** Doubled by each repetition: otherwise all creates of an outage would come back each second, which no client does. */
    private static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

    private static final Duration REPEAT_AFTER_MAX = Duration.ofSeconds(16);
    /** Less than the {@code total-timeout} of webhooks. */
    private static final Duration SLOWLY = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofSeconds(1);

    @Option(names = "--url", required = true, description = "of the gateways")
    String url = "";

    @Option(
            names = "--receiver",
            required = true,
            description = "this program's address for webhooks, as dispatchers reach it")
    String receiver = "";

    @Option(names = "--rate", defaultValue = "20", description = "creates a second (default: ${DEFAULT-VALUE})")
    int rate;

    @Option(names = "--key-file", required = true, description = "has the API key of a new merchant")
    Path keyFile = Path.of("");

    @Option(names = "--platform", required = true, description = "the id of the merchant's platform")
    String platform = "";

    @Option(names = "--stop-file", required = true, description = "the load ends when this file exists")
    Path stopFile = Path.of("");

    @Option(
            names = "--seconds-max",
            defaultValue = "1800",
            description = "of load without a stop file (default: ${DEFAULT-VALUE})")
    int secondsMax;

    @Option(
            names = "--settle-within",
            defaultValue = "180",
            description = "seconds after the load (default: ${DEFAULT-VALUE})")
    int settleWithin;

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("timer", true));
    private final Map<String, Integer> refused = new TreeMap<>();
    private final Set<String> created = ConcurrentHashMap.newKeySet();
    private final Set<String> announced = ConcurrentHashMap.newKeySet();
    private final Gap withoutCreate = new Gap();
    private final Gap withoutWebhook = new Gap();

    /** The longest time between two of the same, and before the first. */
    private static final class Gap {

        private long lastNanos = System.nanoTime();
        private long longestNanos;

        synchronized void start() {
            lastNanos = System.nanoTime();
        }

        synchronized void note() {
            long now = System.nanoTime();
            longestNanos = Math.max(longestNanos, now - lastNanos);
            lastNanos = now;
        }

        synchronized long millis() {
            return TimeUnit.NANOSECONDS.toMillis(longestNanos);
        }
    }

    public static void main(String... arguments) {
        System.exit(new CommandLine(new DisturbedLoad()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        MerchantApi merchant =
                new MerchantApi(new Api(url, Files.readString(keyFile).strip()), platform);
        HttpServer server =
                HttpServer.create(new InetSocketAddress(URI.create(receiver).getPort()), 0);
        server.createContext("/", this::receive);
        server.createContext("/slow", this::receiveSlowly);
        server.start();
        untilAnswered(() -> merchant.register(receiver));
        Set<CompletableFuture<Void>> calls = new HashSet<>();
        withoutCreate.start();
        withoutWebhook.start();
        long startNanos = System.nanoTime();
        int due = 0;
        for (; !Files.exists(stopFile) && due < secondsMax * rate; due++) {
            long waitNanos = startNanos + due * TimeUnit.SECONDS.toNanos(1) / rate - System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(Math.max(0, waitNanos));
            CompletableFuture<Void> call = new CompletableFuture<>();
            calls.add(call);
            create(merchant, UUID.randomUUID().toString(), REPEAT_AFTER, call);
        }
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(settleWithin);
        while (System.nanoTime() - endNanos < 0
                && !(calls.stream().allMatch(CompletableFuture::isDone) && announced.containsAll(created))) {
            TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("due", due);
        result.put("created", created.size());
        synchronized (refused) {
            result.put("refused", Map.copyOf(refused));
        }
        Set<String> missing = new HashSet<>(created);
        missing.removeAll(announced);
        result.put("webhooks_missing", missing.size());
        result.put("stored", total(merchant, ""));
        result.put("unpaid", created.size() - total(merchant, "status=paid"));
        result.put("longest_ms_without_201", withoutCreate.millis());
        result.put("longest_ms_without_webhook", withoutWebhook.millis());
        System.out.println(JSON.writeValueAsString(result));
        server.stop(0);
        boolean whole = created.size() == due
                && missing.isEmpty()
                && result.get("stored").equals(due)
                && result.get("unpaid").equals(0);
        return whole ? 0 : 1;
    }

    private void create(MerchantApi merchant, String key, Duration repeatAfter, CompletableFuture<Void> done) {
        Api.sendAsync(merchant.api()
                        .json("POST", MerchantApi.CASHIN_PATH, merchant.cashin("10.11"))
                        .header("Idempotency-Key", key))
                .whenComplete((answer, failure) -> {
                    if (answer != null && answer.status() == CREATED) {
                        note(answer.transaction().required("id").asString(), created, withoutCreate);
                        done.complete(null);
                    } else {
                        refuse(answer, failure);
                        Duration next = Collections.min(List.of(repeatAfter.multipliedBy(2), REPEAT_AFTER_MAX));
                        timer.schedule(
                                () -> create(merchant, key, next, done), repeatAfter.toMillis(), TimeUnit.MILLISECONDS);
                    }
                });
    }

    private void note(String id, Set<String> all, Gap gap) {
        if (all.add(id)) {
            gap.note();
        }
    }

    private void refuse(@Nullable Answer answer, @Nullable Throwable failure) {
        String reason = answer != null
                ? Integer.toString(answer.status())
                : String.valueOf(
                        failure == null || failure.getCause() == null
                                ? failure
                                : failure.getCause().getClass().getSimpleName());
        synchronized (refused) {
            refused.merge(reason, 1, Integer::sum);
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
        if (body.path("type").asString("").equals("transaction.paid")) {
            note(body.at("/data/id").asString(""), announced, withoutWebhook);
        }
    }

    /** So slowly that its webhooks of a usual load become more and more, and quickly enough to be no failure. */
    private void receiveSlowly(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        timer.schedule(
                () -> {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                    return null;
                },
                SLOWLY.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private static int total(MerchantApi merchant, String query) throws InterruptedException {
        return untilAnswered(() -> merchant.list(query)).required("total").asInt();
    }

    /** Asks again, for a minute, while no gateway answers. */
    private static JsonNode untilAnswered(Supplier<JsonNode> call) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                return call.get();
            } catch (ApiException away) {
                if (System.nanoTime() - endNanos > 0) {
                    throw away;
                }
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            }
        }
    }
}
