package dev.ligeiro.processor.due;

import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** One pass of the due work while this processor holds the lease; nothing while another one holds it. */
@Component
class LeasedDispatch {

    /** A pass ends this long before its lease, which each pass renews. */
    private static final Duration END_BEFORE_LEASE = Duration.ofSeconds(2);

    private final DueLeaseStore store;
    private final DispatchDue dispatch;
    private final WatchDue watch;
    private final Clock clock;
    private final Duration lease;
    private final Duration passMax;

    LeasedDispatch(DueLeaseStore store, DispatchDue dispatch, WatchDue watch, Clock clock, DueProperties properties) {
        this.store = store;
        this.dispatch = dispatch;
        this.watch = watch;
        this.clock = clock;
        this.lease = properties.lease();
        this.passMax = lease.minus(END_BEFORE_LEASE);
    }

    /** The state after the pass. The next pass begins where a failed one ended. */
    Mono<State> run() {
        return store.take(clock.instant(), lease)
                .doOnError(unavailable -> watch.standBy())
                // it watches before the dispatch, which fails while Kafka is away
                .flatMap(progress ->
                        watch.watch().then(Mono.defer(() -> pass(progress))).timeout(passMax))
                .switchIfEmpty(Mono.fromSupplier(this::standBy));
    }

    private Mono<State> pass(DueProgress before) {
        return dispatch.pass(before)
                .flatMap(after -> after.equals(before)
                        ? Mono.just(after)
                        : store.save(after).thenReturn(after))
                .map(after -> dispatch.waitsForProcessors(after) ? State.WAITS_FOR_PROCESSORS : State.DONE);
    }

    private State standBy() {
        watch.standBy();
        return State.STANDS_BY;
    }

    Mono<Void> release() {
        return store.release();
    }

    /** What decides when the next pass begins. */
    enum State {
        DONE,
        WAITS_FOR_PROCESSORS,
        /** Another processor has the lease. */
        STANDS_BY
    }
}
