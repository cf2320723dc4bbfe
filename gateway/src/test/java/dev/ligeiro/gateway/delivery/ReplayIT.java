package dev.ligeiro.gateway.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredDeliveries;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.mongo.CollectionSetup;
import dev.ligeiro.message.EventId;
import dev.ligeiro.testing.http.Answer;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class ReplayIT {

    private static final String WEBHOOKS = "/api/v1/webhooks/";
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Instant DAY = Instant.parse("2026-03-10T00:00:00Z");

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final StoredDeliveries database;
    private final UUID endpointId;
    private final String path;

    ReplayIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.database = new StoredDeliveries(gateway.database());
        this.endpointId = UUID.fromString(merchant.api()
                .post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}")
                .expect(201)
                .text("id"));
        this.path = WEBHOOKS + endpointId;
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** 2,500 missed events take three steps. Delivered ones and those of other days stay as they are. */
    @Test
    void whatTheEndpointMissedOnADayIsScheduledAgain() {
        database.insertAll(IntStream.range(0, 2_500)
                .mapToObj(i ->
                        delivery(DAY.plusSeconds(i), i % 2 == 0 ? DeliveryStatus.EXHAUSTED : DeliveryStatus.CANCELED))
                .toList());
        Delivery delivered = delivery(DAY.plusSeconds(7), DeliveryStatus.DELIVERED);
        Delivery dayBefore = delivery(DAY.minusSeconds(1), DeliveryStatus.EXHAUSTED);
        Delivery dayAfter = delivery(DAY.plus(Duration.ofDays(1)).plusSeconds(1), DeliveryStatus.CANCELED);
        database.insertAll(List.of(delivered, dayBefore, dayAfter));

        Answer started = replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").expect(202);
        Answer ended = awaitEnd(started.header("Location"));

        assertThat(started.text("status")).isEqualTo("running");
        assertThat(ended.text("status")).isEqualTo("done");
        assertThat(ended.text("delivery_status")).isEqualTo("undelivered");
        assertThat(ended.text("from") + ended.text("to")).isEqualTo("2026-03-10T00:00:00Z2026-03-11T00:00:00Z");
        assertThat(ended.json().path("scheduled").asInt()).isEqualTo(2_500);
        assertThat(database.count(endpointId, DeliveryStatus.SCHEDULED)).isEqualTo(2_500);
        assertThat(List.of(delivered, dayBefore, dayAfter))
                .allSatisfy(
                        other -> assertThat(database.find(other.id()).status()).isEqualTo(other.status()));
        assertThat(database.lane(endpointId).marks()).isGreaterThanOrEqualTo(3);
        assertThat(database.lane(endpointId).dueAt()).isBefore(Instant.now().plusSeconds(60));
    }

    /** The gateway that ran it has died in the middle: its lease has ended, and the position is stored. */
    @Test
    void aReplayContinuesWhereItsGatewayDied() {
        List<Delivery> missed = IntStream.range(0, 10)
                .mapToObj(i -> delivery(DAY.plusSeconds(i), DeliveryStatus.EXHAUSTED))
                .toList();
        database.insertAll(missed);
        UUID id = UuidV7.at(System.currentTimeMillis());
        database.insert(
                CollectionSetup.REPLAYS,
                running(id, missed.get(6).id(), Instant.now().minusSeconds(1)));

        Answer ended = awaitEnd(path + "/replays/" + id);

        assertThat(ended.json().path("scheduled").asInt()).isEqualTo(10);
        assertThat(ended.json().path("looked_at").asInt()).isEqualTo(10);
        assertThat(missed.subList(0, 6))
                .allSatisfy(
                        each -> assertThat(database.find(each.id()).status()).isEqualTo(DeliveryStatus.SCHEDULED));
        assertThat(database.find(missed.get(6).id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    /** A gateway holds it: no other one takes it before the lease ends. */
    @Test
    void aHeldReplayWaitsForTheEndOfItsLease() {
        Instant lease = Instant.now().plusSeconds(2);
        UUID id = UuidV7.at(System.currentTimeMillis());
        database.insert(CollectionSetup.REPLAYS, running(id, id(DAY), lease));

        awaitEnd(path + "/replays/" + id);

        assertThat(Instant.now()).isAfter(lease);
    }

    @Test
    void anEndpointThatIsDisabledMeanwhileCancelsItsReplay() {
        database.insert(delivery(DAY, DeliveryStatus.EXHAUSTED));
        merchant.api().patch(path, "{\"enabled\":false}").expect(200);
        UUID id = UuidV7.at(System.currentTimeMillis());
        database.insert(CollectionSetup.REPLAYS, running(id, id(DAY.plusSeconds(60)), Instant.now()));

        Answer ended = awaitEnd(path + "/replays/" + id);

        assertThat(ended.text("status")).isEqualTo("canceled");
        assertThat(database.count(endpointId, DeliveryStatus.SCHEDULED)).isZero();
    }

    @Test
    void deliveriesWithTooManyAttemptsAreLeftOut() {
        Delivery often = Delivery.ended(
                id(DAY),
                "transaction.paid",
                DAY,
                DeliveryStatus.EXHAUSTED,
                Collections.nCopies(100, new Attempt(DAY, AttemptOutcome.REJECTED, 500, Duration.ZERO)),
                Instant.now());
        database.insert(often);

        Answer ended = awaitEnd(replay("2026-03-10T00:00:00Z", "2026-03-10T00:00:01Z")
                .expect(202)
                .header("Location"));

        assertThat(ended.json().path("looked_at").asInt()).isEqualTo(1);
        assertThat(ended.json().path("scheduled").asInt()).isZero();
        assertThat(database.find(often.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    @Test
    void anEndpointHasOneReplayAtATimeAndNoneWhileDisabled() {
        merchant.api().patch(path, "{\"enabled\":false}").expect(200);
        replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").expectProblem(409, "endpoint_disabled");
        merchant.api().patch(path, "{\"enabled\":true}").expect(200);
        database.insert(
                CollectionSetup.REPLAYS,
                new Document("_id", UUID.randomUUID())
                        .append("endpoint", endpointId)
                        .append("leaseUntil", Date.from(Instant.now().plusSeconds(86_400))));

        replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").expectProblem(409, "replay_running");
    }

    @Test
    void aReversedRangeIsAFieldErrorAndNothingIsStored() {
        Answer refused = replay("2026-03-11T00:00:00Z", "2026-03-10T00:00:00Z");

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly("to:invalid");
        replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").expect(202);
    }

    @Test
    void anotherMerchantsReplayDoesNotExist() {
        String location = replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z")
                .expect(202)
                .header("Location");
        TestMerchant other = gateway.newMerchant();

        other.api().get(location).expectProblem(404, "not_found");
        other.api().post(path + "/replay", "{}").expectProblem(404, "not_found");
        other.api().postNothing(path + "/test").expectProblem(404, "not_found");
        merchant.api().get(path + "/replays/x").expectProblem(404, "not_found");
        merchant.api().get(path + "/replays/" + UUID.randomUUID()).expectProblem(404, "not_found");
    }

    @Test
    void aTestEventIsADelivery() {
        Answer sent = merchant.api().postNothing(path + "/test").expect(202);

        assertThat(sent.text("event_type")).isEqualTo("webhook.test");
        assertThat(sent.text("status")).isEqualTo("scheduled");
        assertThat(sent.text("transaction_id")).isEmpty();
        DeliveryId id = DeliveryKey.parse(sent.text("id"), endpointId);
        Delivery stored = database.find(id);
        assertThat(new String(stored.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"type\":\"webhook.test\",\"timestamp\":\"" + stored.eventAt()
                        + "\",\"data\":{\"webhook_endpoint_id\":\"" + endpointId + "\"}}");
        assertThat(database.lane(endpointId).dueAt()).isEqualTo(stored.nextAttemptAt());

        database.insert(Delivery.ended(
                id, "webhook.test", stored.eventAt(), DeliveryStatus.EXHAUSTED, List.of(), Instant.now()));
        merchant.api()
                .postNothing(path + "/deliveries/" + sent.text("id") + "/redeliver")
                .expect(202);
        assertThat(database.find(id).body()).isEqualTo(stored.body());

        merchant.api().patch(path, "{\"enabled\":false}").expect(200);
        merchant.api().postNothing(path + "/test").expectProblem(409, "endpoint_disabled");
    }

    /** A replay of a minute of {@link #DAY} that has scheduled four deliveries so far. */
    private Document running(UUID id, DeliveryId position, Instant leaseUntil) {
        return new Document("_id", id)
                .append("endpoint", endpointId)
                .append("tenant", database.tenant(endpointId))
                .append("from", Date.from(DAY))
                .append("to", Date.from(DAY.plusSeconds(60)))
                .append("status", "undelivered")
                .append("createdAt", new Date())
                .append("state", "running")
                .append("position", new Binary(position.bytes()))
                .append("looked", 4L)
                .append("scheduled", 4L)
                .append("claim", UUID.randomUUID())
                .append("leaseUntil", Date.from(leaseUntil));
    }

    private Answer replay(String from, String to) {
        return merchant.api().post(path + "/replay", "{\"from\":\"" + from + "\",\"to\":\"" + to + "\"}");
    }

    private Answer awaitEnd(String location) {
        await().atMost(SOON)
                .until(() ->
                        !merchant.api().get(location).expect(200).text("status").equals("running"));
        return merchant.api().get(location);
    }

    private Delivery delivery(Instant eventAt, DeliveryStatus status) {
        return Delivery.ended(id(eventAt), "transaction.paid", eventAt, status, List.of(), Instant.now());
    }

    private DeliveryId id(Instant createdAt) {
        return new DeliveryId(endpointId, new EventId(TransactionId.at(createdAt), 2));
    }
}
