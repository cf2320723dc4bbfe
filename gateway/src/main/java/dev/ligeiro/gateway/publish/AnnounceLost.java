package dev.ligeiro.gateway.publish;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.publish.CommandPublisher.CausedCommand;
import dev.ligeiro.gateway.publish.LostRecordStore.Search;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.kafka.CommittedOffsets.Log;
import dev.ligeiro.support.work.Interval;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Notices that Kafka has lost records which processors, dispatchers or books have not passed: the topic was made anew, its log ends before where
 * it ended, or its retention has dropped them. Then it asks the processors to announce all changes again that were made since those groups had
 * passed everything; events that the dispatchers know have no effect. Each look costs Kafka 20 requests, whatever the traffic.
 *
 * <p>It does not notice that the last records before a power failure are gone if the log has grown beyond its former end before the next look.
 */
@Component
class AnnounceLost {

    private static final Logger LOG = LoggerFactory.getLogger(AnnounceLost.class);

    private static final Duration EVERY = Duration.ofSeconds(5);

    /** An event is appended so long after its change at most, unless Kafka is away, when no group passes anything either. */
    private static final Duration APPENDED_AFTER = Duration.ofMinutes(5);

    private static final int STEP = 2_000;
    private static final int ANNOUNCED_MAX = 5_000;
    private static final long SEARCH_NANOS_MAX = Duration.ofSeconds(3).toNanos();
    private static final Duration CONFIRM_MAX = Duration.ofSeconds(25);

    private final LostRecordStore store;
    private final CommittedOffsets committedOffsets;
    private final CommandPublisher publisher;
    private final Counter announced;
    private final Clock clock;
    private final List<Reader> readers;
    private final String processors;
    private final Interval looks = new Interval(EVERY);
    private volatile Instant announcedAt = Instant.EPOCH;

    private record Reader(String group, String topic) {}

    AnnounceLost(
            LostRecordStore store,
            CommittedOffsets committedOffsets,
            CommandPublisher publisher,
            RepublishProperties properties,
            MeterRegistry registry,
            Clock clock,
            @Value("${ligeiro.lag.dispatcher-group}") String dispatchers,
            @Value("${ligeiro.books.consumer-group}") String books) {
        this.store = store;
        this.committedOffsets = committedOffsets;
        this.publisher = publisher;
        this.announced = Counter.builder("ligeiro.gateway.announced.again")
                .description("Transactions whose events are sent again because Kafka has lost records")
                .baseUnit("transactions")
                .register(registry);
        this.clock = clock;
        this.processors = properties.consumerGroup();
        this.readers = List.of(
                new Reader(processors, Topics.COMMANDS),
                new Reader(dispatchers, Topics.EVENTS),
                new Reader(books, Topics.EVENTS));
    }

    /** A pass, by the gateway that has the sweeper's lease. */
    Mono<Void> pass() {
        if (!looks.begin(clock.instant())) {
            return Mono.empty();
        }
        return Flux.fromIterable(readers)
                .concatMap(this::look)
                .reduce(Boolean::logicalAnd)
                .filter(isReached -> isReached)
                .flatMap(isReached -> store.search())
                .filterWhen(search -> committedOffsets.hasPassed(processors, Topics.COMMANDS, announcedAt))
                .flatMap(search -> announce(search, 0, System.nanoTime()));
    }

    /**
     * The loss is stored before what was seen: after a crash between the two it is noticed again. A group that has never read the topic loses
     * nothing, such as that of the books where no processor writes them.
     *
     * @return false while the group does not read: each segment that Kafka drops meanwhile would have all changes announced to nobody
     */
    private Mono<Boolean> look(Reader reader) {
        Instant now = clock.instant();
        return Mono.zip(
                        committedOffsets.log(reader.group(), reader.topic()),
                        store.seen(reader.topic(), reader.group()).singleOptional())
                .flatMap(read -> {
                    Log log = read.getT1();
                    SeenLog before = read.getT2().orElse(null);
                    if (before == null && !SeenLog.isReadBy(log)) {
                        return Mono.just(true);
                    }
                    SeenLog seen = before == null ? SeenLog.first(log, now) : before.next(log, now);
                    return (before != null && before.hasLost(log) ? lost(reader, before.passedAt(), now) : Mono.empty())
                            .then(store.put(reader.topic(), reader.group(), seen))
                            .thenReturn(SeenLog.isReached(log));
                });
    }

    private Mono<Void> lost(Reader reader, Instant passedAt, Instant now) {
        LOG.atWarn()
                .addKeyValue("event.action", "kafka_records_lost")
                .addKeyValue("topic", reader.topic())
                .addKeyValue("group", reader.group())
                .addKeyValue("passed_at", passedAt)
                .log("Kafka has lost records that a group had not passed; the changes since then are announced again");
        return store.begin(passedAt.minus(APPENDED_AFTER), now);
    }

    /** As many steps as fit into a pass. The commands of merchants wait for few of these. */
    private Mono<Void> announce(Search search, int before, long begunNanos) {
        return store.step(search, STEP).flatMap(step -> {
            int announced = before + step.changed().size();
            UUID below = step.below();
            Mono<Void> done = publish(step.changed()).then(store.advance(search, below));
            if (below == null || announced >= ANNOUNCED_MAX || System.nanoTime() - begunNanos > SEARCH_NANOS_MAX) {
                return done;
            }
            Search rest = new Search(search.since(), search.noticedAt(), below);
            return done.then(Mono.defer(() -> announce(rest, announced, begunNanos)));
        });
    }

    private Mono<Void> publish(List<TransactionCommand.Announce> changed) {
        return Flux.fromIterable(changed)
                .<CausedCommand>map(command -> new CausedCommand(command, Origin.NONE))
                .buffer(GatewayMemoryBudget.REPUBLISHED_MAX)
                .concatMap(some -> publisher.publishAll(some).timeout(CONFIRM_MAX))
                .then(Mono.fromRunnable(() -> {
                    if (!changed.isEmpty()) {
                        announcedAt = clock.instant();
                        announced.increment(changed.size());
                    }
                }));
    }
}
