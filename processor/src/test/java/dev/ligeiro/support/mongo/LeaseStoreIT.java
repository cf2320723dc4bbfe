package dev.ligeiro.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.testing.brokers.TestBrokers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Several processes, each with its own store. */
class LeaseStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final Instant AFTER = NOW.plus(TERM).plusMillis(1);

    private final String name = "lease_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final LeaseStore.Lease first = process();
    private final LeaseStore.Lease second = process();

    @AfterEach
    void close() {
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }

    @Test
    void oneProcessHoldsTheLeaseUntilItsEnd() {
        assertThat(take(first, NOW)).isTrue();

        assertThat(take(second, NOW)).isFalse();
        assertThat(take(second, NOW.plus(TERM))).isFalse();
        assertThat(take(second, AFTER)).isTrue();
        assertThat(take(first, AFTER)).isFalse();
    }

    @Test
    void theHolderKeepsTheLeaseByTakingItAgain() {
        take(first, NOW);
        assertThat(take(first, NOW.plusSeconds(20))).isTrue();

        assertThat(take(second, AFTER)).isFalse();
        assertThat(take(second, AFTER.plusSeconds(20))).isTrue();
    }

    @Test
    void ofManyProcessesOneGetsTheLease() {
        List<LeaseStore.Lease> all = Stream.generate(this::process).limit(20).toList();

        assertThat(Flux.fromIterable(all)
                        .flatMap(each -> each.take(NOW, TERM))
                        .filter(taken -> taken)
                        .collectList()
                        .block(TIMEOUT))
                .hasSize(1);
    }

    @Test
    void aReleasedLeaseIsFreeAtOnce() {
        take(first, NOW);

        first.release().block(TIMEOUT);

        assertThat(take(second, NOW)).isTrue();
    }

    @Test
    void aProcessDoesNotReleaseTheLeaseOfAnother() {
        take(first, NOW);
        take(second, AFTER);

        first.release().block(TIMEOUT);

        assertThat(take(first, AFTER)).isFalse();
    }

    /** MongoDB may carry out a take after the release although its caller was canceled before. */
    @Test
    void aReleasedLeaseStaysFreeWhenATakeWasCanceledJustBefore() {
        for (int i = 0; i < 200; i++) {
            LeaseStore.Lease stopping = process();
            take(stopping, NOW);
            stopping.take(NOW, TERM).subscribe().dispose();
            stopping.release().block(TIMEOUT);

            LeaseStore.Lease next = process();
            assertThat(take(next, NOW)).as("take %d", i).isTrue();
            next.release().block(TIMEOUT);
        }
    }

    @Test
    void aProcessWhoseMachineIsAheadTakesNoLeaseEarly() {
        Clock machine = Clock.offset(Clock.systemUTC(), TERM.multipliedBy(2));
        MongoClock clock = new MongoClock(database, machine, new SimpleMeterRegistry());
        clock.compare().block(TIMEOUT);

        assertThat(take(first, Clock.systemUTC().instant())).isTrue();

        assertThat(take(second, clock.instant())).isFalse();
    }

    /** It was taken while MongoDB's clock was days ahead. */
    @Test
    void aLeaseThatEndsInMoreThanAnHourIsFree() {
        take(first, NOW.plus(Duration.ofHours(1)));
        assertThat(take(second, NOW.plus(TERM))).as("ends in an hour").isFalse();

        assertThat(take(second, NOW.plus(TERM).minusMillis(1))).isTrue();
    }

    private LeaseStore.Lease process() {
        return new LeaseStore(database).of("work");
    }

    private static boolean take(LeaseStore.Lease process, Instant now) {
        return process.take(now, TERM).blockOptional(TIMEOUT).orElseThrow();
    }
}
