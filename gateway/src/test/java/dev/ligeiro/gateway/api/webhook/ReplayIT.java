package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayIT extends WithGateway {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Instant DAY = Instant.parse("2026-03-10T00:00:00Z");

    private final TestEndpoint endpoint;

    ReplayIT() {
        this.endpoint = TestEndpoint.of(merchant);
    }

    /** 2,500 missed events take three steps. Delivered ones and those of other days stay as they are. */
    @Test
    void whatTheEndpointMissedOnADayIsScheduledAgain() {
        stored.insertAll(IntStream.range(0, 2_500)
                .mapToObj(i ->
                        delivery(DAY.plusSeconds(i), i % 2 == 0 ? DeliveryStatus.EXHAUSTED : DeliveryStatus.CANCELED))
                .toList());
        Delivery delivered = delivery(DAY.plusSeconds(7), DeliveryStatus.DELIVERED);
        Delivery dayBefore = delivery(DAY.minusSeconds(1), DeliveryStatus.EXHAUSTED);
        Delivery dayAfter = delivery(DAY.plus(Duration.ofDays(1)).plusSeconds(1), DeliveryStatus.CANCELED);
        stored.insertAll(List.of(delivered, dayBefore, dayAfter));

        Answer started = replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").expect(202);
        Answer ended = awaitEnd(started.header("Location"));

        assertThat(started.text("status")).isEqualTo("running");
        assertThat(ended.text("status")).isEqualTo("done");
        assertThat(ended.text("delivery_status")).isEqualTo("undelivered");
        assertThat(ended.text("from") + ended.text("to")).isEqualTo("2026-03-10T00:00:00Z2026-03-11T00:00:00Z");
        assertThat(ended.json().path("scheduled").asInt()).isEqualTo(2_500);
        assertThat(stored.count(endpoint.id(), DeliveryStatus.SCHEDULED)).isEqualTo(2_500);
        assertThat(List.of(delivered, dayBefore, dayAfter))
                .allSatisfy(
                        other -> assertThat(stored.find(other.id()).status()).isEqualTo(other.status()));
        assertThat(stored.lane(endpoint.id()).marks()).isGreaterThanOrEqualTo(3);
        assertThat(stored.lane(endpoint.id()).dueAt()).isBefore(now().plusSeconds(60));
    }

    /** The gateway that ran it has died in the middle: its lease has ended, and the position is stored. */
    @Test
    void aReplayContinuesWhereItsGatewayDied() {
        List<Delivery> missed = IntStream.range(0, 10)
                .mapToObj(i -> delivery(DAY.plusSeconds(i), DeliveryStatus.EXHAUSTED))
                .toList();
        stored.insertAll(missed);

        Answer ended = endOf(running(missed.get(6), Instant.now().minusSeconds(1)));

        assertThat(ended.json().path("scheduled").asInt()).isEqualTo(10);
        assertThat(ended.json().path("looked_at").asInt()).isEqualTo(10);
        assertThat(missed.subList(0, 6))
                .allSatisfy(each -> assertThat(stored.find(each.id()).status()).isEqualTo(DeliveryStatus.SCHEDULED));
        assertThat(stored.find(missed.get(6).id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    /** The gateway has died after it scheduled the deliveries, and these have ended before another one repeats the step. */
    @Test
    void aRepeatedStepSchedulesNothingASecondTime() {
        List<Delivery> missed = IntStream.range(0, 3)
                .mapToObj(i -> delivery(DAY.plusSeconds(i), DeliveryStatus.EXHAUSTED))
                .toList();
        stored.insertAll(missed);
        Document before = running(
                delivery(DAY.plusSeconds(60), DeliveryStatus.EXHAUSTED),
                Instant.now().minusSeconds(1));
        endOf(before);
        assertThat(stored.count(endpoint.id(), DeliveryStatus.SCHEDULED)).isEqualTo(3);

        missed.forEach(delivery -> stored.end(delivery.id(), DeliveryStatus.EXHAUSTED));
        stored.replace(CollectionNames.REPLAYS, before);
        awaitEnd(location(before));

        assertThat(stored.count(endpoint.id(), DeliveryStatus.SCHEDULED)).isZero();
    }

    /** A gateway holds it: no other one takes it before the lease ends. */
    @Test
    void aHeldReplayWaitsForTheEndOfItsLease() {
        Instant lease = now().plusSeconds(2);

        endOf(running(delivery(DAY, DeliveryStatus.EXHAUSTED), lease));

        assertThat(now()).isAfter(lease);
    }

    /** The gateway's time, which another test class may have moved. */
    private Instant now() {
        return merchant.gateway().clock().instant();
    }

    @Test
    void anEndpointThatIsDisabledMeanwhileCancelsItsReplay() {
        stored.insert(delivery(DAY, DeliveryStatus.EXHAUSTED));
        endpoint.enable(false);

        Answer ended = endOf(running(delivery(DAY.plusSeconds(60), DeliveryStatus.EXHAUSTED), Instant.now()));

        assertThat(ended.text("status")).isEqualTo("canceled");
        assertThat(stored.count(endpoint.id(), DeliveryStatus.SCHEDULED)).isZero();
    }

    /** With the fault it was tried again every 30 s for ever, and the endpoint could have no other replay. */
    @ParameterizedTest
    @CsvSource({"position, 7", "request, 7"})
    void aDamagedReplayEndsAndAnotherOneCanFollow(String field, int damage) {
        Document damaged =
                running(delivery(DAY, DeliveryStatus.EXHAUSTED), now()).append(field, damage);
        stored.insert(CollectionNames.REPLAYS, damaged);

        await().atMost(SOON)
                .until(() ->
                        replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").status() == 202);
    }

    @Test
    void aReplayOfADamagedEndpointFails() {
        Document running = running(delivery(DAY, DeliveryStatus.EXHAUSTED), now());
        Document intact = stored(CollectionNames.ENDPOINTS, endpoint.id());
        stored.replace(CollectionNames.ENDPOINTS, new Document(intact).append(EndpointFields.URL, 7));
        stored.insert(CollectionNames.REPLAYS, running);

        await().atMost(SOON).until(() -> "FAILED"
                .equals(stored(CollectionNames.REPLAYS, running.get("_id")).get("state")));

        stored.replace(CollectionNames.ENDPOINTS, intact);
        assertThat(merchant.api().get(location(running)).expect(200).text("status"))
                .isEqualTo("failed");
    }

    private Document stored(String collection, @Nullable Object id) {
        return stored.all(collection).stream()
                .filter(each -> Objects.equals(each.get("_id"), id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void deliveriesWithTooManyAttemptsAreLeftOut() {
        Delivery often = Deliveries.attempted(Deliveries.id(endpoint.id(), 1), 100);
        stored.insert(often);

        Answer ended = awaitEnd(replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z")
                .expect(202)
                .header("Location"));

        assertThat(ended.json().path("looked_at").asInt()).isEqualTo(1);
        assertThat(ended.json().path("scheduled").asInt()).isZero();
        assertThat(stored.find(often.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    @Test
    void anEndpointHasOneReplayAtATimeAndNoneWhileDisabled() {
        endpoint.enable(false);
        replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").expectProblem(409, "endpoint_disabled");
        endpoint.enable(true);
        stored.insert(
                CollectionNames.REPLAYS,
                new Document("_id", UUID.randomUUID())
                        .append("endpoint", endpoint.id())
                        .append("leaseUntil", Date.from(Instant.now().plusSeconds(86_400))));

        replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z").expectProblem(409, "replay_running");
    }

    /** Its payload is not kept, and the merchant can send another one. */
    @Test
    void aTestEventIsNotReplayed() {
        DeliveryId id = delivery(DAY, DeliveryStatus.EXHAUSTED).id();
        Delivery ended = Delivery.ended(id, TestEvent.TYPE, DAY, DeliveryStatus.EXHAUSTED, List.of(), Instant.now());
        stored.insert(ended);

        Answer replayed = awaitEnd(replay("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z")
                .expect(202)
                .header("Location"));

        assertThat(replayed.json().path("looked_at").asInt()).isEqualTo(1);
        assertThat(replayed.json().path("scheduled").asInt()).isZero();
        assertThat(stored.find(ended.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    @Test
    void manyReplaysStartedAtOnceSendNothingTwice() {
        stored.insertAll(IntStream.range(0, 30)
                .mapToObj(i -> delivery(DAY.plusSeconds(i), DeliveryStatus.EXHAUSTED))
                .toList());

        List<CompletableFuture<Answer>> requests = IntStream.range(0, 20)
                .mapToObj(i -> merchant.api()
                        .postAsync(endpoint.path() + "/replay", range("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z")))
                .toList();
        List<Answer> answers = requests.stream().map(CompletableFuture::join).toList();
        int scheduled = answers.stream()
                .filter(answer -> answer.status() == 202)
                .mapToInt(started -> awaitEnd(started.header("Location"))
                        .json()
                        .path("scheduled")
                        .asInt())
                .sum();

        assertThat(answers).extracting(Answer::status).containsOnly(202, 409);
        assertThat(scheduled).isEqualTo(30);
    }

    /**
     * A replay of a minute of {@link #DAY} that has scheduled four deliveries so far.
     *
     * @param position the last delivery that was looked at
     */
    private Document running(Delivery position, Instant leaseUntil) {
        return new Document("_id", UuidV7.at(System.currentTimeMillis()))
                .append("endpoint", endpoint.id())
                .append("tenant", stored.endpoint(endpoint.id()).tenant().key())
                .append(
                        "request",
                        new Document("from", Date.from(DAY))
                                .append("to", Date.from(DAY.plusSeconds(60)))
                                .append("status", "UNDELIVERED"))
                .append("createdAt", new Date())
                .append("state", "RUNNING")
                .append("position", new Binary(position.id().bytes()))
                .append("looked", 4L)
                .append("scheduled", 4L)
                .append("leaseUntil", Date.from(leaseUntil));
    }

    private Answer replay(String from, String to) {
        return merchant.api().post(endpoint.path() + "/replay", range(from, to));
    }

    private static String range(String from, String to) {
        return "{\"from\":\"" + from + "\",\"to\":\"" + to + "\"}";
    }

    private Delivery delivery(Instant eventAt, DeliveryStatus status) {
        return Deliveries.ended(endpoint.id(), eventAt, status);
    }

    /** Stores a running replay and waits for its end. */
    private Answer endOf(Document running) {
        stored.insert(CollectionNames.REPLAYS, running);
        return awaitEnd(location(running));
    }

    private String location(Document replay) {
        return endpoint.path() + "/replays/" + replay.get("_id");
    }

    private Answer awaitEnd(String location) {
        await().atMost(SOON)
                .until(() ->
                        !merchant.api().get(location).expect(200).text("status").equals("running"));
        return merchant.api().get(location);
    }
}
