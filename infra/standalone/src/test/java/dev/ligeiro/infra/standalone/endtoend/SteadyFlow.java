package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

/** Creates transactions of every course at a steady rate, whatever happens to the gateway, and remembers what was acknowledged. */
final class SteadyFlow implements AutoCloseable {

    private static final int PER_SECOND = 30;
    private static final int UNDER_WAY_MAX = 64;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Semaphore underWay = new Semaphore(UNDER_WAY_MAX);
    private final AtomicInteger asked = new AtomicInteger();
    private final Map<String, Course> acknowledged = new ConcurrentHashMap<>();
    private final Queue<Answer> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Merchant merchant;

    SteadyFlow(Merchant merchant) {
        this.merchant = merchant;
        clock.scheduleAtFixedRate(this::next, 0, 1_000_000 / PER_SECOND, TimeUnit.MICROSECONDS);
    }

    private void next() {
        if (!underWay.tryAcquire()) {
            return;
        }
        int number = asked.incrementAndGet();
        Course course = Course.values()[number % Course.values().length];
        merchant.api()
                .postAsync(course.path(), course.request(merchant).put("reference", "flow-" + number))
                .whenComplete((answer, failure) -> settle(course, answer));
    }

    /** @param answer null where the connection broke: whether the transaction is there, nobody was told */
    private void settle(Course course, @Nullable Answer answer) {
        if (answer == null) {
            unanswered.incrementAndGet();
        } else if (answer.status() == 201) {
            acknowledged.put(answer.transaction().id(), course);
        } else {
            refusals.add(answer);
        }
        underWay.release();
    }

    /** Returns once this many more were acknowledged. */
    void awaitMore(int count) {
        int wanted = acknowledged.size() + count;
        await().atMost(Duration.ofMinutes(2)).until(() -> acknowledged.size() >= wanted);
    }

    /**
     * Ends the flow; once every request has had its answer, gives the ids with what is to become of them. The only other answer
     * is to come again: a busy machine may give it at any time.
     */
    Map<String, Course> end() {
        clock.shutdown();
        await().atMost(Duration.ofMinutes(1)).until(() -> underWay.availablePermits() == UNDER_WAY_MAX);
        assertThat(refusals).allSatisfy(SteadyFlow::requireToldToComeAgain);
        return Map.copyOf(acknowledged);
    }

    private static void requireToldToComeAgain(Answer answer) {
        answer.expect(503);
        assertThat(Integer.parseInt(answer.retryAfter())).isPositive();
        assertThat(answer.json().required("code").asString()).isEqualTo("unavailable");
    }

    /** Answers other than 201, so far. */
    List<Answer> refusals() {
        return List.copyOf(refusals);
    }

    /** How many requests got no answer at all. */
    int unanswered() {
        return unanswered.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
