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
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The due work, one pass after the other. A pass sends a {@link TransactionCommand.DueCheck} for each transaction that is due, then moves
 * their due times in the index forward. A transaction that is still due by then gets another command, because its first one was lost or has
 * failed.
 *
 * <p>One processor at a time does it, by a lease, and only while its machine's clock agrees with MongoDB's. At most
 * {@code ligeiro.due.ahead-max} of its commands wait in Kafka: the next ones are sent when the processors' group has passed them. So neither
 * a backlog nor a lag of the processors fills the topic, and commands of merchants wait for few of these. A processor that has lost MongoDB
 * holds them up until it leaves the group ({@code ligeiro.intake.leave-group-after}).
 */
@Component
class DispatchDue extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(DispatchDue.class);

    /** Without it, processors would request the lease together. */
    private static final double JITTER = 0.2;

    private static final Duration PROCESSORS_PAUSE = Duration.ofMillis(200);
    private static final Duration STAND_BY_PAUSE = Duration.ofSeconds(2);

    /**
     * When a transaction that is still due gets its next command. The usual command is processed long before. A transaction that cannot be
     * decoded gives a dead letter each time.
     */
    static final Duration AGAIN_AFTER = Duration.ofMinutes(5);

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

    /** Whether Kafka has told of the topic. */
    private volatile boolean topicIsKnown;

    /** The offset of the latest command in each partition, until the group has passed it. */
    private volatile Map<Integer, Long> latest = Map.of();

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
     * Ends the pass under way, then releases the lease. Commands of that pass may be sent again by the next processor.
     */
    @Override
    public void stop(Runnable stopped) {
        super.stop();
        lease.release().doFinally(signal -> stopped.run()).subscribe();
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
        return watch.watch().then(Mono.defer(this::dispatch)).timeout(term.minus(END_BEFORE_LEASE));
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
        return sender.sendAndLocate(checks, RecordPublisher::record)
                .doOnNext(offsets -> {
                    latest = offsets;
                    ahead = checks.size();
                    sent.increment(checks.size());
                })
                .then(store.postpone(checks, due, AGAIN_AFTER));
    }

    /**
     * Fails while the topic does not exist: a command sent then could make the broker create it with the wrong number of partitions.
     */
    private Mono<Boolean> maySend() {
        return latest.isEmpty() && topicIsKnown
                ? Mono.just(true)
                : committedOffsets.partitions(group, Topics.COMMANDS).map(this::maySend);
    }

    private boolean maySend(Map<Integer, CommittedOffsets.Log.Span> positions) {
        topicIsKnown = true;
        if (!latest.entrySet().stream().allMatch(each -> isPassed(each.getValue(), positions.get(each.getKey())))) {
            return false;
        }
        latest = Map.of();
        ahead = 0;
        return true;
    }

    /** The log ends before the command if the topic was created anew. */
    private static boolean isPassed(long offset, CommittedOffsets.Log.@Nullable Span position) {
        return position == null || position.passed() > offset || position.passed() >= position.end();
    }
}
