package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.attempt.RoundProperties;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.Completion;
import dev.ligeiro.dispatcher.delivery.DeliveryMetrics;
import dev.ligeiro.dispatcher.delivery.DeliveryState;
import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Clock;
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
 * Writes completions of deliveries that this process holds, in bulks. An idle writer writes at once; completions that arrive during
 * a bulk form the next one. A completion that cannot be written before its lease ends is dropped, and the delivery is due again.
 *
 * <p>The queue is bounded by the number of running attempts: while MongoDB is unavailable no attempt starts.
 */
@Component
public class CompletionWriter {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionWriter.class);
    private static final int GROUP_MAX = 128;
    private static final Duration BACK_OFF = Duration.ofMillis(100);
    private static final Duration BACK_OFF_MAX = Duration.ofSeconds(1);

    private final DeliveryStore store;
    private final EvaluateAttempts evaluateAttempts;
    private final DeliveryMetrics metrics;
    private final Duration lease;
    private final Clock clock;
    private final Queue<Completion> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean writing = new AtomicBoolean();
    private final AtomicInteger unwritten = new AtomicInteger();

    CompletionWriter(
            DeliveryStore store,
            EvaluateAttempts evaluateAttempts,
            DeliveryMetrics metrics,
            RoundProperties properties,
            Clock clock) {
        this.store = store;
        this.evaluateAttempts = evaluateAttempts;
        this.metrics = metrics;
        this.lease = properties.lease();
        this.clock = clock;
    }

    /** Evaluates a completed attempt and writes the result. */
    public void attempted(CompletedDispatch dispatch, UUID claim) {
        unwritten.incrementAndGet();
        evaluateAttempts
                .evaluate(List.of(dispatch))
                .subscribe(evaluated -> queue(new Completion(
                        dispatch.dispatch().id(),
                        claim,
                        dispatch.attempt(),
                        evaluated.get(0).state())));
    }

    /** Cancels a delivery whose endpoint was deleted or disabled. */
    void cancel(DeliveryId id, UUID claim) {
        metrics.count(DeliveryStatus.CANCELED);
        write(new Completion(id, claim, null, DeliveryState.CANCELED));
    }

    /** Writes a completion without an attempt. */
    void write(Completion completion) {
        unwritten.incrementAndGet();
        queue(completion);
    }

    /** Whether no completion waits to be written. */
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
        return store.complete(group, clock.instant())
                .retryWhen(Retry.backoff(Long.MAX_VALUE, BACK_OFF).maxBackoff(BACK_OFF_MAX))
                .timeout(lease)
                .doOnNext(written -> metrics.countLostLeases(group.size() - written))
                .onErrorResume(failure -> {
                    LOG.atWarn()
                            .addKeyValue("event.action", "completions_dropped")
                            .addKeyValue("count", group.size())
                            .addKeyValue("cause", failure.getClass().getSimpleName())
                            .log(
                                    "Results of attempts were not written; the attempts are made again after their leases");
                    return Mono.empty();
                })
                .doFinally(signal -> {
                    unwritten.addAndGet(-group.size());
                    writing.set(false);
                    writeNext();
                });
    }
}
