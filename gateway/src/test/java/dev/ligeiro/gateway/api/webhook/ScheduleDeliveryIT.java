package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.fixture.Deliveries.delivery;
import static dev.ligeiro.fixture.Deliveries.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DeliveryCodec;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleDeliveryIT extends WithGateway {

    private final TestEndpoint endpoint;

    ScheduleDeliveryIT() {
        this.endpoint = TestEndpoint.of(merchant);
    }

    @ParameterizedTest
    @EnumSource(
            value = DeliveryStatus.class,
            names = {"DELIVERED", "EXHAUSTED", "CANCELED"})
    void anEndedDeliveryIsScheduledAgainAndItsLaneIsDue(DeliveryStatus status) {
        Delivery ended = delivery(id(endpoint.id(), 1), status);
        stored.insert(ended);

        Answer answer = redeliver(ended.id()).expect(202);

        assertThat(answer.text("id")).isEqualTo(ended.id().text());
        assertThat(answer.text("status")).isEqualTo("scheduled");
        Delivery found = stored.find(ended.id());
        assertThat(found.status()).isEqualTo(DeliveryStatus.SCHEDULED);
        assertThat(found.nextAttemptAt()).isNotNull();
        assertThat(found.attempts()).isEqualTo(ended.attempts());
        assertThat(stored.lane(endpoint.id()).dueAt()).isEqualTo(found.nextAttemptAt());
        assertThat(stored.document(ended.id())).containsKey("endpoint").doesNotContainKey("endedAt");
    }

    @Test
    void aScheduledDeliveryComesForward() {
        Delivery later = Deliveries.retried(id(endpoint.id(), 1), Instant.now().plusSeconds(86_400));
        stored.insert(later);

        redeliver(later.id()).expect(202);
        Instant first = stored.find(later.id()).nextAttemptAt();
        redeliver(later.id()).expect(202);

        assertThat(first).isBefore(merchant.gateway().clock().instant().plusSeconds(60));
        assertThat(stored.find(later.id()).nextAttemptAt()).isEqualTo(first);
        assertThat(stored.lane(endpoint.id()).marks()).isEqualTo(2);
    }

    /** The dispatcher attempts the deliveries of an endpoint in the order of their due times. */
    @Test
    void itComesBeforeTheEndpointsBacklog() {
        Instant oldest = Deliveries.AT.minusSeconds(3_600);
        stored.insertAll(List.of(
                delivery(id(endpoint.id(), 1), DeliveryStatus.SCHEDULED),
                Deliveries.retried(id(endpoint.id(), 2), oldest),
                delivery(id(endpoint.id(), 3), DeliveryStatus.EXHAUSTED)));

        redeliver(id(endpoint.id(), 3)).expect(202);

        assertThat(stored.find(id(endpoint.id(), 3)).nextAttemptAt()).isEqualTo(oldest.minusMillis(1));
    }

    /** Sorted by time, it would be the first one. */
    @Test
    void aScheduledDeliveryWithoutATimeStopsNoOtherOne() {
        stored.insert(
                CollectionNames.DELIVERIES,
                new Document("_id", DeliveryCodec.binary(id(endpoint.id(), 1)))
                        .append("status", "scheduled")
                        .append("endpoint", TransactionCodec.binary(endpoint.id())));
        stored.insertAll(List.of(
                Deliveries.retried(id(endpoint.id(), 2), Deliveries.AT),
                delivery(id(endpoint.id(), 3), DeliveryStatus.EXHAUSTED)));

        redeliver(id(endpoint.id(), 3)).expect(202);
        merchant.api().postNothing(endpoint.path() + "/test").expect(202);

        assertThat(stored.find(id(endpoint.id(), 3)).nextAttemptAt()).isEqualTo(Deliveries.AT.minusMillis(1));
    }

    @Test
    void aDeliveryWhoseAttemptIsRunningStaysAsItIs() {
        Instant lease = merchant.gateway().clock().instant().plusSeconds(600).truncatedTo(ChronoUnit.MILLIS);
        Delivery running = Delivery.due(id(endpoint.id(), 1), "transaction.paid", Deliveries.AT, lease, null);
        stored.insert(running);

        redeliver(running.id()).expect(202);

        assertThat(stored.find(running.id()).nextAttemptAt()).isEqualTo(lease);
    }

    @Test
    void ofManyRequestsAtOnceForOneDeliveryEachSeesItScheduledOnce() {
        Delivery ended = delivery(id(endpoint.id(), 1), DeliveryStatus.EXHAUSTED);
        stored.insert(ended);
        String path = endpoint.deliveries() + "/" + ended.id().text() + "/redeliver";

        List<CompletableFuture<Answer>> answers = IntStream.range(0, 20)
                .mapToObj(i -> merchant.api().postAsync(path, ""))
                .toList();

        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.join().expect(202).text("status")).isEqualTo("scheduled"));
        assertThat(answers.stream().map(answer -> answer.join().text("next_attempt_at")))
                .containsOnly(answers.get(0).join().text("next_attempt_at"));
        assertThat(stored.find(ended.id()).attempts()).isEqualTo(ended.attempts());
    }

    @Test
    void aDisabledEndpointOrTooManyAttemptsAreAConflict() {
        Delivery often = Deliveries.attempted(id(endpoint.id(), 1), 100);
        stored.insert(often);
        redeliver(often.id()).expectProblem(409, "too_many_attempts");

        endpoint.enable(false);
        redeliver(often.id()).expectProblem(409, "endpoint_disabled");
        assertThat(stored.find(often.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "dlv_", "dlv_AAAA", "019cd831-1973-7abc-9def-0123456789ab", "%7B%22$ne%22:1%7D"})
    void aMalformedIdIsNotFound(String id) {
        merchant.api()
                .postNothing(endpoint.deliveries() + "/" + id + "/redeliver")
                .expectProblem(404, "not_found");
    }

    @Test
    void anUnknownDeliveryAndOneOfAnotherEndpointAreNotFound() {
        Delivery foreign = delivery(id(TestEndpoint.of(merchant).id(), 1), DeliveryStatus.EXHAUSTED);
        stored.insert(foreign);

        redeliver(id(endpoint.id(), 999)).expectProblem(404, "not_found");
        redeliver(foreign.id()).expectProblem(404, "not_found");
        assertThat(stored.find(foreign.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    @Test
    void aTestEventIsADelivery() {
        Answer sent = sendTestEvent().expect(202);

        assertThat(sent.text("event_type")).isEqualTo("webhook.test");
        assertThat(sent.text("status")).isEqualTo("scheduled");
        assertThat(sent.text("transaction_id")).isEmpty();
        Delivery found = stored(sent);
        assertThat(new String(found.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"type\":\"webhook.test\",\"timestamp\":\"" + found.eventAt()
                        + "\",\"data\":{\"webhook_endpoint_id\":\"" + endpoint.id() + "\"}}");
        assertThat(found.nextAttemptAt()).isEqualTo(found.eventAt());
        assertThat(stored.lane(endpoint.id()).dueAt()).isEqualTo(found.nextAttemptAt());
    }

    @Test
    void aRedeliveredTestEventHasItsPayloadAgain() {
        Answer sent = sendTestEvent().expect(202);
        Delivery first = stored(sent);
        stored.insert(Delivery.ended(
                first.id(), "webhook.test", first.eventAt(), DeliveryStatus.EXHAUSTED, List.of(), Instant.now()));

        merchant.api()
                .postNothing(endpoint.deliveries() + "/" + sent.text("id") + "/redeliver")
                .expect(202);

        assertThat(stored(sent).body()).isEqualTo(first.body());
    }

    /** The person who asks for it does not wait for the endpoint's backlog. */
    @Test
    void aTestEventComesBeforeTheEndpointsBacklog() {
        stored.insert(delivery(Deliveries.id(endpoint.id(), 1), DeliveryStatus.SCHEDULED));

        Delivery first = stored(sendTestEvent().expect(202));
        Delivery second = stored(sendTestEvent().expect(202));

        assertThat(first.nextAttemptAt()).isEqualTo(Deliveries.AT.minusMillis(1));
        assertThat(second.nextAttemptAt()).isEqualTo(Deliveries.AT.minusMillis(2));
        assertThat(stored.lane(endpoint.id()).dueAt())
                .isBeforeOrEqualTo(merchant.gateway().clock().instant());
    }

    @Test
    void aDisabledEndpointGetsNoTestEvent() {
        endpoint.enable(false);

        sendTestEvent().expectProblem(409, "endpoint_disabled");

        assertThat(stored.count(endpoint.id(), DeliveryStatus.SCHEDULED)).isZero();
    }

    private Answer sendTestEvent() {
        return merchant.api().postNothing(endpoint.path() + "/test");
    }

    private Delivery stored(Answer sent) {
        return stored.find(DeliveryId.parse(sent.text("id"), endpoint.id()));
    }

    private Answer redeliver(DeliveryId id) {
        return merchant.api().postNothing(endpoint.deliveries() + "/" + id.text() + "/redeliver");
    }
}
