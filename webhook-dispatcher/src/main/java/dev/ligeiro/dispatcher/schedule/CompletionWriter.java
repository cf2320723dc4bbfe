package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.Completion;
import dev.ligeiro.dispatcher.delivery.DeliveryId;
import dev.ligeiro.dispatcher.delivery.DeliveryMetrics;
import dev.ligeiro.dispatcher.delivery.DeliveryStatus;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.dispatcher.delivery.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Writes what becomes of deliveries that this process holds. It never waits when idle; while one bulk is under way the next one
 * collects, so under load the groups grow. What cannot be written before its lease ends is dropped: the delivery is then due again.
 *
 * <p>What waits here is bounded by the attempts that were under way when MongoDB went: without it none begins.
 */
@Component
public class CompletionWriter {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionWriter.class);
    private static final int GROUP_MAX = 128;
    private static final Duration BACK_OFF = Duration.ofMillis(100);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(1);

    private final DeliveryStore store;
    private final SettleDispatches settle;
    private final DeliveryMetrics metrics;
    private final Duration lease;
    private final Queue<Completion> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writing = new AtomicBoolean();
    private final AtomicInteger unwritten = new AtomicInteger();

    CompletionWriter(
            DeliveryStore store, SettleDispatches settle, DeliveryMetrics metrics, RoundProperties properties) {
        this.store = store;
        this.settle = settle;
        this.metrics = metrics;
        this.lease = properties.lease();
    }

    /** Settles and writes an attempt that has ended. */
    public void attempted(CompletedDispatch dispatch, UUID claim) {
        unwritten.incrementAndGet();
        settle.settle(List.of(dispatch))
                .subscribe(settled -> queue(new Completion(
                        dispatch.dispatch().id(),
                        claim,
                        dispatch.attempt(),
                        settled.get(0).verdict())));
    }

    /** Cancels a delivery that there is no endpoint for any more. */
    void cancel(DeliveryId id, UUID claim) {
        metrics.became(DeliveryStatus.CANCELED);
        write(new Completion(id, claim, null, Verdict.CANCELED));
    }

    /** Writes what was decided without an attempt. */
    void write(Completion completion) {
        unwritten.incrementAndGet();
        queue(completion);
    }

    /** Whether all is written. */
    boolean idle() {
        return unwritten.get() == 0;
    }

    private void queue(Completion completion) {
        waiting.add(completion);
        writeNext();
    }

    private void writeNext() {
        while (!waiting.isEmpty() && writing.compareAndSet(false, true)) {
            List<Completion> group = nextGroup();
            if (!group.isEmpty()) {
                write(group).subscribe();
                return;
            }
            writing.set(false);
        }
    }

    private List<Completion> nextGroup() {
        List<Completion> group = new ArrayList<>();
        for (Completion next = waiting.poll(); next != null; next = waiting.poll()) {
            group.add(next);
            if (group.size() == GROUP_MAX) {
                break;
            }
        }
        return group;
    }

    private Mono<Integer> write(List<Completion> group) {
        return store.complete(group)
                .retryWhen(Retry.backoff(Long.MAX_VALUE, BACK_OFF).maxBackoff(BACK_OFF_MAX))
                .timeout(lease)
                .doOnNext(held -> metrics.leasesLost(group.size() - held))
                .onErrorResume(failure -> {
                    LOG.warn("event=completions_dropped count={} cause={}", group.size(), failure.toString());
                    return Mono.empty();
                })
                .doFinally(signal -> {
                    unwritten.addAndGet(-group.size());
                    writing.set(false);
                    writeNext();
                });
    }
}
