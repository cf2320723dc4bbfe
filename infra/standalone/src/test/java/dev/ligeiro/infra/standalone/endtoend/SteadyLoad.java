package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.JsonAnswer;
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

/** Creates transactions of every course at a steady rate, whatever happens to the gateway, and keeps the acknowledged ones. */
final class SteadyLoad implements AutoCloseable {

    private static final int PER_SECOND = 30;
    private static final int IN_FLIGHT_MAX = 64;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private final AtomicInteger sent = new AtomicInteger();
    private final Map<String, ExpectedCourse> acknowledged = new ConcurrentHashMap<>();
    private final Queue<JsonAnswer> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Merchant merchant;

    SteadyLoad(Merchant merchant) {
        this.merchant = merchant;
        clock.scheduleAtFixedRate(this::next, 0, 1_000_000 / PER_SECOND, TimeUnit.MICROSECONDS);
    }

    private void next() {
        if (!inFlight.tryAcquire()) {
            return;
        }
        int number = sent.incrementAndGet();
        ExpectedCourse course = ExpectedCourse.values()[number % ExpectedCourse.values().length];
        Map<String, Object> request = course.request(merchant);
        request.put("reference", "load-" + number);
        merchant.api().postAsync(course.path(), request).whenComplete((answer, failure) -> settle(course, answer));
    }

    /** @param answer null where the connection broke: the transaction may or may not be stored */
    private void settle(ExpectedCourse course, @Nullable JsonAnswer answer) {
        if (answer == null) {
            unanswered.incrementAndGet();
        } else if (answer.status() == 201) {
            acknowledged.put(new ShownTransaction(answer.transaction()).id(), course);
        } else {
            refusals.add(answer);
        }
        inFlight.release();
    }

    /** Returns once this many more were acknowledged. */
    void awaitMore(int count) {
        int wanted = acknowledged.size() + count;
        await().atMost(Duration.ofMinutes(2)).until(() -> acknowledged.size() >= wanted);
    }

    /**
     * Sends no more, waits for the answers, and returns the expected course by id of the acknowledged transactions. Every other
     * answer must be a 503 with Retry-After, which a busy machine may give at any time.
     */
    Map<String, ExpectedCourse> end() {
        clock.shutdown();
        await().atMost(Duration.ofMinutes(1)).until(() -> inFlight.availablePermits() == IN_FLIGHT_MAX);
        assertThat(refusals).allSatisfy(SteadyLoad::requireRetryAfter);
        return Map.copyOf(acknowledged);
    }

    private static void requireRetryAfter(JsonAnswer answer) {
        answer.expect(503);
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
        assertThat(answer.json().required("code").asString()).isEqualTo("unavailable");
    }

    /** JsonAnswers other than 201, so far. */
    List<JsonAnswer> refusals() {
        return List.copyOf(refusals);
    }

    /** How many requests got no answer. */
    int unanswered() {
        return unanswered.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
