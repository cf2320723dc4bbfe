package dev.ligeiro.dispatcher.lane;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The conditions of the writes of lanes, against a real mongod. */
class LaneStoreIT {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");
    private static final Health OPEN = new Health(10, 1, NOW.plusSeconds(30), NOW);
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();
    /** The stores of two processes: each claims with its own token. */
    private static final LaneStore ONE = new LaneStore(ENVIRONMENT.database());

    private static final LaneStore OTHER = new LaneStore(ENVIRONMENT.database());

    private final Tenant tenant = ENVIRONMENT.tenant();
    private final UUID endpoint = UUID.randomUUID();

    @AfterAll
    static void close() {
        ENVIRONMENT.close();
    }

    @BeforeEach
    void noLanes() {
        TestEnvironment.run(ENVIRONMENT.lanes().collection().drop());
    }

    @Test
    void marksKeepTheEarliestTimeAndAddUp() {
        mark(NOW.plusSeconds(9), 2, null);
        mark(NOW.plusSeconds(5), 3, NOW.plusSeconds(60));
        mark(NOW.plusSeconds(7), 0, null);
        assertThat(lane())
                .isEqualTo(new Lane(
                        endpoint,
                        tenant,
                        NOW.plusSeconds(5),
                        null,
                        new Health(5, 0, null, NOW),
                        NOW.plusSeconds(60),
                        3));
    }

    @Test
    void aMarkDoesNotMakeALaneDueBeforeItsBreakerAllowsAnAttempt() {
        mark(NOW, 0, null);
        Lane claimed = claim(ONE, NOW);
        Health open = new Health(10, 1, NOW.plusSeconds(30), NOW);
        assertThat(release(claimed.with(open), NOW.plusSeconds(30))).isTrue();
        mark(NOW.plusSeconds(1), 0, null);
        assertThat(lane().dueAt()).isEqualTo(NOW.plusSeconds(30));
        assertThat(lane().health()).isEqualTo(open);
        assertThat(OTHER.claim(Set.of(), NOW.plusSeconds(29), NOW.plusSeconds(90), 10)
                        .block(WAIT))
                .isEmpty();
    }

    @Test
    void aPauseThatTheEndpointAskedForOpensTheBreaker() {
        Instant hour = NOW.plusSeconds(3600);
        done(ONE.mark(List.of(new LaneMark(endpoint, tenant, NOW.plusSeconds(5), 1, null, hour)), NOW));
        assertThat(lane().health()).isEqualTo(new Health(1, 1, hour, NOW));
        assertThat(lane().dueAt()).isEqualTo(hour);

        done(ONE.mark(List.of(new LaneMark(endpoint, tenant, NOW, 1, null, NOW.plusSeconds(9))), NOW));
        assertThat(lane().health().openUntil()).isEqualTo(hour);
        assertThat(lane().dueAt()).isEqualTo(hour);
    }

    @Test
    void onlyOneProcessClaimsALaneUntilItsLeaseEnds() {
        mark(NOW, 0, null);
        assertThat(until(claim(ONE, NOW))).isEqualTo(NOW.plusSeconds(60));
        assertThat(OTHER.claim(Set.of(), NOW.plusSeconds(59), NOW.plusSeconds(119), 10)
                        .block(WAIT))
                .isEmpty();
        assertThat(claim(OTHER, NOW.plusSeconds(60)).endpointId()).isEqualTo(endpoint);
    }

    /** A process that has lost it may still have running attempts, and works on it until they have ended. */
    @Test
    void aLaneThatThisProcessHasNotLeftYetIsLeftToOthers() {
        mark(NOW, 0, null);
        claim(ONE, NOW);
        Instant later = NOW.plusSeconds(60);
        assertThat(ONE.anyToClaim(Set.of(endpoint), later).block(WAIT)).isFalse();
        assertThat(ONE.claim(Set.of(endpoint), later, later.plusSeconds(60), 10).block(WAIT))
                .isEmpty();
        assertThat(ONE.anyToClaim(Set.of(), later).block(WAIT)).isTrue();
        assertThat(claim(OTHER, later).endpointId()).isEqualTo(endpoint);
    }

    /** A process whose clock was days ahead has died: the others would wait until its time. */
    @Test
    void aLeaseThatEndsInMoreThanAnHourCountsAsEnded() {
        mark(NOW, 0, null);
        done(Mono.from(ENVIRONMENT
                        .lanes()
                        .collection()
                        .updateOne(
                                new Document("_id", endpoint),
                                new Document(
                                        "$set",
                                        new Document("claim", UUID.randomUUID())
                                                .append("leaseUntil", Date.from(NOW.plus(Duration.ofDays(3)))))))
                .then());
        Instant anHourBefore = NOW.plus(Duration.ofDays(3)).minus(Duration.ofHours(1));
        assertThat(OTHER.claim(Set.of(), anHourBefore, anHourBefore.plusSeconds(60), 10)
                        .block(WAIT))
                .isEmpty();
        assertThat(until(claim(OTHER, NOW))).isEqualTo(NOW.plusSeconds(60));
    }

