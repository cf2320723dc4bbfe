package dev.ligeiro.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class LeasedWorkIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration TERM = Duration.ofSeconds(3);

    private final TestDatabase mongodb = new TestDatabase();
    private final TestClock clock = TestClock.ticking();
    private final AtomicInteger standBys = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger canceled = new AtomicInteger();

    @AfterEach
    void close() {
        mongodb.close();
    }

    @Test
    void aRunEndsWhenAnotherProcessHasTheLease() {
        LeaseStore.Lease other = new LeaseStore(mongodb.database()).of("work");
        Mono<Void> run =
                work(new LeaseStore(mongodb.database()).of("work")).run().cache();
        run.subscribe();
        await().atMost(TIMEOUT).until(() -> begun.get() == 1);
        assertThat(other.take(clock.instant(), TERM).block(TIMEOUT)).isFalse();

        // as if this process had been paused beyond the term
        assertThat(other.take(clock.instant().plus(TERM.multipliedBy(3)), TERM.multipliedBy(20))
                        .block(TIMEOUT))
                .isTrue();

        run.block(TIMEOUT);
        assertThat(canceled).hasValue(1);
        assertThat(standBys).hasValue(1);
    }

    private LeasedWork work(LeaseStore.Lease lease) {
        return new LeasedWork(lease, TERM, clock) {

            @Override
            protected Duration pause() {
                return TERM;
            }

            @Override
            protected Mono<Void> work() {
                return Mono.<Void>never()
                        .doOnSubscribe(subscription -> begun.incrementAndGet())
                        .doOnCancel(canceled::incrementAndGet);
            }

            @Override
            protected void standBy() {
                standBys.incrementAndGet();
            }

            @Override
            protected void report(Throwable failure) {
                throw new AssertionError(failure);
            }
        };
    }
}
