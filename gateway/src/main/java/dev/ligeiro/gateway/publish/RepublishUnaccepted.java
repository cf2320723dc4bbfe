package dev.ligeiro.gateway.publish;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.publish.CommandPublisher.CausedCommand;
import dev.ligeiro.gateway.publish.UnacceptedStore.Unaccepted;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.observe.KnownGauge;
import dev.ligeiro.support.work.Interval;
import dev.ligeiro.support.work.RepeatedWork;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The sweeper: republishes the commands of stored transactions that no processor has accepted and that cannot be waiting in Kafka any more. So
 * no transaction is lost when the gateway or Kafka fails between the insert and the publication, and processors that lag get no copies.
 *
 * <p>A command reaches Kafka within {@code ligeiro.republish.append-delay-max} of its request, or never. So it is not waiting there if the
 * processors' group has passed all records that were appended until then. A transaction that stays unaccepted gets further copies, after
 * pauses that grow with its age: its command may have ended as a dead letter. One that cannot be decoded is read again after the same pauses.
 *
 * <p>One gateway at a time runs passes, while it holds the lease. The interval between them has jitter, so that gateways do not request the
 * lease at the same time.
 */
@Component
class RepublishUnaccepted extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RepublishUnaccepted.class);
    private static final int BATCH = GatewayMemoryBudget.REPUBLISHED_MAX;
    /** A pass ends well within its lease. The next one goes on. */
    private static final int BATCHES_MAX = 20;

    private static final double JITTER = 0.2;
    private static final Duration CONFIRM_MAX = Duration.ofSeconds(25);
    private static final int MEASURED_MAX = 10_000;
    private static final double MILLIS_PER_SECOND = 1_000;

    private final LeaseStore.Lease lease;
    private final UnacceptedStore store;
    private final CommittedOffsets committedOffsets;
    private final CommandPublisher publisher;
    private final RepublishChanges changes;
    private final AnnounceLost lost;
    private final RepublishProperties properties;
    private final Clock clock;
    private final Interval measured = new Interval(Duration.ofMinutes(1));

    private final Counter republished;
    private final Counter undecodable;
    /** Only the gateway with the lease knows this gauge and the next one. */
    private final KnownGauge open;

    private final KnownGauge oldestUnaccepted;

    RepublishUnaccepted(
            LeaseStore leases,
            UnacceptedStore store,
            CommittedOffsets committedOffsets,
            CommandPublisher publisher,
            RepublishChanges changes,
            AnnounceLost lost,
            RepublishProperties properties,
            MeterRegistry registry,
            Clock clock) {
        this.lease = leases.of("republish");
        this.store = store;
        this.committedOffsets = committedOffsets;
        this.publisher = publisher;
        this.changes = changes;
        this.lost = lost;
        this.properties = properties;
        this.clock = clock;
        this.republished = Counter.builder("ligeiro.gateway.commands.republished")
                .description("Commands published again because no processor had accepted the transaction")
                .baseUnit("commands")
                .register(registry);
        this.undecodable = Counter.builder("ligeiro.gateway.republish.undecodable")
                .description("Unaccepted transactions that could not be decoded, counted at each try")
                .baseUnit("transactions")
                .register(registry);
        this.open = new KnownGauge(
                registry,
                "ligeiro.gateway.republish.open",
                "Republished or undecodable transactions that no processor has accepted yet, counted up to 10,000",
                "transactions");
        this.oldestUnaccepted = new KnownGauge(
                registry,
                "ligeiro.gateway.unaccepted.oldest",
                "Age of the oldest transaction that no processor has accepted, 0 if there is none",
                "seconds");
    }

    @Override
    protected Duration pause() {
        return jittered(properties.every(), JITTER);
    }

    /** A pass. */
    @Override
    protected Mono<Void> run() {
        return lease.take(clock.instant(), properties.lease())
                .doOnError(unavailable -> standBy())
                .flatMap(taken -> taken
                        // a fault of one must not keep the others from their work
                        ? Flux.concatDelayError(republishAll(), Mono.defer(changes::pass), Mono.defer(lost::pass))
                                .then()
                        : Mono.fromRunnable(this::standBy));
    }

    /** Another gateway has the lease, or MongoDB does not tell who has. */
    private void standBy() {
        measured.reset();
        forget();
    }

    /**
     * Completes when Kafka has acknowledged all copies of the pass. Fails without a copy if Kafka does not tell how far the processors are.
     */
    private Mono<Void> republishAll() {
        // it measures first, because the rest fails while Kafka is away
        return measure()
                .then(Mono.defer(() -> store.keys(1).next()))
                .flatMap(first -> passedUntil(clock.instant(), first.requestedAt()))
                .flatMapMany(passed -> Mono.defer(() -> republish(passed.minus(properties.appendDelayMax())))
                        .repeat(BATCHES_MAX - 1)
                        .takeUntil(count -> count < BATCH))
                .then();
    }

    /**
     * The latest time that the group has passed, of a few: now, an interval before, twice as long before, and so on. Empty if none of
     * those is late enough for the first unaccepted transaction.
     */
    private Mono<Instant> passedUntil(Instant now, Instant firstRequest) {
        Instant useful = firstRequest.plus(properties.appendDelayMax());
        return Flux.fromStream(() -> Stream.concat(
                                Stream.of(now),
                                Stream.iterate(properties.every(), back -> back.multipliedBy(2))
                                        .map(now::minus))
                        .takeWhile(candidate -> candidate.isAfter(useful)))
                .concatMap(
                        candidate -> committedOffsets
                                .hasPassed(properties.consumerGroup(), Topics.COMMANDS, candidate)
                                .filter(passed -> passed)
                                .map(passed -> candidate),
                        0)
                .next();
    }

    /** The new times of request are stored first: after a crash between the two steps the next copy follows after the pause. */
    private Mono<Integer> republish(Instant requestedBefore) {
        return store.requestedBefore(requestedBefore, BATCH).collectList().flatMap(found -> {
            if (found.isEmpty()) {
                return Mono.just(0);
            }
            Instant now = clock.instant();
            return store.request(found, each -> properties.nextRequest(each.id().createdAt(), now))
                    .then(Mono.defer(() -> publish(found)))
                    .thenReturn(found.size());
        });
    }

    private Mono<Void> publish(List<Unaccepted> found) {
        found.stream().filter(each -> each.command() == null).forEach(this::reportUndecodable);
        List<CausedCommand> commands = found.stream()
                .flatMap(each -> Stream.ofNullable(each.command()))
                .map(command -> new CausedCommand(command, Origin.NONE))
                .toList();
        if (commands.isEmpty()) {
            return Mono.empty();
        }
        return publisher.publishAll(commands).timeout(CONFIRM_MAX).doOnSuccess(confirmed -> {
            republished.increment(commands.size());
            LOG.atInfo()
                    .addKeyValue("event.action", "republished")
                    .addKeyValue("commands", commands.size())
                    .log("Unaccepted transactions were published again");
        });
    }

    private void reportUndecodable(Unaccepted unaccepted) {
        undecodable.increment();
        LOG.atWarn()
                .addKeyValue("event.action", "transaction_undecodable")
                .addKeyValue("transaction_id", unaccepted.id())
                .log("An unaccepted transaction cannot be decoded and is not published again; it is tried again later");
    }

    /** Once a minute. Never fails: without an answer of MongoDB the values are unknown. */
    private Mono<Void> measure() {
        Instant now = clock.instant();
        if (!measured.begin(now)) {
            return Mono.empty();
        }
        return store.keys(MEASURED_MAX)
                .collectList()
                .doOnNext(keys -> show(keys, now))
                .doOnError(unavailable -> forget())
                .onErrorComplete()
                .then();
    }

    private void forget() {
        open.unknown();
        oldestUnaccepted.unknown();
    }

    private void show(List<Unaccepted> keys, Instant now) {
        open.known(keys.stream().filter(Unaccepted::isRepublished).count());
        long oldestMillis = keys.stream()
                .mapToLong(each -> Duration.between(each.id().createdAt(), now).toMillis())
                .max()
                .orElse(0);
        oldestUnaccepted.known(Math.max(0, oldestMillis) / MILLIS_PER_SECOND);
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "republish_failed")
                .addKeyValue(
                        "cause",
                        Exceptions.unwrapMultiple(failure).get(0).getClass().getSimpleName())
                .log("Not all that may be lost was published again; the next pass does it");
    }
}
