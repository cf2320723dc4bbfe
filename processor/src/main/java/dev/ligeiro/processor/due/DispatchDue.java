package dev.ligeiro.processor.due;

import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.MongoClock;
import dev.ligeiro.support.work.RepeatedWork;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The due work, one pass after the other. A pass sends a {@link TransactionCommand.DueCheck} for each transaction that is due, then moves their due times in the
 * index forward. A transaction that is still due by then gets another command, because its first one was lost or has failed.
 *
 * <p>One processor at a time does it, by a lease, and only while its machine's clock agrees with MongoDB's. At most
 * {@code ligeiro.due.ahead-max} of its commands wait in Kafka: the next ones are sent when the processors' group has passed them. So neither
 * a backlog nor a lag of the processors fills the topic, and commands of merchants wait for few of these. If the group's position in a
 * partition does not move for 10 s, the others do not wait for it any longer: its processor may have lost MongoDB. It gets no further
 * commands until the group has passed those that it has. A group that only lags is waited for.
 */
@Component
class DispatchDue extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(DispatchDue.class);

    /** Without it, processors would request the lease together. */
    private static final double JITTER = 0.2;

    private static final Duration PROCESSORS_PAUSE = Duration.ofMillis(200);
    private static final Duration STAND_BY_PAUSE = Duration.ofSeconds(2);
    private static final Duration RELEASE_MAX = Duration.ofSeconds(1);

    /**
     * When a transaction that is still due gets its next command. The usual command is processed long before. A transaction that cannot be
     * decoded gives a dead letter each time.
     */
    static final Duration AGAIN_AFTER = Duration.ofMinutes(5);

    /**
     * When a transaction that is due in a stuck partition is looked at again. A killed processor's partitions move on within seconds. With a
     * much shorter time, a backlog of these would fill each pass, and the other partitions would get nothing.
     */
    static final Duration SKIPPED_FOR = Duration.ofSeconds(30);

    /** The group commits an offset several times a second while it gets on, and a few seconds later after a rebalance. */
    static final Duration STUCK_AFTER = Duration.ofSeconds(10);

    private static final long NOT_READ = -1;

    /** A transaction is read this long after its due time, since the processors' readings of MongoDB's clock differ a little. */
    private static final Duration SETTLE = Duration.ofSeconds(1);

    /** A pass ends this long before its lease, which each pass renews. */
    private static final Duration END_BEFORE_LEASE = Duration.ofSeconds(2);

    private final DueStore store;
    private final LeaseStore.Lease lease;
    private final WatchDue watch;
    private final BatchSender sender;
    private final CommittedOffsets committedOffsets;
    private final Counter sent;
    private final Clock clock;
    private final MongoClock mongoClock;
    private final String group;
    private final Duration term;
    private final int aheadMax;
    private final Duration every;
    private volatile Duration pause;

    /** The commands of the latest pass that sent some, until the next may send. */
    private volatile int ahead;

    /** The partitions of the topic; 0 until Kafka has told. */
    private volatile int partitions;
    /** The partitions whose latest command the group has not passed. */
    private volatile Map<Integer, Behind> behind = Map.of();

    DispatchDue(
            DueStore store,
            LeaseStore leases,
            WatchDue watch,
            BatchSender sender,
            CommittedOffsets committedOffsets,
            MeterRegistry meters,
            Clock clock,
            MongoClock mongoClock,
            DueProperties properties,
            @Value("${spring.kafka.consumer.group-id}") String group) {
        this.store = store;
        this.lease = leases.of("due");
        this.watch = watch;
        this.sender = sender;
        this.committedOffsets = committedOffsets;
        this.sent = Counter.builder("ligeiro.due.commands")
                .description("Commands sent because a transaction was due")
                .baseUnit("commands")
                .register(meters);
        this.clock = clock;
        this.mongoClock = mongoClock;
        this.term = properties.lease();
        this.aheadMax = properties.aheadMax();
        this.every = properties.every();
        this.pause = every;
        this.group = group;
    }

    @Override
    protected Duration pause() {
        return jittered(pause, JITTER);
    }

    @Override
    protected Mono<Void> run() {
        return pass().doOnNext(state -> pause = switch (state) {
                    case DONE -> every;
                    case WAITS_FOR_PROCESSORS -> PROCESSORS_PAUSE;
                    case STANDS_BY -> STAND_BY_PAUSE;
                })
                .doOnError(failure -> pause = every)
                .then();
    }

    @Override
    protected void report(Throwable failure) {
        // at the first start of a system, the topics and the index are still being created
        boolean isFirstStart = failure instanceof UnknownTopicOrPartitionException || DueStore.isIndexMissing(failure);
        LOG.atLevel(isFirstStart ? Level.INFO : Level.WARN)
                .addKeyValue("event.action", "due_work_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("Transactions that are due were not looked at; the next pass does it");
    }

    /**
     * Ends the pass under way, then releases the lease if MongoDB answers within 1 s; otherwise the lease expires. Commands of that pass may
     * be sent again by the next processor.
     */
    @Override
    public void stop(Runnable stopped) {
        super.stop();
        lease.release()
                .timeout(RELEASE_MAX)
                .onErrorComplete()
                .doFinally(signal -> stopped.run())
                .subscribe();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    /** What decides when the next pass begins. */
    enum State {
        DONE,
        WAITS_FOR_PROCESSORS,
        /** Another processor has the lease, or the clock is in doubt. */
        STANDS_BY
    }

    /**
     * Does nothing while the two clocks differ, since MongoDB's may be the wrong one. Expiry, and submitting again what the rail did not
     * find, begin with a due check, so they wait too.
     */
    Mono<State> pass() {
        if (!mongoClock.agrees()) {
            return Mono.fromSupplier(this::standBy);
        }
        return lease.take(clock.instant(), term)
                .doOnError(unavailable -> watch.standBy())
                .flatMap(taken -> taken ? work() : Mono.fromSupplier(this::standBy));
    }

    private Mono<State> work() {
        // it watches before the dispatch, which fails while Kafka is away
        return watch.watch(stuckSince()).then(Mono.defer(this::dispatch)).timeout(term.minus(END_BEFORE_LEASE));
    }

    /** Since when the stuck partition that has waited longest has not moved; empty if none is stuck. */
    private Optional<Instant> stuckSince() {
        Instant now = clock.instant();
        return behind.values().stream()
                .filter(one -> one.isStuck(now))
                .map(Behind::since)
                .min(Comparator.naturalOrder());
    }

    private State standBy() {
        watch.standBy();
        return State.STANDS_BY;
    }

    private Mono<State> dispatch() {
        Instant due = clock.instant().minus(SETTLE).truncatedTo(ChronoUnit.MILLIS);
        return maySend()
                .flatMap(may -> may ? store.due(due, aheadMax) : Mono.just(List.<TransactionCommand.DueCheck>of()))
                .filter(checks -> !checks.isEmpty())
                .flatMap(checks -> dispatch(checks, due))
                .then(Mono.fromSupplier(() -> ahead < aheadMax ? State.DONE : State.WAITS_FOR_PROCESSORS));
    }

    /** After a crash between the two steps the commands are sent twice. */
    private Mono<Void> dispatch(List<TransactionCommand.DueCheck> checks, Instant due) {
        List<TransactionCommand.DueCheck> sendable = new ArrayList<>();
        List<TransactionCommand.DueCheck> skipped = new ArrayList<>();
        checks.forEach(check -> (isInStuckPartition(check) ? skipped : sendable).add(check));
        return send(sendable)
                .then(store.postpone(sendable, due, AGAIN_AFTER))
                .then(store.postpone(skipped, due, SKIPPED_FOR));
    }

    /**
     * Fails while the topic does not exist: a command sent then could make the broker create it with the wrong number of partitions.
     */
    private Mono<Boolean> maySend() {
        return behind.isEmpty() && partitions > 0
                ? Mono.just(true)
                : committedOffsets.partitions(group, Topics.COMMANDS).map(this::maySend);
    }

    private boolean maySend(Map<Integer, CommittedOffsets.Log.Span> positions) {
        Instant now = clock.instant();
        partitions = positions.size();
        Map<Integer, Behind> still = new HashMap<>();
        behind.forEach((partition, before) -> {
            CommittedOffsets.Log.Span position = positions.get(partition);
            if (position != null && !before.isPassed(position)) {
                still.put(partition, before.movedTo(position.passed(), now));
            }
        });
        behind = still;
        boolean may = still.size() < partitions && still.values().stream().allMatch(one -> one.isStuck(now));
        ahead = may ? 0 : ahead;
        return may;
    }

    /** All other partitions have passed the latest commands when commands are sent. */
    private boolean isInStuckPartition(TransactionCommand.DueCheck check) {
        return behind.containsKey(partition(check));
    }

    private Mono<Void> send(List<TransactionCommand.DueCheck> checks) {
        return checks.isEmpty()
                ? Mono.empty()
                : sender.sendAndLocate(checks, RecordPublisher::record)
                        .doOnNext(latest -> {
                            Map<Integer, Behind> next = new HashMap<>(behind);
                            latest.forEach((partition, offset) ->
                                    next.put(partition, new Behind(offset, NOT_READ, clock.instant())));
                            behind = next;
                            ahead = checks.size();
                            sent.increment(checks.size());
                        })
                        .then();
    }

    /** The producer chooses the partition in the same way. */
    private int partition(TransactionCommand.DueCheck check) {
        return BuiltInPartitioner.partitionForKey(RecordPublisher.key(check.transactionId()), partitions);
    }

    /**
     * The group has not passed the latest command in a partition.
     *
     * @param latest the offset of that command
     * @param passed the position of the group when it was last read
     * @param since when the position was first read as that
     */
    private record Behind(long latest, long passed, Instant since) {

        /** The log ends before the command if the topic was created anew. */
        boolean isPassed(CommittedOffsets.Log.Span position) {
            return position.passed() > latest || position.passed() >= position.end();
        }

        Behind movedTo(long position, Instant now) {
            return position == passed ? this : new Behind(latest, position, now);
        }

        boolean isStuck(Instant now) {
            return now.isAfter(since.plus(STUCK_AFTER));
        }
    }
}
