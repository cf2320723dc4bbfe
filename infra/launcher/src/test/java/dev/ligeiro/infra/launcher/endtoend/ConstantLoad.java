package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates transactions of all lifecycles at a constant rate, and pays those that a payer pays. Like a merchant who wants each of them
 * once, it repeats a request that gets a 503 or no answer, with the same {@code Idempotency-Key}, until it succeeds.
 */
final class ConstantLoad implements AutoCloseable {

    private static final int IN_FLIGHT_MAX = 512;
    private static final Duration REPEATED_AFTER = Duration.ofMillis(500);
    private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(2);
    private static final int NO_ANSWER = 0;

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private final AtomicInteger begun = new AtomicInteger();
    private final Map<String, Created> created = new ConcurrentHashMap<>();
    private final Queue<Try> tries = new ConcurrentLinkedQueue<>();
    private final Queue<Answer> unexpected = new ConcurrentLinkedQueue<>();
    private final EndToEndMerchant merchant;
    private final Future<?> arrivals;

    /**
     * One request to create a transaction.
     *
     * @param status 0 without an answer
     */
    record Try(Instant endedAt, int status, Duration took) {}

    /** A transaction whose creation was acknowledged at {@code at}. */
    record Created(ExpectedLifecycle lifecycle, Instant at) {}

    ConstantLoad(EndToEndMerchant merchant, int perSecond) {
        this.merchant = merchant;
        arrivals = clock.scheduleAtFixedRate(this::next, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
    }

    private void next() {
        if (!inFlight.tryAcquire()) {
            return; // an outage
        }
        int number = begun.incrementAndGet();
        ExpectedLifecycle lifecycle = ExpectedLifecycle.values()[number % ExpectedLifecycle.values().length];
        create(number, lifecycle);
    }

    private void create(int number, ExpectedLifecycle lifecycle) {
        HttpRequest.Builder request = merchant.api()
                .json("POST", lifecycle.path(), lifecycle.request(merchant))
                .header("Idempotency-Key", "create-" + number);
        Instant sentAt = Instant.now();
        send(request, () -> create(number, lifecycle), sentAt, answer -> {
            String id = answer.transactionId();
            created.put(id, new Created(lifecycle, Instant.now()));
            if (lifecycle == ExpectedLifecycle.PAID_BY_PAYER) {
                pay(id);
            } else {
                inFlight.release();
            }
        });
    }

    private void pay(String id) {
        HttpRequest.Builder request = merchant.api()
                .request(MerchantApi.sandboxPath(id, "pay"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .header("Idempotency-Key", "pay-" + id);
        send(request, () -> pay(id), null, answer -> inFlight.release());
    }

    /**
     * @param again repeats the request
     * @param createdSince when a request to create was sent; null for another request, which is not among the tries
     */
    private void send(
            HttpRequest.Builder request, Runnable again, @Nullable Instant createdSince, Consumer<Answer> done) {
        Api.sendAsync(request).whenComplete((answer, failure) -> {
            if (createdSince != null) {
                Instant now = Instant.now();
                int status = answer == null ? NO_ANSWER : answer.status();
                tries.add(new Try(now, status, Duration.between(createdSince, now)));
            }
            if (answer != null && answer.status() / 100 == 2) {
                done.accept(answer);
            } else if (answer == null || isRefusal(answer)) {
                clock.schedule(again, REPEATED_AFTER.toMillis(), TimeUnit.MILLISECONDS);
            } else {
                unexpected.add(answer);
                inFlight.release();
            }
        });
    }

    private static boolean isRefusal(Answer answer) {
        return answer.status() == 503
                && answer.header("Retry-After").matches("[1-9]\\d*")
                && List.of("unavailable", "overloaded").contains(answer.text("code"));
    }

    /** Returns when {@code count} more transactions are acknowledged. */
    void awaitMore(int count) {
        int wanted = created.size() + count;
        await().atMost(Duration.ofMinutes(2)).until(() -> created.size() >= wanted);
    }

    /**
     * Begins no more transactions, waits until each begun one is acknowledged and paid, and returns all by id. Each response other than a
     * success must have been a 503 with Retry-After.
     */
    Map<String, Created> end() {
        arrivals.cancel(false);
        await("every request succeeds")
                .atMost(ANSWERED_WITHIN)
                .until(() -> inFlight.availablePermits() == IN_FLIGHT_MAX);
        assertThat(unexpected).isEmpty();
        return Map.copyOf(created);
    }

    /** The acknowledged transactions so far, by id. */
    Map<String, Created> created() {
        return created;
    }

    /** The requests that ended in this time. */
    List<Try> tries(Instant from, Instant until) {
        return tries.stream()
                .filter(each -> !each.endedAt().isBefore(from) && each.endedAt().isBefore(until))
                .toList();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
