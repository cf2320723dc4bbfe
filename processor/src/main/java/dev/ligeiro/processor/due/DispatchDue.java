package dev.ligeiro.processor.due;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.mongo.MongoClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * One pass of the due work: sends a {@link TransactionCommand.DueCheck} for each transaction that is due, then moves their due times in the
 * index forward. A transaction that is still due by then gets another command, because its first one was lost or has failed.
 *
 * <p>One processor at a time does it, by a lease, and only while its machine's clock agrees with MongoDB's. At most
 * {@code ligeiro.due.ahead-max} of its commands wait in Kafka: the next ones are sent when the processors' group has passed them. So neither
 * a backlog nor a lag of the processors fills the topic, and commands of merchants wait for few of these. A partition that the group has not
 * passed after 10 s gets no further commands until it is passed, and the others do not wait for it: its processor may have lost MongoDB.
 */
@Component
class DispatchDue {

    /**
     * When a transaction that is still due gets its next command. The usual command is processed long before. A transaction that cannot be
     * decoded gives a dead letter each time.
     */
    static final Duration AGAIN_AFTER = Duration.ofMinutes(5);

    /** The group needs 0.4 s for the most commands that are sent at once, and a few seconds more after a rebalance. */
    static final Duration STUCK_AFTER = Duration.ofSeconds(10);

    /** When a transaction that is due in a stuck partition is looked at again. Until then it takes no room from the others. */
    static final Duration STUCK_PAUSE = Duration.ofSeconds(30);

    /** A transaction is read this long after its due time, since the processors' readings of MongoDB's clock differ a little. */
    private static final Duration SETTLE = Duration.ofSeconds(1);

    /** A pass ends this long before its lease, which each pass renews. */
    private static final Duration END_BEFORE_LEASE = Duration.ofSeconds(2);

    private final DueStore store;
    private final DueLeaseStore lease;
    private final WatchDue watch;
    private final BatchSender sender;
    private final CommittedOffsets committedOffsets;
    private final Counter sent;
    private final Clock clock;
    private final MongoClock mongoClock;
    private final String group;
    private final Duration term;
    private final int aheadMax;

    /** When Kafka appended the latest command of this processor; the epoch before the first. */
    private volatile Instant appendedAt = Instant.EPOCH;

    private volatile Instant sentAt = Instant.EPOCH;
    /** The commands of the latest pass that sent some, until the group has passed them. */
    private volatile int ahead;

    /** The partitions of the topic; 0 until Kafka has told. */
    private volatile int partitions;
    /** Those that the others do not wait for. */
    private volatile Set<Integer> stuck = Set.of();

    DispatchDue(
            DueStore store,
            DueLeaseStore lease,
            WatchDue watch,
            BatchSender sender,
            CommittedOffsets committedOffsets,
            MeterRegistry meters,
            Clock clock,
            MongoClock mongoClock,
            DueProperties properties,
            @Value("${spring.kafka.consumer.group-id}") String group) {
        this.store = store;
        this.lease = lease;
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
        this.group = group;
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

    /** Ends the lease, so that another processor can take it at once. */
    Mono<Void> release() {
        return lease.release();
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
                .map(checks -> checks.stream().collect(Collectors.partitioningBy(this::isStuck)))
                .flatMap(byStuck -> send(byStuck.getOrDefault(false, List.of()), due)
                        .then(postpone(byStuck.getOrDefault(true, List.of()), due, STUCK_PAUSE)))
                .then(Mono.fromSupplier(() -> ahead < aheadMax ? State.DONE : State.WAITS_FOR_PROCESSORS));
    }

    /**
     * Fails while the topic does not exist: a command sent then could make the broker create it with the wrong number of partitions.
     */
    private Mono<Boolean> maySend() {
        return ahead == 0 && partitions > 0 && stuck.isEmpty()
                ? Mono.just(true)
                : committedOffsets
                        // the records appended at that time included
                        .passedByPartition(group, Topics.COMMANDS, appendedAt.plusMillis(1))
                        .map(this::maySend);
    }

    private boolean maySend(Map<Integer, Boolean> passed) {
        partitions = passed.size();
        boolean isLate = clock.instant().isAfter(sentAt.plus(STUCK_AFTER));
        Set<Integer> behind = passed.entrySet().stream()
                .filter(partition -> !partition.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        Set<Integer> before = stuck;
        stuck = behind.stream()
                .filter(partition -> isLate || before.contains(partition))
                .collect(Collectors.toSet());
        boolean may = stuck.size() == behind.size() && behind.size() < partitions;
        ahead = may ? 0 : ahead;
        return may;
    }

    /** The producer chooses the partition in the same way. */
    private boolean isStuck(TransactionCommand.DueCheck check) {
        return stuck.contains(BuiltInPartitioner.partitionForKey(key(check), partitions));
    }

    /** After a crash between the two steps the commands are sent twice. */
    private Mono<Void> send(List<TransactionCommand.DueCheck> checks, Instant due) {
        if (checks.isEmpty()) {
            return Mono.empty();
        }
        return sender.sendTimed(checks, DispatchDue::record)
                .doOnNext(at -> {
                    appendedAt = at;
                    sentAt = clock.instant();
                    ahead = checks.size();
                    sent.increment(checks.size());
                })
                .then(Mono.defer(() -> postpone(checks, due, AGAIN_AFTER)));
    }

    private Mono<Void> postpone(List<TransactionCommand.DueCheck> checks, Instant due, Duration pause) {
        return checks.isEmpty() ? Mono.empty() : store.postpone(checks, due, pause);
    }

    private static ProducerRecord<byte[], byte[]> record(TransactionCommand.DueCheck check) {
        return new ProducerRecord<>(Topics.COMMANDS, key(check), MessageJson.write(check));
    }

    private static byte[] key(TransactionCommand.DueCheck check) {
        return check.transactionId().toString().getBytes(StandardCharsets.US_ASCII);
    }
}
