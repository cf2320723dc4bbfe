package dev.ligeiro.gateway.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredDeliveries;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.message.EventId;
import dev.ligeiro.testing.http.Answer;
import dev.ligeiro.testing.http.Api;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class DeliveryListIT {

    private static final String WEBHOOKS = "/api/v1/webhooks";
    private static final Instant AT = Instant.parse("2026-03-10T14:30:20.456Z");

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final StoredDeliveries database;
    private final UUID endpointId;
    private final String path;

    DeliveryListIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.database = new StoredDeliveries(gateway.database());
        this.endpointId = registered(merchant);
        this.path = WEBHOOKS + "/" + endpointId + "/deliveries";
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Neighbours in the order of the ids, which must never be shown. */
    @BeforeEach
    void otherEndpointsHaveDeliveriesToo() {
        for (DeliveryStatus status : DeliveryStatus.values()) {
            database.insert(delivery(new UUID(0, 0), 1, status));
            database.insert(delivery(new UUID(-1, -1), 1, status));
            database.insert(delivery(registered(gateway.newMerchant()), 1, status));
        }
    }

    @Test
    void aDeliveryShowsItsAttempts() {
        DeliveryId id = id(endpointId, 7);
        database.insert(new Delivery(
                id,
                "transaction.paid",
                AT,
                DeliveryStatus.SCHEDULED,
                List.of(
                        new Attempt(AT, AttemptOutcome.REJECTED, 500, Duration.ofMillis(12)),
                        new Attempt(AT.plusSeconds(5), AttemptOutcome.TIMED_OUT, null, Duration.ofSeconds(15))),
                AT.plusSeconds(300),
                null,
                new byte[] {'{', '}'}));

        Answer list = merchant.api().get(path).expect(200);

        assertThat(list.json().path("next_cursor").isNull()).isTrue();
        JsonNode delivery = list.json().path("deliveries").path(0);
        assertThat(delivery.propertyNames())
                .containsExactly(
                        "id", "event_id", "event_type", "transaction_id", "status", "next_attempt_at", "attempts");
        assertThat(delivery.path("event_id").stringValue())
                .isEqualTo(id.eventId().toString());
        assertThat(delivery.path("transaction_id").stringValue())
                .isEqualTo(id.eventId().transactionId().toString());
        assertThat(delivery.path("event_type").stringValue()).isEqualTo("transaction.paid");
        assertThat(delivery.path("status").stringValue()).isEqualTo("scheduled");
        assertThat(delivery.path("next_attempt_at").stringValue()).isEqualTo("2026-03-10 11:35:20");
        assertThat(delivery.path("attempts").toString())
                .isEqualTo(
                        "[{\"at\":\"2026-03-10 11:30:20\",\"outcome\":\"rejected\",\"status_code\":500,\"duration_ms\":12},"
                                + "{\"at\":\"2026-03-10 11:30:25\",\"outcome\":\"timed_out\",\"status_code\":null,"
                                + "\"duration_ms\":15000}]");
    }

    @Test
    void theNewestAreFirst100APage() {
        database.insertAll(numbers(250).stream()
                .map(number -> delivery(endpointId, number, DeliveryStatus.DELIVERED))
                .toList());

        List<Integer> sizes = new ArrayList<>();
        List<Integer> shown = pages(path, sizes);

        assertThat(sizes).containsExactly(100, 100, 50);
        assertThat(shown).containsExactlyElementsOf(descending(numbers(250)));
    }

    @ParameterizedTest
    @EnumSource(StatusFilter.class)
    void aStatusSelects(StatusFilter filter) {
        DeliveryStatus[] statuses = DeliveryStatus.values();
        database.insertAll(numbers(40).stream()
                .map(number -> delivery(endpointId, number, statuses[number % statuses.length]))
                .toList());

        List<Integer> shown = pages(path + "?status=" + filter.code(), new ArrayList<>());

        assertThat(shown)
                .containsExactlyElementsOf(descending(numbers(40).stream()
                        .filter(number -> filter.statuses().contains(statuses[number % statuses.length].code()))
                        .toList()));
    }

    /** 2,500 deliveries: a page looks at no more than 1,000, and says where the next one begins. */
    @Test
    void fewDeliveredAmongManyGiveShortPages() {
        database.insertAll(numbers(2_500).stream()
                .map(number ->
                        delivery(endpointId, number, number == 1 ? DeliveryStatus.DELIVERED : DeliveryStatus.CANCELED))
                .toList());

        List<Integer> sizes = new ArrayList<>();
        assertThat(pages(path + "?status=delivered", sizes)).containsExactly(1);
        assertThat(sizes).containsExactly(0, 0, 1);
        assertThat(merchant.api()
                        .get(path + "?status=undelivered")
                        .json()
                        .path("deliveries")
                        .size())
                .isEqualTo(100);
    }

    /** A status and an outcome of a newer dispatcher. */
    @Test
    void wordsOfANewerVersionAreShownAsTheyAre() {
        Delivery delivery = delivery(endpointId, 1, DeliveryStatus.EXHAUSTED);
        database.insert(delivery);
        database.set(delivery.id(), new Document("status", "parked").append("attempts.0.outcome", "overheard"));

        JsonNode shown =
                merchant.api().get(path).expect(200).json().path("deliveries").path(0);

        assertThat(shown.path("status").stringValue()).isEqualTo("parked");
        assertThat(shown.path("attempts").path(0).path("outcome").stringValue()).isEqualTo("overheard");
    }

    @ParameterizedTest
    @CsvSource({
        "status=lost, status:invalid",
        "status=DELIVERED, status:invalid",
        "page=2, page:unknown",
        "after=a&after=b, after:repeated",
        "after=x, after:invalid",
        "after=dlv_, after:invalid",
        "after=dlv_AAAA, after:invalid",
        "after=2026-03-10, after:invalid"
    })
    void aWrongParameterIsAFieldError(String query, String error) {
        assertThat(merchant.api()
                        .get(path + "?" + query)
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .contains(error);
    }

    @Test
    void aCursorOfAnotherEndpointOrMadeUpIsAFieldError() {
        String own = DeliveryKey.text(id(endpointId, 1));
        List<String> foreign = List.of(
                DeliveryKey.text(id(registered(merchant), 1)),
                DeliveryKey.text(id(registered(gateway.newMerchant()), 1)),
                "dlv_" + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[36]),
                own + "=",
                own.substring(0, own.length() - 1),
                own.substring(4));

        assertThat(foreign).allSatisfy(cursor -> assertThat(merchant.api()
                        .get(path + "?after=" + cursor)
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("after:invalid"));
        merchant.api().get(path + "?after=" + own).expect(200);
    }

    @Test
    void anotherMerchantsDeliveriesDoNotExist() {
        database.insert(delivery(endpointId, 1, DeliveryStatus.EXHAUSTED));
        Api other = gateway.newMerchant().api();

        other.get(path).expectProblem(404, "not_found");
        other.postNothing(path + "/" + DeliveryKey.text(id(endpointId, 1)) + "/redeliver")
                .expectProblem(404, "not_found");
        merchant.api().get(WEBHOOKS + "/x/deliveries").expectProblem(404, "not_found");
    }

    @ParameterizedTest
    @EnumSource(
            value = DeliveryStatus.class,
            names = {"DELIVERED", "EXHAUSTED", "CANCELED"})
    void anEndedDeliveryIsScheduledAgainAndItsLaneIsDue(DeliveryStatus status) {
        Delivery ended = delivery(endpointId, 1, status);
        database.insert(ended);

        Answer answer = redeliver(ended.id()).expect(202);

        assertThat(answer.text("id")).isEqualTo(DeliveryKey.text(ended.id()));
        assertThat(answer.text("status")).isEqualTo("scheduled");
        Delivery stored = database.find(ended.id());
        assertThat(stored.status()).isEqualTo(DeliveryStatus.SCHEDULED);
        assertThat(stored.nextAttemptAt()).isNotNull();
        assertThat(stored.attempts()).isEqualTo(ended.attempts());
        assertThat(database.lane(endpointId).dueAt()).isEqualTo(stored.nextAttemptAt());
        assertThat(database.document(ended.id())).containsKey("endpoint").doesNotContainKey("endedAt");
    }

    @Test
    void aScheduledDeliveryComesForward() {
        Delivery later = new Delivery(
                id(endpointId, 1),
                "transaction.paid",
                AT,
                DeliveryStatus.SCHEDULED,
                List.of(new Attempt(AT, AttemptOutcome.REJECTED, 500, Duration.ZERO)),
                Instant.now().plusSeconds(86_400),
                null,
                null);
        database.insert(later);

        redeliver(later.id()).expect(202);
        redeliver(later.id()).expect(202);

        assertThat(database.find(later.id()).nextAttemptAt())
                .isBefore(Instant.now().plusSeconds(60));
        assertThat(database.lane(endpointId).marks()).isEqualTo(2);
    }

    @Test
    void aDeliveryWhoseAttemptIsRunningStaysAsItIs() {
        Instant lease = Instant.ofEpochMilli(System.currentTimeMillis() + 60_000);
        Delivery running = new Delivery(
                id(endpointId, 1), "transaction.paid", AT, DeliveryStatus.SCHEDULED, List.of(), lease, null, null);
        database.insert(running);

        redeliver(running.id()).expect(202);

        assertThat(database.find(running.id()).nextAttemptAt()).isEqualTo(lease);
    }

    @Test
    void aDisabledEndpointOrTooManyAttemptsAreAConflict() {
        Delivery often = Delivery.ended(
                id(endpointId, 1),
                "transaction.paid",
                AT,
                DeliveryStatus.EXHAUSTED,
                Collections.nCopies(100, new Attempt(AT, AttemptOutcome.REJECTED, 500, Duration.ZERO)),
                AT);
        database.insert(often);
        redeliver(often.id()).expectProblem(409, "too_many_attempts");

        merchant.api().patch(WEBHOOKS + "/" + endpointId, "{\"enabled\":false}").expect(200);
        redeliver(often.id()).expectProblem(409, "endpoint_disabled");
        assertThat(database.find(often.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "dlv_AAAA", "019cd831-1973-7abc-9def-0123456789ab"})
    void anUnknownDeliveryIsNotFound(String id) {
        merchant.api().postNothing(path + "/" + id + "/redeliver").expectProblem(404, "not_found");
        redeliver(id(endpointId, 999)).expectProblem(404, "not_found");
        redeliver(id(registered(merchant), 1)).expectProblem(404, "not_found");
    }

    private Answer redeliver(DeliveryId id) {
        return merchant.api().postNothing(path + "/" + DeliveryKey.text(id) + "/redeliver");
    }

    private static UUID registered(TestMerchant merchant) {
        return UUID.fromString(merchant.api()
                .post(WEBHOOKS, "{\"url\":\"https://example.com/\"}")
                .expect(201)
                .text("id"));
    }

    /** The numbers of the transactions on all pages; adds the size of each page to {@code sizes}. */
    private List<Integer> pages(String first, List<Integer> sizes) {
        List<Integer> shown = new ArrayList<>();
        String next = first;
        while (next != null) {
            JsonNode page = merchant.api().get(next).expect(200).json();
            sizes.add(page.path("deliveries").size());
            page.path("deliveries").forEach(delivery -> shown.add(number(delivery)));
            JsonNode cursor = page.path("next_cursor");
            next = cursor.isNull() ? null : first + (first.contains("?") ? "&" : "?") + "after=" + cursor.stringValue();
        }
        return shown;
    }

    private static int number(JsonNode delivery) {
        return (int)
                UUID.fromString(delivery.path("transaction_id").stringValue()).getLeastSignificantBits();
    }

    private static List<Integer> numbers(int count) {
        return IntStream.rangeClosed(1, count).boxed().toList();
    }

    private static List<Integer> descending(List<Integer> numbers) {
        List<Integer> descending = new ArrayList<>(numbers);
        Collections.reverse(descending);
        return descending;
    }

    private static Delivery delivery(UUID endpointId, int number, DeliveryStatus status) {
        DeliveryId id = id(endpointId, number);
        List<Attempt> attempts = List.of(new Attempt(AT, AttemptOutcome.REJECTED, 500, Duration.ofMillis(3)));
        return status == DeliveryStatus.SCHEDULED
                ? Delivery.due(id, "transaction.paid", AT, AT, null)
                : Delivery.ended(id, "transaction.paid", AT, status, attempts, Instant.now());
    }

    /** The event of a transaction that is newer the higher its number is. */
    private static DeliveryId id(UUID endpointId, int number) {
        UUID transaction = new UUID(0x019cd831_1973_7abcL, 0x9def_0000_0000_0000L + number);
        return new DeliveryId(endpointId, new EventId(new TransactionId(transaction), 2));
    }
}
