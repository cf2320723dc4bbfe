package dev.ligeiro.gateway.api.change;

import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Waits up to 2 s for the outcome of a change whose command Kafka has. The change will be made whatever happens to the reads, so when
 * the transaction cannot be read, the change counts as queued: after a 503, a client would send the refund a second time.
 */
final class AwaitOutcome {

    static final Duration OUTCOME_MAX = Duration.ofSeconds(2);

    /** The pauses before the reads. They grow, because under load many requests wait. */
    private static final Flux<Duration> PAUSES =
            Flux.concat(Flux.just(50, 50, 100), Flux.just(200).repeat()).map(Duration::ofMillis);

    private static final Duration LAST_READ_MAX = Duration.ofMillis(500);

    private AwaitOutcome() {}

    /**
     * Fails with the problem of the refusal when the processor has refused the change.
     *
     * @param unread the outcome if the transaction cannot be read. It is kept while the change waits, thousands of which may wait at once
     * @param version of the transaction before the change
     * @param readIfChanged reads the transaction if it has changed since a version: one with 100 refunds has 180 kB
     */
    static Mono<ChangeOutcome> of(
            ChangeRequest request, ChangeOutcome unread, int version, IntFunction<Mono<Transaction>> readIfChanged) {
        Mono<ChangeOutcome> queued = Mono.defer(() -> readIfChanged.apply(0))
                .map(now -> request.outcome(now).orElseGet(() -> ChangeOutcome.queued(now.snapshot())))
                .timeout(LAST_READ_MAX)
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread));
        return Mono.defer(() -> firstOutcome(request, new AtomicInteger(version), readIfChanged))
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread))
                .timeout(OUTCOME_MAX, queued);
    }

    private static Mono<ChangeOutcome> firstOutcome(
            ChangeRequest request, AtomicInteger seen, IntFunction<Mono<Transaction>> readIfChanged) {
        return PAUSES.concatMap(pause -> Mono.delay(pause).then(Mono.defer(() -> readIfChanged.apply(seen.get()))), 0)
                .doOnNext(now -> seen.set(now.version()))
                .mapNotNull(now -> request.outcome(now).orElse(null))
                .next();
    }
}
