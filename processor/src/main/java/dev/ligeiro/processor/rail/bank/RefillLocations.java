package dev.ligeiro.processor.rail.bank;

import static dev.ligeiro.support.PayloadLocationStore.BLOCK_MAX;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.support.mongo.LeasedWork;
import dev.ligeiro.support.observe.KnownGauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps the rails' pools of payload locations full, from which gateways take the codes of live cashins. One processor at a time does it, by
 * a lease; two would only make more locations than needed. Its calls are among those that the account makes at once. A location that is
 * made and not added stays unused: the bank's answer was lost, or the processor was killed.
 */
@Component
class RefillLocations extends LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RefillLocations.class);
    private static final double JITTER = 0.2;
    private static final Duration LEASE = Duration.ofSeconds(15);

    /** The fewest calls at once, if the account permits as many. */
    private static final int FEW = 4;

    /** No further call begins after so many failures, beside one for ten locations. */
    private static final int FAILURES_MAX = 5;

    private static final int MADE_PER_FAILURE = 10;

    private static final int ADDS_AT_ONCE = 4;

    private final List<Source> sources;
    private final PayloadLocationStore pools;
    private final Pace pace;
    private final Clock clock;
    private final KnownGauge level;
    private volatile Duration pause;
    private volatile String failed = "";

    /**
     * How long a pause between two passes is, and when a pass ends with what the bank has made so far.
     *
     * @param passMax after its begin; calls begin in the first fifth
     * @param gapMax after its latest location: a call without an answer must not hold back the others
     */
    record Pace(Duration every, Duration passMax, Duration gapMax) {

        private static final Pace USUAL =
                new Pace(Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(1));
    }

    /**
     * A rail that makes payload locations.
     *
     * @param wanted how many its pool should have
     * @param callsAtOnce the calls that its account permits at once
     * @param next makes one at each subscription
     */
    record Source(String rail, int wanted, int callsAtOnce, Mono<PayloadLocation> next) {

        /**
         * How many calls make locations at once while the pool has {@code count}: half of those permitted, because each cashin also needs one
         * to register it; above half of the pool the fewer, the less is missing.
         */
        int atOnce(int count) {
            int half = Math.max(1, callsAtOnce / 2);
            long needed = 2L * half * (wanted - count) / wanted;
            return (int) Math.min(half, Math.max(FEW, needed));
        }
    }

    @Autowired
    RefillLocations(
            Rails rails,
            LiveRails live,
            PayloadLocationStore pools,
            LeaseStore leases,
            MeterRegistry meters,
            Clock clock) {
        this(
                live.accounts().entrySet().stream()
                        .map(account -> source(account.getKey(), account.getValue(), rails))
                        .toList(),
                pools,
                leases,
                Pace.USUAL,
                meters,
                clock);
    }

    RefillLocations(
            List<Source> sources,
            PayloadLocationStore pools,
            LeaseStore leases,
            Pace pace,
            MeterRegistry meters,
            Clock clock) {
        super(leases.of("locations"), LEASE, clock);
        this.sources = sources.stream().filter(source -> source.wanted() > 0).toList();
        this.pools = pools;
        this.pace = pace;
        this.pause = pace.every();
        this.clock = clock;
        this.level = new KnownGauge(
                meters,
                "ligeiro.rail.locations.level",
                "The payload locations in the rail's pool, as a part of those that it should have",
                "ratio");
    }

    private static Source source(String rail, BankAccount bank, Rails rails) {
        Mono<BankAnswer> call =
                bank.post("location", bank.properties().kind().pixPath() + "/loc", Map.of("tipoCob", "cob"));
        return new Source(
                rail,
                bank.properties().locations(),
                bank.properties().callsAtOnce(),
                rails.make(rail, call, Pace.USUAL.passMax().dividedBy(2)).map(RefillLocations::location));
    }

    private static PayloadLocation location(BankAnswer answer) {
        if (!answer.isDone()) {
            throw new RailFault("status: " + answer.status());
        }
        String url = BankFields.text(answer.body(), "location");
        return new PayloadLocation(
                BankFields.number(answer.body(), "id"), new DynamicLocation(url.replaceFirst("^https://", "")));
    }

    @Override
    public void start() {
        if (!sources.isEmpty()) {
            super.start();
        }
    }

    @Override
    protected Duration pause() {
        return jittered(pause, JITTER);
    }

    /** Adds to each pool what it lacks, as far as {@link Pace} allows. */
    @Override
    protected Mono<Void> work() {
        pause = pace.every();
        return counts().doOnNext(this::show)
                .doOnError(unavailable -> level.unknown())
                .flatMapIterable(Map::entrySet)
                .flatMapDelayError(each -> refill(each.getKey(), each.getValue()), sources.size(), 1)
                .then();
    }

    @Override
    protected void standBy() {
        pause = pace.every();
        level.unknown();
    }

    private Mono<Map<Source, Integer>> counts() {
        return Flux.fromIterable(sources)
                .concatMap(source -> pools.count(source.rail()).map(count -> Map.entry(source, count)))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private void show(Map<Source, Integer> counts) {
        Map<Tags, Double> levels = new HashMap<>();
        counts.forEach((source, count) -> levels.put(Tags.of("rail", source.rail()), (double) count / source.wanted()));
        level.known(levels);
    }

    private Mono<Void> refill(Source source, int count) {
        int missing = source.wanted() - count;
        if (missing <= 0) {
            return Mono.empty();
        }
        AtomicInteger made = new AtomicInteger();
        List<Throwable> faults = new CopyOnWriteArrayList<>();
        Instant lastCall = clock.instant().plus(pace.passMax().dividedBy(5));
        return Flux.range(0, missing)
                .takeWhile(number -> faults.size() < FAILURES_MAX + made.get() / MADE_PER_FAILURE
                        && clock.instant().isBefore(lastCall))
                .flatMap(number -> source.next().doOnError(faults::add).onErrorComplete(), source.atOnce(count))
                .take(pace.passMax())
                .timeout(Mono.never(), location -> Mono.delay(pace.gapMax()), Mono.empty())
                .doOnNext(location -> made.incrementAndGet())
                .switchIfEmpty(Mono.defer(() -> faults.isEmpty() ? Mono.empty() : Mono.error(faults.get(0))))
                .buffer(BLOCK_MAX)
                .flatMap(block -> pools.add(source.rail(), block), ADDS_AT_ONCE)
                .doOnError(fault -> failed = source.rail())
                .then()
                .doOnSuccess(added -> pause = made.get() == 0 ? pause : Duration.ZERO);
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "refill_failed")
                .addKeyValue("rail", failed)
                .addKeyValue("cause", RailFault.describe(failure))
                .log("Payload locations of a bank could not be made or stored; the next pass does it");
    }
}
