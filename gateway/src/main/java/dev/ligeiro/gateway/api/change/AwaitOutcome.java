package dev.ligeiro.gateway.api.change;

import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
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
     * @param readOutcome reads the transaction once the outcome is in its history, at each subscription: one with 100 refunds has 180 kB,
     *     and other requests change it meanwhile
     * @param read reads the transaction in any state
     */
    static Mono<ChangeOutcome> of(
            ChangeRequest request, ChangeOutcome unread, Mono<Transaction> readOutcome, Mono<Transaction> read) {
        Mono<ChangeOutcome> queued = read.map(
                        now -> request.outcome(now).orElseGet(() -> ChangeOutcome.queued(now.snapshot())))
                .timeout(LAST_READ_MAX)
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread));
        return PAUSES.concatMap(pause -> Mono.delay(pause).then(readOutcome), 0)
                .mapNotNull(now -> request.outcome(now).orElse(null))
                .next()
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread))
                .timeout(OUTCOME_MAX, queued);
    }
}
