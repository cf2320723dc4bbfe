package dev.ligeiro.gateway.api.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.ligeiro.gateway.api.feed.FeedPage.Place;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.EventId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The feed over HTTP. The test numbers deliveries, as the dispatcher does. */
class FeedIT extends WithGateway {

    private static final String EVENTS = "/api/v1/events";

    private final String beginning;
    private final UUID feedId;

    FeedIT() {
        this.beginning = next(read(""));
        this.feedId = Place.parse(beginning).feedId();
    }

    @Test
    void anEventHasTheFieldsOfItsWebhook() {
        String id = merchant.created(merchant.cashin());
        stored.move(id, Status.PAID);
        EventId created = deliver(id, 1, 1);
        EventId paid = deliver(id, 2, 2);

        JsonNode page = read("?after=" + beginning);

        assertThat(ids(page)).containsExactly(created.toString(), paid.toString());
        JsonNode first = page.path("events").path(0);
        assertThat(first.propertyNames()).containsExactly("id", "type", "timestamp", "data");
        assertThat(first.path("type").stringValue()).isEqualTo("transaction.created");
        assertThat(first.path("data").path("status").stringValue()).isEqualTo("pending");
        assertThat(first.path("data").path("previous_status").isNull()).isTrue();
        JsonNode second = page.path("events").path(1);
        assertThat(second.path("type").stringValue()).isEqualTo("transaction.paid");
        assertThat(Instant.parse(second.path("timestamp").stringValue())).isBefore(Instant.now());
        assertThat(second.path("data").path("id").stringValue()).isEqualTo(id);
        assertThat(second.path("data").path("status").stringValue()).isEqualTo("paid");
        assertThat(second.path("data").path("previous_status").stringValue()).isEqualTo("pending");
        assertThat(second.path("data").path("sequence").intValue()).isEqualTo(2);
        assertThat(second.path("data").propertyNames()).contains("qr_code").doesNotContain("qr_code_image");
    }

    @Test
    void pagesFollowEachOtherAndTheLastOneGivesTheCursorToPollWith() {
        String id = merchant.created(merchant.cashin());
        stored.move(id, Status.IN_ANALYSIS, Status.PAID);
        for (int number = 1; number <= 3; number++) {
            deliver(id, number, number);
        }

        JsonNode first = read("?limit=2");
        JsonNode second = read("?limit=2&after=" + next(first));
        assertThat(ids(first)).hasSize(2);
        assertThat(ids(second)).hasSize(1);
        assertThat(Stream.concat(ids(first).stream(), ids(second).stream())).doesNotHaveDuplicates();
        assertThat(ids(read("?after=" + next(second)))).isEmpty();
        assertThat(next(read("?after=" + next(second)))).isEqualTo(next(second));

        // stored before the others, and numbered late
        String late = merchant.created(merchant.cashin());
        deliver(late, 1, 4);
        assertThat(ids(read("?after=" + next(second))))
                .containsExactly(event(late, 1).toString());
    }

    /** A newer version has written one transaction. */
    @Test
    void eventsThatCannotBeReadAreLeftOutAndTheReaderGoesOn() {
        String unreadable = merchant.created(merchant.cashin());
        String readable = merchant.created(merchant.cashin());
        EventId left = deliver(unreadable, 1, 1);
        stored.distort(stored.find(unreadable), Updates.set(TransactionFields.OPERATION, "melted"));
        EventId shown = deliver(readable, 1, 2);

        try (CapturedLogs logs = new CapturedLogs()) {
            JsonNode page = read("?after=" + beginning);
            assertThat(ids(page)).containsExactly(shown.toString());
            assertThat(Place.parse(next(page)).number()).isEqualTo(2);
            assertThat(logs.errors())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains("feed_event_missing", feedId.toString(), left.toString())
                    .doesNotContain("melted");
        }
    }

    @Test
    void anEventWithoutANumberIsNotShown() {
        String id = merchant.created(merchant.cashin());
        Instant now = Instant.now();
        stored.insert(Delivery.due(new DeliveryId(feedId, event(id, 1)), "transaction.created", now, now, null));
        assertThat(ids(read(""))).isEmpty();
    }

