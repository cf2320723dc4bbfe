package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.apply.EventPublisher;
import dev.ligeiro.processor.apply.TransactionStore;
import dev.ligeiro.processor.apply.TransientFault;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Takes a batch of commands to its end: decide, write, ask the rail, and again with what it answered; then tell what happened.
 * Whatever dies at any point, the batch may simply be processed again: what is stored is found, and its events are sent again.
 *
 * <p>New cashins alone cost one bulk, since they wait for their rail with nothing to write; a cashout makes it two.
 */
@Component
class ProcessCommands {

    /** Another processor is at the same transactions: better to step back than to race. */
    private static final int CONFLICTS_MAX = 3;

    private static final int RAIL_CALLS_MAX = 64;

    private final TransactionStore store;
    private final Rails rails;
    private final EventPublisher events;
    private final Clock clock;

    ProcessCommands(TransactionStore store, Rails rails, EventPublisher events, Clock clock) {
        this.store = store;
        this.rails = rails;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Done when every change is durable and every event acknowledged. Fails with a {@link TransientFault} when it may be tried
     * again.
     */
    Mono<Batch> process(List<TransactionCommand> commands) {
        return begin(Batch.byTransaction(commands))
                .flatMap(this::settle)
                .flatMap(batch -> events.publish(batch.events()).thenReturn(batch));
    }

    /** A new transaction comes with its command; the others are read, all at once. */
    private Mono<Batch> begin(Map<TransactionId, List<TransactionCommand>> groups) {
        return store.load(Batch.idsToLoad(groups)).map(loaded -> Batch.begin(groups, loaded, rails::supports));
    }

    private Mono<Batch> settle(Batch batch) {
        Batch decided = batch.decide(now());
        return store.write(decided.changes())
                .map(conflicts -> written(decided, conflicts))
                // only now: a cashout is submitted after its in_process is durable
                .flatMap(this::askRails)
                .flatMap(next -> next.isComplete() ? Mono.just(next) : settle(next));
    }

    private static Batch written(Batch decided, Map<TransactionId, Optional<Transaction>> conflicts) {
        Batch written = decided.written(conflicts);
        if (written.conflicts() > CONFLICTS_MAX) {
            throw new TransientFault(
                    "conflicts: " + written.conflicts() + " (expected: <= " + CONFLICTS_MAX + ")", null);
        }
        return written;
    }

    private Mono<Batch> askRails(Batch batch) {
        return Flux.fromIterable(batch.pendingRailCalls())
                .flatMap(this::ask, RAIL_CALLS_MAX)
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(answers -> batch.answered(answers, now()));
    }

    private Mono<Map.Entry<TransactionId, RailOutcome>> ask(CommandRun run) {
        return run.pendingRailCall() == null
                ? Mono.empty()
                : rails.ask(run.pendingRailCall(), run.stored()).map(outcome -> Map.entry(run.id(), outcome));
    }

    /** To the millisecond, which is what the store keeps: a time read back equals the one that was written. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