    /** The first process was paused for longer than its lease. */
    @Test
    void aProcessWhoseLaneAnotherOneHasClaimedChangesNothing() {
        mark(NOW, 0, null);
        Lane stale = claim(ONE, NOW);
        claim(OTHER, NOW.plusSeconds(60));
        Lane claimedByOther = lane();

        assertThat(release(stale, NOW)).isFalse();
        assertThat(release(stale, null)).isFalse();
        done(ONE.renew(List.of(stale.with(new Health(5, 0, null, NOW))), NOW, NOW.plusSeconds(999)));
        assertThat(ONE.claimed(List.of(endpoint), NOW).block(WAIT)).isEmpty();
        assertThat(lane()).isEqualTo(claimedByOther);
    }

    @Test
    void aRenewalStoresTheHealthThatTheOwnerKnows() {
        mark(NOW, 0, null);
        Lane failing = claim(ONE, NOW).with(new Health(4, 0, null, NOW));
        done(ONE.renew(List.of(failing), NOW.plusSeconds(20), NOW.plusSeconds(80)));
        assertThat(lane().health()).isEqualTo(failing.health());
        assertThat(until(lane())).isEqualTo(NOW.plusSeconds(80));
    }

    /** The intake marks the lane of a busy endpoint at each batch, and makes first attempts from memory again once it has recovered. */
    @Test
    void aRenewalStoresThatABusyEndpointHasRecovered() {
        mark(NOW, 10, null);
        Lane recovered = claim(ONE, NOW).with(Health.GOOD);
        mark(NOW.plusSeconds(1), 0, null);
        done(ONE.renew(List.of(recovered), NOW.plusSeconds(20), NOW.plusSeconds(80)));
        assertThat(lane().health()).isEqualTo(Health.GOOD);
    }

    /** Otherwise a delivery that was stored after the owner looked for one would have no lane. */
    @Test
    void aLaneThatWasMarkedSinceIsNeitherReleasedNorDeleted() {
        mark(NOW, 0, null);
        Lane claimed = claim(ONE, NOW);
        mark(NOW.plusSeconds(1), 0, null);

        assertThat(release(claimed, NOW.plusSeconds(600))).isFalse();
        assertThat(release(claimed, null)).isFalse();
        assertThat(release(lane(), null)).isTrue();
        assertThat(ENVIRONMENT.lanes().count()).isZero();
    }

    @Test
    void aSuccessOfTheIntakeForgetsFailuresOnlyOfAFreeLane() {
        mark(NOW, 4, null);
        done(ONE.recovered(List.of(endpoint)));
        assertThat(lane().health()).isEqualTo(Health.GOOD);

        mark(NOW, 4, null);
        claim(ONE, NOW);
        done(ONE.recovered(List.of(endpoint)));
        assertThat(lane().health().failures()).isEqualTo(4);
    }

    /** Its owner may have a newer version, which can decode it. */
    @Test
    void aDamagedLaneIsNotDeletedWhileAnotherProcessHoldsIt() {
        mark(NOW, 0, null);
        claim(OTHER, NOW);
        done(Mono.from(ENVIRONMENT
                        .lanes()
                        .collection()
                        .updateOne(new Document(), new Document("$set", new Document("marks", "many"))))
                .then());
        assertThat(ONE.ofTenants(List.of(tenant), NOW.plusSeconds(59)).block(WAIT))
                .isEmpty();
        assertThat(ENVIRONMENT.lanes().count()).isOne();

        assertThat(ONE.ofTenants(List.of(tenant), NOW.plusSeconds(60)).block(WAIT))
                .isEmpty();
        assertThat(ENVIRONMENT.lanes().count()).isZero();
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

    private void mark(Instant dueAt, int failures, @Nullable Instant slowUntil) {
        done(ONE.mark(List.of(new LaneMark(endpoint, tenant, dueAt, failures, slowUntil, null)), NOW));
    }

    private Lane claim(LaneStore process, Instant now) {
        return Objects.requireNonNull(
                        process.claim(Set.of(), now, now.plusSeconds(60), 10).block(WAIT))
                .get(0);
    }

    private static boolean release(Lane lane, @Nullable Instant dueAt) {
        return Objects.requireNonNull(ONE.release(lane, dueAt).block(WAIT));
    }

    private static Instant until(Lane lane) {
        return Objects.requireNonNull(lane.lease()).until();
    }

    private Lane lane() {
        return Objects.requireNonNull(
                Objects.requireNonNull(ONE.ofTenants(List.of(tenant), NOW).block(WAIT))
                        .get(endpoint));
    }

    private static void done(Mono<Void> write) {
        write.block(WAIT);
    }

    private Lane lane(UUID endpointId, Instant dueAt, Health health) {
        return new Lane(endpointId, tenant, dueAt, null, health, null, 1);
    }

    private void insert(Lane lane) {
        TestEnvironment.run(ENVIRONMENT
                .database()
                .getCollection(CollectionNames.LANES, Lane.class)
                .withCodecRegistry(CodecRegistries.fromCodecs(new LaneCodec()))
                .insertOne(lane));
    }

    private @Nullable Counts counts(Instant now) {
        return ONE.counts(now).block(WAIT);
    }

    private @Nullable Looked looked(Instant now) {
        return ONE.looked(List.of(endpoint), now).block(WAIT);
    }
}
