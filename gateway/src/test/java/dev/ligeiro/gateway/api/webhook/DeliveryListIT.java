package dev.ligeiro.gateway.api.webhook;

import static dev.ligeiro.fixture.Deliveries.AT;
import static dev.ligeiro.fixture.Deliveries.delivery;
import static dev.ligeiro.fixture.Deliveries.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.Origin;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.StatusFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class DeliveryListIT extends WithGateway {

    private final TestEndpoint endpoint;
    private final String path;

    DeliveryListIT() {
        this.endpoint = TestEndpoint.of(merchant);
        this.path = endpoint.deliveries();
    }

    /** Neighbours in the order of the ids, which must never be shown. */
    @BeforeEach
    void otherEndpointsHaveDeliveriesToo() {
        UUID other = TestEndpoint.of(gateway.newMerchant()).id();
        for (DeliveryStatus status : DeliveryStatus.values()) {
            stored.insert(delivery(id(new UUID(0, 0), status.ordinal()), status));
            stored.insert(delivery(id(new UUID(-1, -1), status.ordinal()), status));
            stored.insert(delivery(id(other, status.ordinal()), status));
        }
    }

    @Test
    void aDeliveryShowsItsAttempts() {
        DeliveryId id = id(endpoint.id(), 7);
        stored.insert(new Delivery(
                id,
                "transaction.paid",
                AT,
                DeliveryStatus.SCHEDULED,
                List.of(
                        new Attempt(AT, AttemptOutcome.REJECTED, 500, Duration.ofMillis(12), "<b>\"down\""),
                        new Attempt(AT.plusSeconds(5), AttemptOutcome.TIMED_OUT, null, Duration.ofSeconds(15))),
                AT.plusSeconds(300),
                null,
                new byte[] {'{', '}'},
                Origin.NONE));

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
                        "[{\"at\":\"2026-03-10 11:30:20\",\"outcome\":\"rejected\",\"status_code\":500,\"duration_ms\":12,"
                                + "\"response\":\"<b>\\\"down\\\"\"},"
                                + "{\"at\":\"2026-03-10 11:30:25\",\"outcome\":\"timed_out\",\"status_code\":null,"
                                + "\"duration_ms\":15000,\"response\":null}]");
    }

    @Test
    void theNewestAreFirst100APage() {
        stored.insertAll(numbers(250).stream()
                .map(number -> delivery(id(endpoint.id(), number), DeliveryStatus.DELIVERED))
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
        stored.insertAll(numbers(40).stream()
                .map(number -> delivery(id(endpoint.id(), number), statuses[number % statuses.length]))
                .toList());

        List<Integer> shown = pages(path + "?status=" + filter.code(), new ArrayList<>());

        assertThat(shown)
                .containsExactlyElementsOf(descending(numbers(40).stream()
                        .filter(number -> filter.statuses().contains(statuses[number % statuses.length].code()))
                        .toList()));
    }

    /** 750 deliveries: a page looks at no more than 300, and says where the next one begins. */
    @Test
    void fewDeliveredAmongManyGiveShortPages() {
        stored.insertAll(numbers(750).stream()
                .map(number -> delivery(
                        id(endpoint.id(), number), number == 1 ? DeliveryStatus.DELIVERED : DeliveryStatus.CANCELED))
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
        Delivery delivery = delivery(id(endpoint.id(), 1), DeliveryStatus.EXHAUSTED);
        stored.insert(delivery);
        stored.set(delivery.id(), new Document("status", "parked").append("attempts.0.outcome", "overheard"));

        JsonNode shown =
                merchant.api().get(path).expect(200).json().path("deliveries").path(0);

        assertThat(shown.path("status").stringValue()).isEqualTo("parked");
        assertThat(shown.path("attempts").path(0).path("outcome").stringValue()).isEqualTo("overheard");
    }

    /** The last one of the first page, and a whole page of them. */
    @Test
    void deliveriesThatCannotBeDecodedAreLeftOutAndTheirNeighboursAreShown() {
        stored.insertAll(numbers(350).stream()
                .map(number -> delivery(id(endpoint.id(), number), DeliveryStatus.EXHAUSTED))
                .toList());
        List<Integer> undecodable = new ArrayList<>(List.of(251));
        IntStream.rangeClosed(51, 200).forEach(undecodable::add);
        undecodable.forEach(number -> stored.set(id(endpoint.id(), number), new Document("eventAt", "yesterday")));
        List<Integer> others = new ArrayList<>(descending(numbers(350)));
        others.removeAll(undecodable);

        assertThat(pages(path, new ArrayList<>())).containsExactlyElementsOf(others);
        assertThat(pages(path + "?status=exhausted", new ArrayList<>())).containsExactlyElementsOf(others);
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
        String own = id(endpoint.id(), 1).text();
        List<String> foreign = List.of(
                id(TestEndpoint.of(merchant).id(), 1).text(),
                id(TestEndpoint.of(gateway.newMerchant()).id(), 1).text(),
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

    /** A cursor is a position among the endpoint's own deliveries; one that no page has given shows no others. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, 2, Integer.MAX_VALUE})
    void aPositionWithoutADeliveryShowsOnlyOwnOnes(int number) {
        stored.insert(delivery(id(endpoint.id(), 1), DeliveryStatus.EXHAUSTED));

        List<Integer> shown = pages(path + "?after=" + id(endpoint.id(), number).text(), new ArrayList<>());

        assertThat(shown).isEqualTo(number == 2 || number == Integer.MAX_VALUE ? List.of(1) : List.of());
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
}