    @Test
    void requestsAtTheSameTimeMakeOneFeed() {
        TestMerchant other = gateway.newMerchant();
        List<CompletableFuture<String>> requests = IntStream.range(0, 20)
                .mapToObj(any -> CompletableFuture.supplyAsync(
                        () -> next(other.api().get(EVENTS).expect(200).json())))
                .toList();
        List<String> cursors =
                requests.stream().map(CompletableFuture::join).distinct().toList();
        assertThat(cursors).hasSize(1);
        UUID id = Place.parse(cursors.get(0)).feedId();
        long tenant = stored.endpoint(id).tenant().key();
        assertThat(stored.all(CollectionNames.ENDPOINTS))
                .filteredOn(endpoint -> endpoint.getLong("tenant") == tenant)
                .singleElement()
                .satisfies(feed -> assertThat(feed).containsEntry("kind", "pull"));
    }

    @Test
    void theFeedIsNoWebhookEndpoint() {
        Api api = merchant.api();
        assertThat(api.get("/api/v1/webhooks").expect(200).json().path("webhooks"))
                .isEmpty();
        String path = "/api/v1/webhooks/" + feedId;
        api.get(path).expect(404);
        api.get(path + "/deliveries").expect(404);
        api.postNothing(path + "/test").expect(404);
        api.postNothing(path + "/rotate-secret").expect(404);
        api.patch(path, "{\"enabled\":false}").expect(404);
        api.delete(path).expect(404);
        // nor does it take one of the 20 slots
        for (int i = 0; i < 20; i++) {
            api.post("/api/v1/webhooks", "{\"url\":\"https://shop.example/hooks\"}")
                    .expect(201);
        }
        assertThat(ids(read("?after=" + beginning))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "after=258",
                "after=cur_AZzYJ9VTeryd7wEjRWeJrAAAAAAAAAEC",
                "after=THE_END_PLUS_ONE",
                "after=OF_ANOTHER_MERCHANT",
                "after=OF_A_DELIVERY",
                "limit=0",
                "limit=101",
                "limit=-1",
                "limit=1.5",
                "limit=ten",
                "limit=1&limit=1",
                "page=2",
                "Limit=2",
            })
    void badInputIsAFieldError(String query) {
        String cursor = new Place(feedId, 1).cursor();
        String sent = query.replace("THE_END_PLUS_ONE", cursor)
                .replace("OF_A_DELIVERY", "dlv_" + cursor.substring(4))
                .replace(
                        "OF_ANOTHER_MERCHANT",
                        next(gateway.newMerchant().api().get(EVENTS).json()));

        Answer refused = merchant.api().get(EVENTS + "?" + sent).expect(422);

        assertThat(refused.json().path("code").stringValue()).isEqualTo("validation_failed");
        assertThat(refused.json().path("errors")).singleElement().satisfies(error -> assertThat(
                        error.path("field").stringValue())
                .isEqualTo(query.substring(0, query.indexOf('='))));
    }

    /** A cursor does not make a feed. */
    @Test
    void aCursorWithoutAFeedIsAFieldError() {
        TestMerchant other = gateway.newMerchant();
        other.api().get(EVENTS + "?after=" + beginning).expect(422);
        assertThat(next(other.api().get(EVENTS).expect(200).json())).isNotEqualTo(beginning);
    }

    /** Numbers an event of a transaction, as the dispatcher does. */
    private EventId deliver(String transactionId, int sequence, long number) {
        EventId event = event(transactionId, sequence);
        stored.number(beginning, event, number);
        return event;
    }

    private static EventId event(String transactionId, int sequence) {
        return new EventId(TransactionId.parse(transactionId).orElseThrow(), sequence);
    }

    private JsonNode read(String query) {
        return merchant.api().get(EVENTS + query).expect(200).json();
    }

    private static String next(JsonNode page) {
        return page.path("next_cursor").stringValue();
    }

    private static List<String> ids(JsonNode page) {
        return page.path("events")
                .valueStream()
                .map(event -> event.path("id").stringValue())
                .toList();
    }
}
