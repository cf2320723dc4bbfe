package dev.ligeiro.processor.due;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * One pass of the due work: sends a {@link TransactionCommand.DueCheck} for each transaction that is due, then moves their due times in the
 * index forward. A transaction that is still due by then gets another command, because its first one was lost or has failed.
 *
 * <p>One processor at a time does it, by a lease. At most {@code ligeiro.due.ahead-max} of its commands wait in Kafka: the next ones are
 * sent when the processors' group has passed them. So neither a backlog nor a lag of the processors fills the topic, and commands of
 * merchants wait for few of these.
 */
@Component
class DispatchDue {

    /**
     * When a transaction that is still due gets its next command. The usual command is processed long before. A transaction that cannot be
     * decoded gives a dead letter each time.
     */
    static final Duration AGAIN_AFTER = Duration.ofMinutes(5);

    /** A transaction is read this long after its due time, for processors whose clock is behind. */
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
    private final String group;
    private final Duration term;
    private final int aheadMax;

    /** When Kafka appended the latest command of this processor; the epoch before the first. */
    private volatile Instant appendedAt = Instant.EPOCH;
    /** The commands of the latest pass that sent some, until the group has passed them. */
    private volatile int ahead;

    private volatile boolean topicExists;

    DispatchDue(
            DueStore store,
            DueLeaseStore lease,
            WatchDue watch,
            BatchSender sender,
            CommittedOffsets committedOffsets,
            MeterRegistry meters,
            Clock clock,
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
        this.term = properties.lease();
        this.aheadMax = properties.aheadMax();
        this.group = group;
    }

    /** What decides when the next pass begins. */
    enum State {
        DONE,
        WAITS_FOR_PROCESSORS,
        /** Another processor has the lease. */
        STANDS_BY
    }

    Mono<State> pass() {
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
        return havePassed()
                .flatMap(passed -> passed ? store.due(due, aheadMax) : Mono.just(List.<TransactionId>of()))
                .flatMap(ids -> ids.isEmpty() ? Mono.<Void>empty() : send(ids, due))
                .then(Mono.fromSupplier(() -> ahead < aheadMax ? State.DONE : State.WAITS_FOR_PROCESSORS));
    }

    /**
     * Fails while the topic does not exist: a command sent then could make the broker create it with the wrong number of partitions.
     */
    private Mono<Boolean> havePassed() {
        return ahead == 0 && topicExists
                ? Mono.just(true)
                : committedOffsets
                        // the records appended at that time included
                        .hasPassed(group, Topics.COMMANDS, appendedAt.plusMillis(1))
                        .doOnNext(passed -> {
                            topicExists = true;
                            ahead = passed ? 0 : ahead;
                        });
    }

    /** After a crash between the two steps the commands are sent twice. */
    private Mono<Void> send(List<TransactionId> ids, Instant due) {
        return sender.sendTimed(ids, id -> record(id, due))
                .doOnNext(at -> {
                    appendedAt = at;
                    ahead = ids.size();
                    sent.increment(ids.size());
                })
                .then(Mono.defer(() -> store.postpone(ids, due, AGAIN_AFTER)));
    }

    private static ProducerRecord<byte[], byte[]> record(TransactionId id, Instant due) {
        byte[] key = id.toString().getBytes(StandardCharsets.US_ASCII);
        return new ProducerRecord<>(Topics.COMMANDS, key, MessageJson.write(new TransactionCommand.DueCheck(id, due)));
    }
}
