package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredWebhooks;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code OtherMerchantIT} has the endpoints of another merchant or mode. */
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
        for (String path : List.of("", "/deliveries")) {
            merchant.api().get(TestEndpoint.ALL + "/" + undecodable + path).expectProblem(503, "unavailable");
        }
        for (String path : List.of("/test", "/rotate-secret")) {
            merchant.api()
                    .postNothing(TestEndpoint.ALL + "/" + undecodable + path)
                    .expectProblem(503, "unavailable");
        }
        merchant.api()
                .patch(TestEndpoint.ALL + "/" + undecodable, "{\"enabled\":true}")
                .expectProblem(503, "unavailable");
        merchant.api().delete(TestEndpoint.ALL + "/" + undecodable).expect(204);
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

        Api.send(merchant.api()
                        .request(endpoint.path() + path.formatted(delivery))
                        .method(method, BodyPublishers.noBody()))
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
}
