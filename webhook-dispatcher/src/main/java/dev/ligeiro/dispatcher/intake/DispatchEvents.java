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
 * Processes a batch of events: plans the dispatches, makes the first attempts and stores the deliveries. When it completes, every
 * (event, subscribed endpoint) pair has a delivery in MongoDB, so the batch's offsets may be committed. Idempotent: repeating it
 * repeats attempts, but creates no second delivery.
 */
@Component
class DispatchEvents {

    /** Maximum dispatches of a round: limits the memory of a batch for tenants with many endpoints. */
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
        // a late attempt updates its delivery after the insert, and not at all if the insert fails
        Sinks.Empty<Void> stored = Sinks.empty();
        return rounds.run(dispatches, late -> stored.asMono()
                        .subscribe(nothing -> {}, notStored -> {}, () -> writer.attempted(late, claim)))
                .flatMap(result -> store.store(result, claim))
                .doOnSuccess(done -> stored.tryEmitEmpty())
                .doOnError(stored::tryEmitError)
                .doOnCancel(() -> stored.tryEmitError(new IllegalStateException("the batch was canceled")));
    }
}
