package dev.ligeiro.gateway.change;

import dev.ligeiro.gateway.problem.Problems;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Waits up to 2 s for the outcome of a change whose command Kafka has. The change will be made whatever happens to the reads, so when
 * the transaction cannot be read, the change counts as queued: after a 503, a client would send the refund a second time.
 */
final class AwaitOutcome {

    static final Duration OUTCOME_MAX = Duration.ofSeconds(2);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private AwaitOutcome() {}

    /**
     * Fails with the problem of the refusal when the processor has refused the change.
     *
     * @param before the transaction before the change
     * @param read reads the transaction anew for each subscription
     */
    static Mono<ChangeOutcome> of(ChangeRequest request, Transaction before, Mono<Transaction> read) {
        Mono<ChangeOutcome> queued = Mono.just(new ChangeOutcome(before, ChangeOutcome.Kind.QUEUED));
        return Mono.delay(POLL_INTERVAL)
                .then(read)
                .mapNotNull(now -> request.outcome(now).orElse(null))
                .repeatWhenEmpty(polls -> polls)
                .onErrorResume(Problems::mayPass, failure -> queued)
                .timeout(OUTCOME_MAX, queued);
    }
}
