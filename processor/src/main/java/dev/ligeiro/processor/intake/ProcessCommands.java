package dev.ligeiro.processor.intake;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.TransactionBatchStore.Loaded;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandRun;
import dev.ligeiro.processor.decide.Conflicts;
import dev.ligeiro.processor.dispute.DisputeStore;
import dev.ligeiro.processor.guard.GuardCashouts;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.resolve.ConfirmedResolutionStore;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.work.BatchBytes;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Processes a batch of commands: decides, writes the changes, calls the rails, and repeats with their outcomes; finally sends the
 * events. After a crash at any point the batch can be processed again: stored changes are found, and their events are sent again.
 *
 * <p>A batch of new cashins costs one bulk, because nothing is written before the rail call; a batch with cashouts costs two.
 */
@Component
class ProcessCommands {

    /**
     * With more conflicts, another processor is changing the same transactions, and the batch fails and is retried later. The bound must be
     * at least three, or a redelivered batch would fail each time: its commands carry the transactions as they were when new, so the first
     * bulk conflicts for cashouts, the second for cashins, and the third for cashins whose rejection is read back.
     */
    private static final int CONFLICTS_MAX = 10;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessCommands.class);

    private final TransactionBatchStore store;
    private final GuardCashouts guardCashouts;
    private final ConfirmedResolutionStore resolutions;
    private final DisputeStore disputes;
    private final Rails rails;
    private final RailCommandPublisher answers;
    private final BucketVersionStore versions;
    private final UnmatchedPaymentStore unmatched;
    private final RecordPublisher records;
    private final Clock clock;

    ProcessCommands(
            TransactionBatchStore store,
            GuardCashouts guardCashouts,
            ConfirmedResolutionStore resolutions,
            DisputeStore disputes,
            Rails rails,
            RailCommandPublisher answers,
            BucketVersionStore versions,
            UnmatchedPaymentStore unmatched,
            RecordPublisher records,
            Clock clock) {
        this.store = store;
        this.guardCashouts = guardCashouts;
        this.resolutions = resolutions;
        this.disputes = disputes;
        this.rails = rails;
        this.answers = answers;
        this.versions = versions;
        this.unmatched = unmatched;
        this.records = records;
        this.clock = clock;
    }

    /**
     * Completes when every change is durable and every event acknowledged; fails with a {@link TransientFault} if the batch must be
     * retried.
     *
     * @param origins of the commands
     * @param bytes how large the stored transactions of the batch may be together
     */
    Mono<Processed> process(List<TransactionCommand> commands, Origins origins, BatchBytes bytes) {
        Map<TransactionId, List<TransactionCommand>> groups = Batch.byTransaction(commands);
        return guardCashouts.begin().flatMap(guard -> load(groups, guard, bytes.limit())
                .flatMap(loaded -> {
                    groups.keySet().removeAll(loaded.unread());
                    return guard.reserve(toStart(groups, loaded))
                            .then(resolutions.confirmed(commands))
                            .zipWith(disputes.reported(commands))
                            .map(found -> begun(groups, loaded, guard, found.getT1(), found.getT2(), bytes))
                            .flatMap(begun -> settle(begun, origins))
                            .flatMap(batch -> guard.release(batch)
                                    .then(Mono.defer(() -> finish(batch, guard.again(batch), origins)))
                                    .thenReturn(new Processed(batch, loaded.unread())));
                }));
    }

    private Batch begun(
            Map<TransactionId, List<TransactionCommand>> groups,
            Loaded loaded,
            GuardCashouts.OfBatch guard,
            Set<TransactionCommand> confirmed,
            Map<UUID, StoredDispute> told,
            BatchBytes bytes) {
        Batch.Rules rules = new Batch.Rules(rails::facts, guard::verdict, confirmed, told, UUID.randomUUID());
        Batch begun = Batch.begin(groups, loaded.found(), rules, now());
        announce(begun, loaded.bytes(), bytes);
        return begun;
    }

    /** The stored transactions that the batch may start. */
    private static List<Transaction> toStart(Map<TransactionId, List<TransactionCommand>> groups, Loaded loaded) {
        return loaded.found().values().stream()
                .filter(stored -> groups.getOrDefault(stored.id(), List.of()).stream()
                        .anyMatch(TransactionCommand.Process.class::isInstance))
                .toList();
    }

    /**
     * A batch that is done.
     *
     * @param unread the transactions that are not part of it, because the others have used up the bytes
     */
    record Processed(Batch batch, Set<TransactionId> unread) {}

    /** A process that runs out of memory ends without a word. The last of these lines then names what it worked on. */
    private static void announce(Batch batch, long bytesRead, BatchBytes bytes) {
        if (bytes.belowMax()) {
            batch.runs().stream()
                    .map(CommandRun::stored)
                    .max(Comparator.comparing(
                            transaction -> transaction.history().entries().size()))
                    .ifPresent(largest -> LoggedMerchant.add(
                                    LOG.atInfo()
                                            .addKeyValue("event.action", "batch_begins")
                                            .addKeyValue("bytes_max", bytes.limit())
                                            .addKeyValue("bytes_read", bytesRead)
                                            .addKeyValue(
                                                    "transactions", batch.runs().size()),
                                    largest.tenant())
                            .addKeyValue("transaction_id", largest.id())
                            .addKeyValue("entries", largest.history().entries().size())
                            .log("A batch begins; its transaction with the longest history is named"));
        }
    }

    /**
     * The command of a new transaction carries it; other transactions are read by one query. What it misses is read again: commands must not
     * become dead letters, nor reports unmatched payments, because MongoDB has a new primary.
     */
    private Mono<Loaded> load(
            Map<TransactionId, List<TransactionCommand>> groups, GuardCashouts.OfBatch guard, long bytesMax) {
        List<TransactionCommand> commands =
                Batch.toLoad(groups, carried -> rails.has(carried) && !guard.mustLoad(carried));
        return store.load(commands, bytesMax).flatMap(loaded -> {
            List<TransactionCommand> missing = Batch.missing(groups, loaded.found()).stream()
                    .filter(command -> !loaded.unread().contains(command.transactionId()))
                    .toList();
            return missing.isEmpty()
                    ? Mono.just(loaded)
                    : store.loadLatest(missing, bytesMax - loaded.bytes()).map(loaded::and);
        });
    }

    /** Rounds follow each other in a loop: nested ones would overflow the stack, because a round without a write never changes threads. */
    private Mono<Batch> settle(Batch begun, Origins origins) {
        return Mono.just(begun)
                .expand(batch -> batch.isComplete() ? Mono.empty() : round(batch, origins))
                .last();
    }

    private Mono<Batch> round(Batch batch, Origins origins) {
        return Mono.fromSupplier(() -> batch.decide(now()))
                .flatMap(decided -> store.write(decided.updates()).map(conflicts -> written(decided, conflicts)))
                .onErrorResume(ProcessCommands::isPermanent, fault -> fail(batch, origins, fault))
                .flatMap(written -> Mono.fromSupplier(() -> callRails(written, origins))
                        .onErrorResume(ProcessCommands::isPermanent, fault -> fail(written, origins, fault)));
    }

    /**
     * Makes the rail calls of a batch whose changes are stored: a cashout is submitted once its {@code in_process} is durable. An outcome that
     * comes at once is applied in the batch. The others become commands: a slow rail must not delay the batch.
     */
    Batch callRails(Batch batch, Origins origins) {
        List<CommandRun> pending = batch.pendingRailCalls();
        if (pending.isEmpty()) {
            return batch;
        }
        Instant askedAt = now();
        Map<TransactionId, RailOutcome> atOnce = new HashMap<>();
        for (CommandRun run : pending) {
            RailRequest request = Objects.requireNonNull(run.railRequest());
            CompletableFuture<RailOutcome> outcome = rails.ask(request, run.stored());
            if (outcome.isDone()) {
                atOnce.put(run.id(), outcome.join());
            } else {
                answers.publishWhenDone(outcome.thenApply(run.answering(askedAt)), origins.of(run.id()));
            }
        }
        return batch.called(atOnce, askedAt);
    }

    /**
     * Reports what a batch has done, when its changes are stored: replaces the versions of the changed time buckets, records unmatched
     * payments, then sends the events. So a merchant that lists transactions after an event does not get a count from before it. The versions
     * are first because an unmatched payment or an event may be refused for ever, and its command becomes a dead letter although its change
     * is stored. It may be repeated: an event that is sent again has the same id.
     *
     * @param again commands that the batch could not carry out
     */
    Mono<Void> finish(Batch batch, List<TransactionCommand> again, Origins origins) {
        List<TransactionEvent> announced = batch.events();
        return versions.replace(announced, origins)
                .then(unmatched.record(batch.unmatched()))
                .then(records.bookEvents(batch.bookEvents()))
                .then(records.events(announced, origins))
                .then(records.commands(again, origins));
    }

    /**
     * Fails with the fault of a batch, after replacing the versions of what its bulks have changed so far. Its command becomes a dead
     * letter, so nothing else replaces them.
     *
     * @param batch with the changes that are stored
     */
    private Mono<Batch> fail(Batch batch, Origins origins, Throwable fault) {
        return versions.replace(batch.events(), origins).then(Mono.error(fault));
    }

    private static boolean isPermanent(Throwable fault) {
        return !(fault instanceof TransientFault);
    }

    private static Batch written(Batch decided, Conflicts conflicts) {
        Batch written = decided.written(conflicts);
        if (written.conflicts() > CONFLICTS_MAX) {
            throw new TransientFault(
                    "conflicts: " + written.conflicts() + " (expected: <= " + CONFLICTS_MAX + ")", null);
        }
        return written;
    }

    /** Truncated to milliseconds, the precision of BSON, so that a time read from the store equals the written one. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
