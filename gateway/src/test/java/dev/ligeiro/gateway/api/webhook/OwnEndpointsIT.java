package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** On every route an endpoint, delivery or replay of another merchant or mode is answered as one that does not exist. */
@ExtendWith(SharedGateway.class)
class OwnEndpointsIT {

    private final TestMerchant merchant;
    private final StoredWebhooks database;
    private final TestEndpoint endpoint;

    OwnEndpointsIT(TestMerchant merchant, StoredWebhooks database) {
        this.merchant = merchant;
        this.database = database;
        this.endpoint = TestEndpoint.of(merchant);
    }

    /** The document of one is damaged. */
    @Test
    void anEndpointThatCannotBeDecodedIsLeftOutOfTheListAndCanBeDeleted() {
        UUID undecodable = UUID.randomUUID();
        database.insert(
                CollectionNames.ENDPOINTS,
                new Document("_id", undecodable)
                        .append(
                                EndpointFields.TENANT,
                                database.endpoint(endpoint.id()).tenant().key())
                        .append(EndpointFields.URL, 7));

        JsonNode list = merchant.api().get(TestEndpoint.ALL).expect(200).json().path("webhooks");

        assertThat(list.valueStream().map(each -> each.path("id").stringValue()))
                .contains(endpoint.id().toString())
                .doesNotContain(undecodable.toString());
        merchant.api().delete(TestEndpoint.ALL + "/" + undecodable).expect(204);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "GET    |                        | -",
                "PATCH  |                        | {\"enabled\":false}",
                "DELETE |                        | -",
                "POST   | /rotate-secret         | -",
                "POST   | /test                  | -",
                "GET    | /deliveries            | -",
                "POST   | /deliveries/%1$s/redeliver | -",
                "POST   | /replay                | {\"from\":\"2026-03-10T00:00:00Z\",\"to\":\"2026-03-11T00:00:00Z\"}",
                "GET    | /replays/%2$s          | -",
            })
    void anotherMerchantsIsNotFound(String method, @Nullable String path, @Nullable String body) {
        Delivery missed = Deliveries.delivery(Deliveries.id(endpoint.id(), 1), DeliveryStatus.EXHAUSTED);
        String delivery = insert(missed);
        Answer replay = merchant.api()
                .post(
                        endpoint.path() + "/replay",
                        "{\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2020-01-02T00:00:00Z\"}")
                .expect(202);
        WebhookEndpoint before = database.endpoint(endpoint.id());
        String below = path == null ? "" : path.formatted(delivery, replay.text("id"));

        for (Api other : List.of(merchant.gateway().newMerchant().api(), live())) {
            List<String> details = Stream.of(
                            endpoint.id().toString(), UUID.randomUUID().toString(), "x")
                    .map(id -> send(other, method, TestEndpoint.ALL + "/" + id + below, body)
                            .expectProblem(404, "not_found")
                            .text("detail"))
                    .distinct()
                    .toList();
            assertThat(details).containsExactly("You have no webhook endpoint with this id");
        }

        assertThat(database.endpoint(endpoint.id())).isEqualTo(before);
        assertThat(database.find(missed.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
        assertThat(database.count(endpoint.id(), DeliveryStatus.SCHEDULED)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /deliveries",
        "POST, /test",
        "POST, /rotate-secret",
        "POST, /deliveries/%s/redeliver",
    })
    void aDeletedEndpointIsNotFoundAndItsDeliveriesStayAsTheyAre(String method, String path) {
        Delivery missed = Deliveries.delivery(Deliveries.id(endpoint.id(), 1), DeliveryStatus.EXHAUSTED);
        String delivery = insert(missed);
        merchant.api().delete(endpoint.path()).expect(204);

        send(merchant.api(), method, endpoint.path() + path.formatted(delivery), null)
                .expectProblem(404, "not_found");

        assertThat(database.find(missed.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    /** Returns the delivery's id in the API. */
    private String insert(Delivery delivery) {
        database.insert(delivery);
        return merchant.api()
                .get(endpoint.deliveries())
                .json()
                .at("/deliveries/0/id")
                .stringValue();
    }

    /** The merchant's own key of the other mode. */
    private Api live() {
        return merchant.live().api();
    }

    private static Answer send(Api api, String method, String path, @Nullable String body) {
        return Api.send(
                body == null
                        ? api.request(path).method(method, BodyPublishers.noBody())
                        : api.json(method, path, body));
    }
}
