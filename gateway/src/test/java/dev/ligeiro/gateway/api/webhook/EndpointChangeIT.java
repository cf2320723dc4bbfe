package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class EndpointChangeIT extends WithGateway {

    private final TestEndpoint endpoint;

    EndpointChangeIT() {
        this.endpoint = TestEndpoint.of(merchant);
    }

    @Test
    void onlyTheGivenFieldsChange() {
        patch("{\"description\":\"shop\",\"headers\":{\"X-Team\":\"a\"}}").expect(200);

        Answer changed = patch("{\"url\":\"https://example.com/2\",\"headers\":{\"Authorization\":\"Basic YTpi\"}}")
                .expect(200);

        assertThat(changed.text("url")).isEqualTo("https://example.com/2");
        assertThat(changed.text("description")).isEqualTo("shop");
        assertThat(headerNames(changed)).containsExactly("authorization", "x-team");
        assertThat(changed.body()).doesNotContain("secret", "Basic");
        List<String> secrets = stored.secrets(endpoint.id());
        assertThat(patch("{\"id\":7,\"secret\":null,\"nonsense\":{\"a\":[]}}")
                        .expect(422)
                        .fieldErrors())
                .containsExactly("id:unknown_field", "secret:unknown_field", "nonsense:unknown_field");
        assertThat(show().body()).isEqualTo(changed.body());
        assertThat(stored.secrets(endpoint.id())).isEqualTo(secrets);
    }

    @Test
    void aMerchantDisablesAndEnablesItsEndpoint() {
        Answer disabled = patch("{\"enabled\":false}").expect(200);
        assertThat(disabled.text("status")).isEqualTo("disabled");
        assertThat(disabled.text("disabled_reason")).isEqualTo("merchant");
        assertThat(disabled.text("disabled_since")).matches("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}");

        Answer enabled = patch("{\"enabled\":true}").expect(200);
        assertThat(enabled.text("status")).isEqualTo("enabled");
        assertThat(enabled.text("disabled_reason") + enabled.text("disabled_since"))
                .isEmpty();
    }

    /** Otherwise its deliveries stay scheduled until the next of them is due, in hours perhaps. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"enabled\":false}", "{\"url\":\"https://example.com/2\"}"})
    void aChangeThatConcernsDeliveriesMakesTheLaneDue(String change) {
        Instant now = now();
        insertLane(now);

        patch("{\"description\":\"shop\"}").expect(200);
        rotate().expect(200);
        assertThat(lane().marks()).isEqualTo(1);

        patch(change).expect(200);
        assertIsDue(now);
    }

    /** A gateway that dies after the first of its two writes leaves an endpoint like this; the merchant repeats the request. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"enabled\":false}", "{\"url\":\"https://example.com/2\"}"})
    void aRepeatedChangeMakesTheLaneDueThoughTheEndpointHasIt(String change) {
        patch(change).expect(200);
        Instant now = now();
        insertLane(now);

        patch(change).expect(200);
        assertIsDue(now);
    }

    @Test
    void aDeletionMakesTheLaneDue() {
        Instant now = now();
        insertLane(now);

        merchant.api().delete(endpoint.path()).expect(204);
        assertIsDue(now);
    }

    /** The gateway's time, which another test class may have moved. */
    private Instant now() {
        return merchant.gateway().clock().instant();
    }

    /** Its breaker is open, and a delivery is due in an hour. */
    private void insertLane(Instant now) {
        stored.insert(new Lane(
                endpoint.id(),
                stored.endpoint(endpoint.id()).tenant(),
                now.plusSeconds(3600),
                null,
                new Health(10, 1, now.plusSeconds(60), now),
                null,
                1));
    }

    private void assertIsDue(Instant now) {
        assertThat(lane().dueAt()).isBetween(now.minusMillis(1), now());
        assertThat(lane().health().openUntil()).isBetween(now.minusMillis(1), now());
        assertThat(lane().marks()).isEqualTo(2);
    }

    private Lane lane() {
        return stored.lane(endpoint.id());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"url\":{\"$ne\":1}}                                  | url:wrong_type",
                "{\"url\":null}                                       | url:required",
                "{\"events\":[\"transaction.settled\"]}                 | events:invalid",
                "{\"description\":{\"$ne\":1}}                          | description:wrong_type",
                "{\"enabled\":{\"$ne\":1}}                              | enabled:wrong_type",
                "{\"enabled\":null}                                   | enabled:required",
                "{\"enabled\":\"true\"}                               | enabled:wrong_type",
                "{\"headers\":{\"x-a\":{\"$unset\":1}}}                 | headers.x-a:wrong_type",
                "{\"description\":\"new\",\"enabled\":\"no\"}           | enabled:wrong_type",
            })
    void anInvalidChangeNamesTheFieldAndChangesNothing(String body, String error) {
        WebhookEndpoint before = stored.endpoint(endpoint.id());

        assertThat(patch(body).expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly(error);

        assertThat(stored.endpoint(endpoint.id())).isEqualTo(before);
    }

    /** Header names are values in MongoDB, never names of fields. */
    @Test
    void aHeaderMayHaveTheNameOfAnOperator() {
        assertThat(headerNames(patch("{\"headers\":{\"$set\":\"a\",\"secrets.0\":\"b\"}}")
                        .expect(200)))
                .containsExactly("$set", "secrets.0");

        assertThat(stored.secrets(endpoint.id())).hasSize(1);
        assertThat(headerNames(patch("{\"headers\":{\"$set\":null}}").expect(200)))
                .containsExactly("secrets.0");
    }

    @Test
    void aRotationShowsTheNewSecretOnceAndKeepsThePreviousOne() {
        String created = stored.secrets(endpoint.id()).get(0);

        Answer rotated = rotate().expect(200);

        assertThat(rotated.text("id")).isEqualTo(endpoint.id().toString());
        assertThat(rotated.text("secret")).startsWith("whsec_").isNotEqualTo(created);
        assertThat(rotated.text("previous_secret_valid_until")).matches("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}");
        assertThat(stored.secrets(endpoint.id())).containsExactly(rotated.text("secret"), created);
        assertThat(show().body()).doesNotContain("secret");
    }

    @Test
    void fiveSecretsAreValidAtMost() {
        for (int i = 0; i < 4; i++) {
            rotate().expect(200);
        }
        List<String> before = stored.secrets(endpoint.id());

        rotate().expectProblem(409, "too_many_rotations");

        assertThat(before).hasSize(5).doesNotHaveDuplicates();
        assertThat(stored.secrets(endpoint.id())).isEqualTo(before);
    }

    /** Each change is read, applied and written; none of them is lost to another. */
    @Test
    void changesAtTheSameTimeAreAllKept() {
        List<CompletableFuture<Answer>> changes = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> i < 3 ? patch("{\"headers\":{\"x-" + i + "\":\"v\"}}") : rotate()))
                .toList();

        assertThat(changes).allSatisfy(change -> change.join().expect(200));
        assertThat(headerNames(show())).containsExactly("x-0", "x-1", "x-2");
        assertThat(stored.secrets(endpoint.id())).hasSize(4);
    }

    private Answer patch(String body) {
        return merchant.api().patch(endpoint.path(), body);
    }

    private Answer rotate() {
        return merchant.api().postNothing(endpoint.path() + "/rotate-secret");
    }

    private Answer show() {
        return merchant.api().get(endpoint.path()).expect(200);
    }

    private static List<String> headerNames(Answer answer) {
        List<String> names = new ArrayList<>();
        for (JsonNode name : answer.json().path("header_names")) {
            names.add(name.stringValue());
        }
        return names;
    }

    /** The document of one is damaged. */
    @Test
    void anEndpointThatCannotBeDecodedIsLeftOutOfTheListAndCanBeDeleted() {
        UUID undecodable = UUID.randomUUID();
        stored.insert(
                CollectionNames.ENDPOINTS,
                new Document("_id", undecodable)
                        .append(
                                EndpointFields.TENANT,
                                stored.endpoint(endpoint.id()).tenant().key())
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

        assertThat(stored.find(missed.id()).status()).isEqualTo(DeliveryStatus.EXHAUSTED);
    }

    /** Returns the delivery's id in the API. */
    private String insert(Delivery delivery) {
        stored.insert(delivery);
        return merchant.api()
                .get(endpoint.deliveries())
                .json()
                .at("/deliveries/0/id")
                .stringValue();
    }
}
