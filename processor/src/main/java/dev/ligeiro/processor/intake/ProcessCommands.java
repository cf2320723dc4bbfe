package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.apply.EventPublisher;
import dev.ligeiro.processor.apply.TransactionStore;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.support.TransientFault;
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
 * Processes a batch of commands: decides, writes the changes, calls the rails, and repeats with their outcomes; finally sends the
 * events. After a crash at any point the batch can be processed again: stored changes are found, and their events are sent again.
 *
 * <p>A batch of new cashins costs one bulk, because nothing is written before the rail call; a batch with cashouts costs two.
 */
@Component
class ProcessCommands {

    /** With more conflicts another processor is changing the same transactions; the batch then fails and is retried later. */
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
     * Completes when every change is durable and every event acknowledged; fails with a {@link TransientFault} if the batch must be
     * retried.
     */
    Mono<Batch> process(List<TransactionCommand> commands) {
        return begin(Batch.byTransaction(commands))
                .flatMap(this::settle)
                .flatMap(batch -> events.publish(batch.events()).thenReturn(batch));
    }

    /** The command of a new transaction carries it; other transactions are read by one query. */
    private Mono<Batch> begin(Map<TransactionId, List<TransactionCommand>> groups) {
        return store.load(Batch.idsToLoad(groups)).map(loaded -> Batch.begin(groups, loaded, rails::supports));
    }

    private Mono<Batch> settle(Batch batch) {
        Batch decided = batch.decide(now());
        return store.write(decided.changes())
                .map(conflicts -> written(decided, conflicts))
                // after the write: a cashout is submitted once its in_process is durable
                .flatMap(this::callRails)
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

    private Mono<Batch> callRails(Batch batch) {
        return Flux.fromIterable(batch.pendingRailCalls())
                .flatMap(this::callRail, RAIL_CALLS_MAX)
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(answers -> batch.answered(answers, now()));
    }

    private Mono<Map.Entry<TransactionId, RailOutcome>> callRail(CommandRun run) {
        return run.pendingRailCall() == null
                ? Mono.empty()
                : rails.ask(run.pendingRailCall(), run.stored()).map(outcome -> Map.entry(run.id(), outcome));
    }

    /** Truncated to milliseconds, the precision of BSON, so that a time read from the store equals the written one. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
