package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.AttemptRound;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.dispatcher.schedule.CompletionWriter;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Tells merchants of a batch of events: plans, attempts, stores. When it ends, every (event, endpoint) pair has its delivery in
 * MongoDB, finished or not, and the batch's offsets may be committed. Done again, it makes no second delivery.
 */
@Component
class DispatchEvents {

    /** Of one round, so that a tenant with many endpoints does not multiply a batch in memory. */
    private static final int ROUND_MAX = 1000;

    private final PlanDispatches plans;
    private final AttemptRound rounds;
    private final StoreFirstAttempts store;
    private final CompletionWriter writer;

    DispatchEvents(PlanDispatches plans, AttemptRound rounds, StoreFirstAttempts store, CompletionWriter writer) {
        this.plans = plans;
        this.rounds = rounds;
        this.store = store;
        this.writer = writer;
    }

    Mono<Void> dispatch(List<ReceivedEvent> received) {
        return plans.plan(received)
                .flatMapMany(dispatches -> Flux.fromIterable(dispatches).buffer(ROUND_MAX))
                .concatMap(this::round)
                .then();
    }

    private Mono<Void> round(List<PendingDispatch> dispatches) {
        UUID claim = UUID.randomUUID();
        // an attempt that ends late updates its delivery: not before that is stored, not at all if it never is
        Sinks.Empty<Void> stored = Sinks.empty();
        return rounds.run(dispatches, late -> stored.asMono()
                        .subscribe(nothing -> {}, never -> {}, () -> writer.attempted(late, claim)))
                .flatMap(result -> store.store(result, claim))
                .doOnSuccess(done -> stored.tryEmitEmpty())
                .doOnError(stored::tryEmitError)
                .doOnCancel(() -> stored.tryEmitError(new IllegalStateException("given up")));
    }
}
