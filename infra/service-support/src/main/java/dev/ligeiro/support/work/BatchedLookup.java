package dev.ligeiro.support.work;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Looks values up by their keys. Look-ups at the same time share a query, as {@link RequestBatcher} combines them. If a query fails because
 * of one of its values, such as a document that cannot be decoded, each of its keys is looked up alone, so that only the look-ups of this
 * value fail.
 *
 * @param <K> a key, with {@code equals} and {@code hashCode}
 * @param <V> its value
 */
public final class BatchedLookup<K, V> {

    private final RequestBatcher<K, V> batcher;
    private final Function<List<K>, Mono<Map<K, V>>> query;
    private final Predicate<Throwable> isOutage;

    /**
     * @param batchMax keys of one query at most
     * @param inFlightMax queries in flight at most; those of keys that are looked up alone follow one another
     * @param queuedMax look-ups that wait at most; the next one fails with {@link QueueFullException}
     * @param spacing shortest time between the starts of two queries; not kept when {@code batchMax} look-ups wait
     * @param query the values by their keys; keys without a value are left out
     * @param isOutage whether a query with another key would fail too. No key is looked up alone then
     */
    public BatchedLookup(
            int batchMax,
            int inFlightMax,
            int queuedMax,
            Duration spacing,
            Function<List<K>, Mono<Map<K, V>>> query,
            Predicate<Throwable> isOutage) {
        this.batcher = new RequestBatcher<>(batchMax, inFlightMax, queuedMax, spacing, this::outcomes);
        this.query = query;
        this.isOutage = isOutage;
    }

    /** The value of the key, or empty. Each subscription looks it up anew. */
    public Mono<V> find(K key) {
        return Mono.defer(() -> batcher.submit(key));
    }

    private Mono<RequestBatcher.Outcomes<V>> outcomes(List<K> keys) {
        return query.apply(keys)
                .<RequestBatcher.Outcomes<V>>map(values -> new Found<>(keys, values, Map.of()))
                .onErrorResume(failure -> !isOutage.test(failure), failure -> eachAlone(keys));
    }

    /** An outage meanwhile fails all look-ups of the batch. */
    private Mono<Found<K, V>> eachAlone(List<K> keys) {
        Found<K, V> found = new Found<>(keys, new HashMap<>(), new HashMap<>());
        return Flux.fromIterable(keys)
                .distinct()
                .concatMap(key -> query.apply(List.of(key))
                        .doOnNext(found.values::putAll)
                        .then()
                        .onErrorResume(failure -> !isOutage.test(failure), failure -> {
                            found.failures.put(key, failure);
                            return Mono.empty();
                        }))
                .then(Mono.just(found));
    }

    private record Found<K, V>(List<K> keys, Map<K, V> values, Map<K, Throwable> failures)
            implements RequestBatcher.Outcomes<V> {

        @Override
        public @Nullable Throwable failure(int index) {
            return failures.get(keys.get(index));
        }

        @Override
        public @Nullable V result(int index) {
            return values.get(keys.get(index));
        }
    }
}
