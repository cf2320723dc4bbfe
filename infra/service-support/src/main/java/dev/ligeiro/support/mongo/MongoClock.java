package dev.ligeiro.support.mongo;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.support.mongo.MongoClientConfiguration.MongoClientShutdown;
import dev.ligeiro.support.observe.KnownGauge;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.transaction.Clocks;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Mono;

/**
 * MongoDB's clock, the clock of all services: the leases and deadlines of one process are compared with the time of another. It is set to
 * MongoDB's at start and every minute. In between it adds the time that has passed, so it does not follow the machine's clock when that is
 * set. Until MongoDB's first answer it shows the machine's time.
 *
 * <p>MongoDB's own clock can be wrong, for example that of a new primary. So a later step of more than 5 s is followed only if the machine's
 * clock shows the same time, as after a pause of the machine.
 */
public final class MongoClock extends Clock implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(MongoClock.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    /** MongoDB tells its time in milliseconds. */
    private static final Duration UNIT = Duration.ofMillis(1);

    private static final String ID = "clock";
    private static final String AT = "at";
    private static final double MILLIS_PER_SECOND = 1_000;

    /** Before the services that use the clock, and above {@link MongoClientShutdown}, which closes the client. */
    private static final int PHASE = 2;

    private final Supplier<Mono<Instant>> mongodb;
    private final Clock machine;
    private final KnownGauge ahead;
    private final RepeatedWork comparisons = new Comparisons();
    private volatile Duration pause = Duration.ZERO;
    private volatile Reading reading;
    private volatile boolean compared;
    private volatile boolean apart;

    /** The time at which {@link System#nanoTime} showed {@code nanos}. */
    private record Reading(Instant at, long nanos) {}

    /** @param machine the clock of this machine */
    public MongoClock(MongoDatabase database, Clock machine, MeterRegistry meters) {
        this(() -> timeOf(database), machine, meters);
    }

    MongoClock(Supplier<Mono<Instant>> mongodb, Clock machine, MeterRegistry meters) {
        this.mongodb = mongodb;
        this.machine = machine;
        this.ahead = new KnownGauge(
                meters,
                "ligeiro.clock.ahead",
                "By how much the machine's clock is ahead of MongoDB's; negative if it is behind",
                "seconds");
        this.reading = new Reading(machine.instant(), System.nanoTime());
    }

    /** The time of a write, which is that of the primary: of {@code mongos}, a read or {@code hello} would tell the time of the router. */
    private static Mono<Instant> timeOf(MongoDatabase database) {
        return Mono.from(database.getCollection(CollectionNames.LEASES, BsonDocument.class)
                        .withWriteConcern(WriteConcern.W1)
                        .findOneAndUpdate(
                                Filters.eq(ID),
                                Updates.currentDate(AT),
                                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)))
                .map(written -> StoredValues.instant(written, AT));
    }

    @Override
    public Instant instant() {
        Reading last = reading;
        return last.at().plusNanos(System.nanoTime() - last.nanos());
    }

    /** Whether MongoDB has told its time, and the machine's clock showed the same within 5 s. */
    public boolean agrees() {
        return compared && !apart;
    }

    /** Asks MongoDB for its time. The answer was made between question and arrival: at half of that time, give or take the other half. */
    Mono<Void> compare() {
        long askedNanos = System.nanoTime();
        return mongodb.get()
                .doOnNext(at -> {
                    long nanos = System.nanoTime();
                    Duration half = Duration.ofNanos((nanos - askedNanos) / 2);
                    answered(new Reading(at.plus(half), nanos), half.plus(UNIT));
                    pause = EVERY;
                })
                .doOnError(unavailable -> {
                    ahead.unknown();
                    pause = RETRY_AFTER;
                })
                .then();
    }

    private void answered(Reading answer, Duration uncertainty) {
        Duration apartMax = Clocks.APART_MAX.plus(uncertainty);
        Duration machineAhead = Duration.between(answer.at(), machine.instant());
        boolean isConfirmed = machineAhead.abs().compareTo(apartMax) <= 0;
        Duration off = Duration.between(answer.at(), instant()).abs();
        boolean isStep = compared && off.compareTo(apartMax) > 0;
        if (off.compareTo(uncertainty) > 0 && (isConfirmed || !isStep)) {
            reading = answer;
        }
        ahead.known(machineAhead.toMillis() / MILLIS_PER_SECOND);
        if (apart == isConfirmed) {
            reportChange(isConfirmed, machineAhead);
        }
        apart = !isConfirmed;
        compared = true;
    }

    private static void reportChange(boolean agrees, Duration machineAhead) {
        LOG.atLevel(agrees ? Level.INFO : Level.WARN)
                .addKeyValue("event.action", agrees ? "clocks_agree" : "clocks_apart")
                .addKeyValue("machine_ahead_ms", machineAhead.toMillis())
                .log("The clock of this machine and MongoDB's " + (agrees ? "agree again" : "differ by more than 5 s"));
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** @throws UnsupportedOperationException always: the services read instants */
    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("zone: " + zone + " (expected: UTC)");
    }

    @Override
    public void start() {
        comparisons.start();
    }

    @Override
    public void stop() {
        comparisons.stop();
    }

    @Override
    public boolean isRunning() {
        return comparisons.isRunning();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    private final class Comparisons extends RepeatedWork {

        @Override
        protected Duration pause() {
            return pause;
        }

        @Override
        protected Mono<Void> run() {
            return compare();
        }

        @Override
        protected void report(Throwable failure) {
            LOG.atWarn()
                    .addKeyValue("event.action", "clock_unknown")
                    .addKeyValue("cause", failure.getClass().getSimpleName())
                    .log("MongoDB did not tell its time; it is asked again each second");
        }
    }
}
