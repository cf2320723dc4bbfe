package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Creates transactions of all lifecycles at a constant rate, also while the gateway fails, and keeps the acknowledged ones. */
final class ConstantLoad implements AutoCloseable {

    private static final int PER_SECOND = 30;
    private static final int IN_FLIGHT_MAX = 64;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private final AtomicInteger sent = new AtomicInteger();
    private final Map<String, ExpectedLifecycle> acknowledged = new ConcurrentHashMap<>();
    private final Queue<Answer> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final EndToEndMerchant merchant;

    ConstantLoad(EndToEndMerchant merchant) {
        this.merchant = merchant;
        clock.scheduleAtFixedRate(this::next, 0, 1_000_000 / PER_SECOND, TimeUnit.MICROSECONDS);
    }

    private void next() {
        if (!inFlight.tryAcquire()) {
            return;
        }
        int number = sent.incrementAndGet();
        ExpectedLifecycle lifecycle = ExpectedLifecycle.values()[number % ExpectedLifecycle.values().length];
        Map<String, Object> request = lifecycle.request(merchant);
        request.put("reference", "load-" + number);
        merchant.api()
                .postAsync(lifecycle.path(), request)
                .whenComplete((answer, failure) -> settle(lifecycle, answer));
    }

    /** @param answer null when the connection failed: the transaction may be stored or not */
    private void settle(ExpectedLifecycle lifecycle, @Nullable Answer answer) {
        if (answer == null) {
            unanswered.incrementAndGet();
        } else if (answer.status() == 201) {
            acknowledged.put(new ShownTransaction(answer.transaction()).id(), lifecycle);
        } else {
            refusals.add(answer);
        }
        inFlight.release();
    }

    /** Returns when {@code count} more transactions are acknowledged. */
    void awaitMore(int count) {
        int wanted = acknowledged.size() + count;
        await().atMost(Duration.ofMinutes(2)).until(() -> acknowledged.size() >= wanted);
    }

    /**
     * Stops the load, waits for the outstanding responses, and returns the acknowledged transactions by id. Every other response must
     * be a 503 with Retry-After, which is possible at any time on a busy machine.
     */
    Map<String, ExpectedLifecycle> end() {
        clock.shutdown();
        await().atMost(Duration.ofMinutes(1)).until(() -> inFlight.availablePermits() == IN_FLIGHT_MAX);
        assertThat(refusals).allSatisfy(ConstantLoad::requireRetryAfter);
        return Map.copyOf(acknowledged);
    }

    private static void requireRetryAfter(Answer answer) {
        answer.expect(503);
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
        assertThat(answer.json().required("code").asString()).isEqualTo("unavailable");
    }

    /** The responses other than 201 so far. */
    List<Answer> refusals() {
        return List.copyOf(refusals);
    }

    /** The number of requests without a response. */
    int unanswered() {
        return unanswered.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
