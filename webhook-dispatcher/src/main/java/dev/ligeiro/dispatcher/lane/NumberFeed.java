package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.lane.FeedStore.Due;
import dev.ligeiro.dispatcher.lane.FeedStore.Last;
import dev.ligeiro.dispatcher.lane.FeedStore.NumbersTaken;
import dev.ligeiro.webhook.DeliveryStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Delivers the due deliveries of a feed: gives them its next numbers. From then on the merchant can read them. The numbers are never
 * used twice, not even when all deliveries of the feed have been deleted.
 */
@Component
public class NumberFeed {

    /** A bulk of this size takes mongod about 40 ms. */
    static final int BATCH_MAX = 500;

    private final FeedStore store;
    private final DeliveryMetrics metrics;
    private final Timer latency;

    NumberFeed(FeedStore store, DeliveryMetrics metrics, MeterRegistry registry) {
        this.store = store;
        this.metrics = metrics;
        this.latency = Timer.builder("ligeiro.webhook.feed.latency")
                .description("From an event to its number in a feed")
                .register(registry);
    }

    /** Numbers one batch. Gives whether more deliveries may be due; an error if another process gives numbers to the same feed. */
    public Mono<Boolean> number(UUID feedId, Instant now) {
        return Mono.zip(store.last(feedId), store.due(feedId, now, BATCH_MAX))
                .flatMap(read -> number(feedId, read.getT1(), read.getT2(), now));
    }

    private Mono<Boolean> number(UUID feedId, Last last, List<Due> due, Instant now) {
        if (due.isEmpty()) {
            // a process that died before it kept the number leaves that to the next one
            return keep(feedId, last, last.number()).thenReturn(false);
        }
        return store.number(feedId, due, last.number() + 1, now)
                .doOnSuccess(done -> count(due, now))
                .doOnError(NumbersTaken.class, taken -> metrics.countLostLeases(1))
                .then(Mono.defer(() -> keep(feedId, last, last.number() + due.size())))
                .thenReturn(due.size() == BATCH_MAX);
    }

    private Mono<Void> keep(UUID feedId, Last last, long number) {
        return number == last.kept() ? Mono.empty() : store.keep(feedId, number);
    }

    private void count(List<Due> due, Instant now) {
        metrics.count(DeliveryStatus.DELIVERED, due.size());
        due.forEach(one -> latency.record(Duration.between(one.eventAt(), now)));
    }
}
