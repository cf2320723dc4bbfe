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

    /**
     * The pauses before the reads. Under load many requests wait, and a transaction with 100 refunds has 180 kB: with a read every 50 ms,
     * 64 requests kept two cores busy.
     */
    private static final Flux<Duration> PAUSES =
            Flux.concat(Flux.just(50, 50, 100, 200), Flux.just(400).repeat()).map(Duration::ofMillis);

    private static final Duration LAST_READ_MAX = Duration.ofMillis(500);

    private AwaitOutcome() {}

    /**
     * Fails with the problem of the refusal when the processor has refused the change.
     *
     * @param unread the outcome if the transaction cannot be read. It is kept while the change waits, thousands of which may wait at once
     * @param read reads the transaction anew for each subscription
     */
    static Mono<ChangeOutcome> of(ChangeRequest request, ChangeOutcome unread, Mono<Transaction> read) {
        Mono<ChangeOutcome> queued = read.map(
                        now -> request.outcome(now).orElseGet(() -> ChangeOutcome.queued(now.snapshot())))
                .timeout(LAST_READ_MAX)
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread));
        return PAUSES.concatMap(pause -> Mono.delay(pause).then(read), 0)
                .mapNotNull(now -> request.outcome(now).orElse(null))
                .next()
                .onErrorResume(Problems::mayPass, failure -> Mono.just(unread))
                .timeout(OUTCOME_MAX, queued);
    }
}
