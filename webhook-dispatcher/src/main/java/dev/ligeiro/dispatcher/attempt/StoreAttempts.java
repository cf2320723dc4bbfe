package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Stores the results of attempts of stored deliveries, in bulks. An idle store is written at once; results that arrive during a bulk
 * form the next one. A bulk that fails is repeated for as long as a lease lasts, then its results are dropped: the deliveries are due again.
 *
 * <p>The queue is bounded: a lane holds at most 40 deliveries whose results are not written, and at most two batches run.
 */
@Component
public class StoreAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(StoreAttempts.class);
    private static final int GROUP_MAX = 128;
    private static final Duration BACK_OFF = Duration.ofMillis(100);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(1);

    private final DeliveryStore store;
    private final CompleteAttempts complete;
    private final DeliveryMetrics metrics;
    private final Duration lease;
    private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writing = new AtomicBoolean();
    private final AtomicInteger unwritten = new AtomicInteger();

    StoreAttempts(DeliveryStore store, CompleteAttempts complete, DeliveryMetrics metrics, RoundProperties properties) {
        this.store = store;
        this.complete = complete;
        this.metrics = metrics;
        this.lease = properties.lease();
    }

    /** A result that waits to be written. */
    private record Waiting(DeliveryUpdate update, Consumer<Delivery> written) {}

    /**
     * Stores the result of an attempt, unless another process has completed the delivery since.
     *
     * @param written receives the delivery in its next state, when that is written or dropped, on any thread. It should not hold the
     *     payload: while MongoDB is slow, thousands of results may wait
     */
    public void store(Completed completed, Consumer<Delivery> written) {
        Instant storedFor = Objects.requireNonNull(completed.dispatch().storedFor(), "a delivery that is not stored");
        Delivery delivery = complete.complete(completed);
        unwritten.incrementAndGet();
        queue.add(new Waiting(new DeliveryUpdate(delivery, storedFor), written));
        writeNext();
    }

    /** Whether no result waits to be written. */
    public boolean idle() {
        return unwritten.get() == 0;
    }

    private void writeNext() {
        while (!queue.isEmpty() && writing.compareAndSet(false, true)) {
            List<Waiting> group = nextGroup();
            if (!group.isEmpty()) {
                write(group).subscribe();
                return;
            }
            writing.set(false);
        }
    }

    private List<Waiting> nextGroup() {
        List<Waiting> group = new ArrayList<>();
        for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
            group.add(next);
            if (group.size() == GROUP_MAX) {
                break;
            }
        }
        return group;
    }

    private Mono<Integer> write(List<Waiting> group) {
        return store.update(group.stream().map(Waiting::update).toList())
                .retryWhen(Retry.backoff(Long.MAX_VALUE, BACK_OFF).maxBackoff(BACK_OFF_MAX))
                .timeout(lease)
                .doOnNext(written -> metrics.countLostLeases(group.size() - written))
                .onErrorResume(failure -> {
                    LOG.atWarn()
                            .addKeyValue("event.action", "results_dropped")
                            .addKeyValue("count", group.size())
                            .addKeyValue("cause", failure.getClass().getSimpleName())
                            .log("Results of attempts were not written; the attempts are made again");
                    return Mono.empty();
                })
                .doFinally(signal -> {
                    unwritten.addAndGet(-group.size());
                    writing.set(false);
                    group.forEach(
                            waiting -> waiting.written().accept(waiting.update().delivery()));
                    writeNext();
                });
    }
}
