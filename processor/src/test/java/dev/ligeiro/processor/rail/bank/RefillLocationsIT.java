package dev.ligeiro.processor.rail.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.rail.bank.RefillLocations.Pace;
import dev.ligeiro.processor.rail.bank.RefillLocations.Source;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.testing.time.TestClock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class RefillLocationsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int CALLS_AT_ONCE = 20;
    private static final Pace PACE = new Pace(Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(200));

    private final TestDatabase mongodb = new TestDatabase();
    private final MongoDatabase database = mongodb.database();
    private final PayloadLocationStore pools = new PayloadLocationStore(database);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<RefillLocations> running = new ArrayList<>();

    private final AtomicBoolean hung = new AtomicBoolean();
    private final AtomicLong made = new AtomicLong();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger atOnceMost = new AtomicInteger();
    private volatile int failsEach = Integer.MAX_VALUE;

    @AfterEach
    void close() {
        running.forEach(refill -> refill.stop(() -> {}));
        mongodb.close();
    }

    @Test
    void thePoolGetsWhatItShouldHaveAndNotMore() {
        start(source("bank", 120));
        await().atMost(TIMEOUT).until(() -> count("bank") == 120);
        assertThat(made).hasValue(120);
        await().atMost(TIMEOUT).until(() -> level("bank") == 1);

        pools.take("bank").block(TIMEOUT);

        await().atMost(TIMEOUT).until(() -> count("bank") == 120);
        assertThat(atOnceMost.get()).isBetween(1, CALLS_AT_ONCE / 2);
    }

    /** Each live cashin needs a call to make its location, and one to register it. */
    @Test
    void aPoolBelowItsHalfGetsHalfOfTheAccountsCalls() {
        start(source("bank", 100));

        await().atMost(TIMEOUT).until(() -> count("bank") == 100);
        assertThat(atOnceMost).hasValue(CALLS_AT_ONCE / 2);
        Source source = source("bank", 100);
        assertThat(IntStream.of(0, 50, 51, 75, 99, 200).map(source::atOnce)).containsExactly(10, 10, 9, 5, 4, 4);
        assertThat(new Source("one call", 100, 1, Mono.never()).atOnce(0)).isEqualTo(1);
    }

    @Test
    void ofTwoProcessorsOneFillsThePools() {
        start(source("bank", 300));
        start(source("bank", 300));

        await().atMost(TIMEOUT).until(() -> count("bank") == 300);
        assertThat(made).hasValue(300);
    }

    @Test
    void noLocationIsTakenTwiceWhileThePoolIsFilled() {
        start(source("bank", 100));
        Set<Long> taken = ConcurrentHashMap.newKeySet();
        int takenInAll = 0;
        while (takenInAll < 1_000) {
            List<PayloadLocation> block =
                    pools.take("bank").blockOptional(TIMEOUT).orElse(List.of());
            block.forEach(location -> taken.add(location.id()));
            takenInAll += block.size();
        }

        assertThat(taken).hasSize(takenInAll);
    }

    /** What it has made before the failure is added, and the other rail gets its own. */
    @Test
    void aBankThatOftenFailsFillsItsPoolMoreSlowly() {
        failsEach = 7;
        Source hanging = new Source("hanging", 10, CALLS_AT_ONCE, Mono.never());
        start(source("bank", 20), hanging);

        await().atMost(TIMEOUT).until(() -> count("bank") == 20);
        assertThat(count("hanging")).isZero();
        assertThat(level("hanging")).isZero();
    }

    /** Of 50 calls at a bank that loses one answer in a hundred, 40 % have one that hangs; each block then took 5 s, 22 locations a second. */
    @Test
    void aCallWithoutAnswerDoesNotHoldBackTheOthers() {
        Source bank = source("bank", 50);
        Mono<PayloadLocation> third =
                Mono.defer(() -> made.get() == 2 && hung.compareAndSet(false, true) ? Mono.never() : bank.next());
        start(
                new Pace(PACE.every(), Duration.ofMinutes(1), PACE.gapMax()),
                new Source("bank", 50, CALLS_AT_ONCE, third));

        await().atMost(TIMEOUT).until(() -> count("bank") == 50);
    }

    @Test
    void anAccountWithoutCashinsIsLeftAlone() {
        start(source("cashouts", 0), source("bank", 1));

        await().atMost(TIMEOUT).until(() -> count("bank") == 1);
        assertThat(count("cashouts")).isZero();
    }

    private void start(Source... sources) {
        start(PACE, sources);
    }

    private void start(Pace pace, Source... sources) {
        LeaseStore leases = new LeaseStore(database);
        RefillLocations refill =
                new RefillLocations(List.of(sources), pools, leases, pace, meters, TestClock.ticking());
        running.add(refill);
        refill.start();
    }

    /** Takes 2 ms. */
    private Source source(String rail, int wanted) {
        Mono<PayloadLocation> next = Mono.defer(() -> {
            atOnceMost.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            long number = made.incrementAndGet();
            return Mono.delay(Duration.ofMillis(2))
                    .map(late -> {
                        if (number % failsEach == 0) {
                            throw new IllegalStateException("503");
                        }
                        return new PayloadLocation(number, new DynamicLocation("pix.example.com/" + number));
                    })
                    // before the next call begins
                    .doOnTerminate(atOnce::decrementAndGet);
        });
        return new Source(rail, wanted, CALLS_AT_ONCE, next);
    }

    private int count(String rail) {
        return pools.count(rail).blockOptional(TIMEOUT).orElseThrow();
    }

    private double level(String rail) {
        Gauge found =
                meters.find("ligeiro.rail.locations.level").tag("rail", rail).gauge();
        return found == null ? -1 : found.value();
    }
}
