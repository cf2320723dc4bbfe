package dev.ligeiro.support.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.testing.brokers.TestBrokers;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Several processes, each with its own store; the progress is a number. */
class LeaseStoreIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final Instant AFTER = NOW.plus(TERM).plusMillis(1);
    private static final int NONE = 0;

    private final String name = "lease_it_" + UUID.randomUUID();
    private final MongoClient client = MongoClients.create(TestBrokers.mongodbUri(name));
    private final MongoDatabase database = client.getDatabase(name);
    private final LeaseStore<Integer> first = process();
    private final LeaseStore<Integer> second = process();

    @AfterEach
    void close() {
        Mono.from(database.drop()).block(TIMEOUT);
        client.close();
    }

    @Test
    void oneProcessHoldsTheLeaseUntilItsEnd() {
        assertThat(take(first, NOW)).isEqualTo(NONE);

        assertThat(take(second, NOW)).isNull();
        assertThat(take(second, NOW.plus(TERM))).isNull();
        assertThat(take(second, AFTER)).isEqualTo(NONE);
        assertThat(take(first, AFTER)).isNull();
    }

    @Test
    void ofManyProcessesOneGetsTheLease() {
        List<LeaseStore<Integer>> all = Stream.generate(this::process).limit(20).toList();

        assertThat(Flux.fromIterable(all)
                        .flatMap(each -> each.take(NOW, TERM))
                        .collectList()
                        .block(TIMEOUT))
                .containsExactly(NONE);
    }

    @Test
    void theNextHolderContinuesWithTheProgress() {
        take(first, NOW);
        first.save(41).block(TIMEOUT);
        assertThat(take(first, NOW.plusSeconds(1))).isEqualTo(41);
        first.save(42).block(TIMEOUT);

        assertThat(take(second, AFTER.plusSeconds(1))).isEqualTo(42);
    }

    @Test
    void theHolderKeepsTheLeaseByRenewing() {
        take(first, NOW);

        first.renew(NOW.plusSeconds(20), TERM).block(TIMEOUT);

        assertThat(take(second, AFTER)).isNull();
        first.save(7).block(TIMEOUT);
        assertThat(take(second, NOW.plusSeconds(20).plus(TERM).plusMillis(1))).isEqualTo(7);
    }

    @Test
    void aReleasedLeaseIsFreeAtOnce() {
        take(first, NOW);

        first.release().block(TIMEOUT);

        assertThat(take(second, NOW)).isEqualTo(NONE);
    }

    /** MongoDB may carry out a statement after the release although its caller was canceled before. */
    @Test
    void aReleasedLeaseStaysFreeWhenStatementsWereCanceledJustBefore() {
        for (int i = 0; i < 200; i++) {
            LeaseStore<Integer> stopping = process();
            take(stopping, NOW);
            stopping.renew(NOW, TERM).subscribe().dispose();
            stopping.take(NOW, TERM).subscribe().dispose();
            stopping.release().block(TIMEOUT);

            LeaseStore<Integer> next = process();
            assertThat(take(next, NOW)).as("take %d", i).isEqualTo(NONE);
            next.release().block(TIMEOUT);
        }
    }

    /** The clock of the second process is ahead, so it takes the lease while the first one still works. */
    @Test
    void aFormerHolderChangesNothing() {
        take(first, NOW);
        take(second, AFTER);
        second.save(8).block(TIMEOUT);

        assertLost(first.save(3));
        assertLost(first.renew(NOW, TERM));
        first.release().block(TIMEOUT);

        assertThat(take(process(), AFTER)).isNull();
        assertThat(take(second, AFTER)).isEqualTo(8);
    }

    /** Its clock was days ahead, and it died. */
    @Test
    void aLeaseThatEndsInMoreThanAnHourIsFree() {
        take(first, NOW.plus(Duration.ofHours(1)));
        assertThat(take(second, NOW.plus(TERM))).as("ends in an hour").isNull();

        assertThat(take(second, NOW.plus(TERM).minusMillis(1))).isEqualTo(NONE);
        assertLost(first.save(3));
    }

    @Test
    void aLateStatementOfAnEarlierPassOfTheSameProcessChangesNothing() {
        take(first, NOW);
        Mono<Void> late = first.save(3);

        take(first, NOW.plusSeconds(1));
        first.save(4).block(TIMEOUT);

        assertLost(late);
        assertThat(take(first, NOW.plusSeconds(2))).isEqualTo(4);
    }

    @Test
    void aProcessWithoutTheLeaseSavesNothing() {
        assertLost(first.save(3));
        first.release().block(TIMEOUT);

        assertThat(take(second, NOW)).isEqualTo(NONE);
    }

    /** Earlier versions have no claim id: {@code holder} and {@code until} decide between them and this one. */
    @Test
    void theLeaseOfAnEarlierVersionIsRespectedAndItsProgressIsRead() {
        Mono.from(database.getCollection(CollectionNames.LEASES)
                        .insertOne(new Document("_id", "work")
                                .append("holder", "another process")
                                .append("token", 17L)
                                .append("until", Date.from(NOW.plusSeconds(5)))
                                .append("done", 12)))
                .block(TIMEOUT);

        assertThat(take(first, NOW)).isNull();
        assertThat(take(first, NOW.plusSeconds(6))).isEqualTo(12);

        Mono.from(database.getCollection(CollectionNames.LEASES)
                        .updateOne(
                                new Document("_id", "work"),
                                new Document("$set", new Document("holder", "another process"))))
                .block(TIMEOUT);
        assertLost(first.save(13));
    }

    private LeaseStore<Integer> process() {
        return new LeaseStore<>(
                database,
                "work",
                document -> document.getInt32("done", new BsonInt32(NONE)).getValue(),
                done -> new BsonDocument("done", new BsonInt32(done)));
    }

    private static @Nullable Integer take(LeaseStore<Integer> process, Instant now) {
        return process.take(now, TERM).block(TIMEOUT);
    }

    private static void assertLost(Mono<Void> statement) {
        assertThatThrownBy(() -> statement.block(TIMEOUT))
                .isInstanceOf(LeaseLost.class)
                .hasMessage("lease work: lost (expected: held until the end of the pass)");
    }
}
