package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.dispatcher.TestEnvironment;
import dev.ligeiro.dispatcher.lane.LaneStore.Counts;
import dev.ligeiro.dispatcher.lane.LaneStore.Looked;
import dev.ligeiro.fixture.LaneCodec;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The reads of all lanes, against a real mongod. */
class SweepLanesIT {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");
    private static final Health OPEN = new Health(10, 1, NOW.plusSeconds(30), NOW);
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    private final LaneStore store = new LaneStore(ENVIRONMENT.database());
    private final Tenant tenant = ENVIRONMENT.tenant();
    private final UUID endpoint = UUID.randomUUID();
    private final MongoCollection<Lane> lanes = ENVIRONMENT
            .database()
            .getCollection(CollectionNames.LANES, Lane.class)
            .withCodecRegistry(CodecRegistries.fromRegistries(
                    CodecRegistries.fromCodecs(new LaneCodec()),
                    ENVIRONMENT.database().getCodecRegistry()));

    @AfterAll
    static void close() {
        ENVIRONMENT.close();
    }

    @BeforeEach
    void noLanes() {
        TestEnvironment.run(ENVIRONMENT.lanes().collection().drop());
    }

    @Test
    void lanesAreCountedByTheirState() {
        assertThat(counts(NOW)).isEqualTo(Counts.NONE);
        insert(lane(UUID.randomUUID(), NOW, Health.GOOD));
        assertThat(counts(NOW)).isEqualTo(new Counts(1, 1, 0, Instant.MAX));
        insert(lane(endpoint, NOW.plusSeconds(30), OPEN));

        assertThat(counts(NOW)).isEqualTo(new Counts(2, 1, 1, NOW));
        assertThat(counts(NOW.plusSeconds(30))).isEqualTo(new Counts(2, 2, 0, NOW));
    }

    @Test
    void aLaneWhoseBreakerHasOpenedIsToldFromOthers() {
        insert(lane(endpoint, NOW.plusSeconds(60), Health.GOOD));
        assertThat(looked(NOW)).isEqualTo(new Looked(Set.of(), Set.of()));
        assertThat(looked(NOW.plusSeconds(60))).isEqualTo(new Looked(Set.of(endpoint), Set.of()));

        noLanes();
        insert(lane(endpoint, NOW.plusSeconds(60), OPEN));
        assertThat(looked(NOW)).isEqualTo(new Looked(Set.of(endpoint), Set.of(endpoint)));
        assertThat(looked(NOW.plusSeconds(30))).isEqualTo(new Looked(Set.of(), Set.of(endpoint)));
    }

    private Lane lane(UUID endpointId, Instant dueAt, Health health) {
        return new Lane(endpointId, tenant, dueAt, null, health, null, 1);
    }

    private void insert(Lane lane) {
        TestEnvironment.run(lanes.insertOne(lane));
    }

    private @Nullable Counts counts(Instant now) {
        return store.counts(now).block(WAIT);
    }

    private @Nullable Looked looked(Instant now) {
        return store.looked(List.of(endpoint), now).block(WAIT);
    }
}
