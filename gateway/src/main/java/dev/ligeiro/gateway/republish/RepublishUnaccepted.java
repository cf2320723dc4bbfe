package dev.ligeiro.gateway.republish;

import dev.ligeiro.gateway.publish.CommandPublisher;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One pass of the sweeper: republishes the commands of stored transactions that no processor has accepted for at least 30 seconds. So no
 * transaction is lost when the gateway or Kafka fails between the insert and the publication.
 *
 * <p>A pass is complete when Kafka has acknowledged all of its commands. After a failed pass, the next one starts at the end of the last
 * complete one.
 */
@Component
class RepublishUnaccepted {

    /** Longer than a garbage collection pause. Renewed every 10 s. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration CONFIRM_MAX = Duration.ofSeconds(25);

    private final LeaseStore leases;
    private final UnacceptedStore store;
    private final CommandPublisher publisher;
    private final RepublishSchedule schedule;
    private final Clock clock;

    RepublishUnaccepted(
            LeaseStore leases,
            UnacceptedStore store,
            CommandPublisher publisher,
            RepublishProperties properties,
            Clock clock) {
        this.leases = leases;
        this.store = store;
        this.publisher = publisher;
        this.schedule = new RepublishSchedule(properties.ages());
        this.clock = clock;
    }

    /** The number of republished commands; empty when another gateway has the lease. */
    Mono<Integer> pass() {
        Instant now = clock.instant();
        return leases.take(now, LEASE)
                .flatMap(previous -> Mono.firstWithSignal(republish(previous, now), untilLeaseIsLost()))
                .flatMap(count -> leases.completePass(now).thenReturn(count));
    }

    private Mono<Integer> republish(Instant previous, Instant now) {
        return Flux.fromIterable(schedule.spans(previous, now))
                .concatMap(store::createdIn)
                .buffer(UnacceptedStore.BATCH)
                .concatMap(this::publish, 0)
                .reduce(0, Integer::sum);
    }

    /** Renews the lease while it is subscribed, since a scan can take minutes. Fails when the lease is lost. */
    private Mono<Integer> untilLeaseIsLost() {
        return Flux.interval(LEASE.dividedBy(3))
                .onBackpressureDrop()
                .concatMap(tick -> leases.take(clock.instant(), LEASE)
                        .switchIfEmpty(
                                Mono.error(() -> new IllegalStateException("the lease went to another gateway"))))
                .then(Mono.never());
    }

    private Mono<Integer> publish(List<Transaction> unaccepted) {
        List<TransactionCommand.Process> commands =
                unaccepted.stream().map(TransactionCommand.Process::new).toList();
        return publisher.publishAll(commands).timeout(CONFIRM_MAX).thenReturn(unaccepted.size());
    }

    Mono<Void> release() {
        return leases.release();
    }
}
