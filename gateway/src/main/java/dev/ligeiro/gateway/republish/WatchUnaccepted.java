package dev.ligeiro.gateway.republish;

import dev.ligeiro.support.time.Interval;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds every minute the oldest transaction that no processor has accepted. Only the gateway with the lease looks. */
@Component
class WatchUnaccepted {

    private static final Duration MEASURE_MAX = Duration.ofSeconds(6);

    private final UnacceptedStore store;
    private final RepublishMetrics metrics;
    private final Clock clock;
    private final Interval every = new Interval(Duration.ofMinutes(1));

    WatchUnaccepted(UnacceptedStore store, RepublishMetrics metrics, Clock clock) {
        this.store = store;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Never fails: without an answer of MongoDB the age is unknown. */
    Mono<Void> watch(Progress progress) {
        metrics.open(progress);
        Instant now = clock.instant();
        if (!every.begin(now)) {
            return Mono.empty();
        }
        return Flux.merge(store.oldestSince(progress.settledUntil()), oldestOpen(progress))
                .timeout(MEASURE_MAX)
                .reduce(now, (one, other) -> one.isBefore(other) ? one : other)
                .doOnNext(oldest -> metrics.oldestUnaccepted(Duration.between(oldest, now)))
                .doOnError(unavailable -> metrics.unknown())
                .onErrorComplete()
                .then();
    }

    /** The open ones may have been accepted since the last pass. One query, so it looks at the oldest of them only. */
    private Flux<Instant> oldestOpen(Progress progress) {
        List<TransactionId> ids = progress.open().stream()
                .map(Republished::id)
                .sorted(Comparator.comparing(TransactionId::createdAt))
                .limit(UnacceptedStore.BATCH)
                .toList();
        return ids.isEmpty() ? Flux.empty() : store.unacceptedIds(ids).map(TransactionId::createdAt);
    }

    /** Another gateway has the lease, or MongoDB does not tell who has. */
    void standBy() {
        every.reset();
        metrics.standBy();
    }
}
