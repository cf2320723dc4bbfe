package dev.ligeiro.processor.rail;

import dev.ligeiro.pix.MerchantAccount;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.observe.KnownGauge;
import dev.ligeiro.support.work.RepeatedWork;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps payload locations ready, from which the gateways draw the codes of live cashins: one processor at a time fills the pool of each rail
 * up to its size, one call at a time.
 */
@Component
class RefillLocations extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RefillLocations.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final double JITTER = 0.2;
    /** A pass ends before its lease. */
    private static final Duration PASS_MAX = Duration.ofSeconds(20);

    private final LiveRails rails;
    private final PayloadLocationStore store;
    private final RefillLeaseStore lease;
    private final KnownGauge pool;
    private final Clock clock;

    RefillLocations(
            LiveRails rails, PayloadLocationStore store, RefillLeaseStore lease, MeterRegistry meters, Clock clock) {
        this.rails = rails;
        this.store = store;
        this.lease = lease;
        this.pool = new KnownGauge(
                meters, "ligeiro.rail.locations", "Payload locations in the pool of a rail", null);
        this.clock = clock;
    }

    @Override
    public void start() {
        if (rails.accounts().values().stream().anyMatch(bank -> bank.properties().locations() > 0)) {
            super.start();
        }
    }

    @Override
    protected Duration pause() {
        return jittered(PAUSE, JITTER);
    }

    @Override
    protected Mono<Void> run() {
        Map<Tags, Double> counts = new ConcurrentHashMap<>();
        return lease.take(clock.instant(), LEASE)
                .filter(taken -> {
                    if (!taken) {
                        pool.unknown();
                    }
                    return taken;
                })
                .flatMapMany(taken -> Flux.fromIterable(rails.accounts().entrySet()))
                .filter(account -> account.getValue().properties().locations() > 0)
                .flatMapDelayError(
                        account -> refill(account.getKey(), account.getValue(), counts)
                                .timeout(PASS_MAX, Mono.empty()),
                        4,
                        1)
                .then();
    }

    private Mono<Void> refill(String rail, BankAccount bank, Map<Tags, Double> counts) {
        return addBlock(rail, bank, counts)
                .expand(added -> added < PayloadLocationStore.BLOCK_MAX ? Mono.empty() : addBlock(rail, bank, counts))
                .then();
    }

    /** Gives the number of added locations; empty when the pool is full. What a failure loses costs nothing at the bank. */
    private Mono<Integer> addBlock(String rail, BankAccount bank, Map<Tags, Double> counts) {
        return Mono.defer(() -> store.count(rail))
                .doOnNext(count -> {
                    counts.put(Tags.of("rail", rail), count.doubleValue());
                    pool.known(Map.copyOf(counts));
                })
                .map(count -> Math.min(PayloadLocationStore.BLOCK_MAX, bank.properties().locations() - count))
                .filter(missing -> missing > 0)
                .flatMap(missing -> Flux.range(0, missing)
                        .concatMap(each -> create(bank))
                        .collectList()
                        .flatMap(block -> store.add(rail, block).thenReturn(missing)));
    }

    private static Mono<PayloadLocation> create(BankAccount bank) {
        return bank.post("location", bank.properties().kind().pixPath() + "/loc", Map.of("tipoCob", "cob"))
                .map(answer -> {
                    if (!answer.isDone()) {
                        throw new RailFault("status: " + answer.status());
                    }
                    return new PayloadLocation(
                            BankFields.number(answer.body(), "id"),
                            new MerchantAccount.DynamicLocation(BankFields.text(answer.body(), "location")));
                });
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "refill_failed")
                .addKeyValue("cause", RailFault.describe(failure))
                .log("Payload locations of a bank could not be made or stored; the next pass does it");
    }
}
