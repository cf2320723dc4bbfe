package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class RegistrationIT extends WithGateway {

    private static final String WEBHOOKS = "/api/v1/webhooks";

    @Test
    void anEndpointGetsEveryStatusChangeByDefault() {
        Answer created = created("https://example.com/hooks");
        Answer withNull = merchant.api()
                .post(WEBHOOKS, "{\"url\":\"https://example.com/hooks\",\"events\":null}")
                .expect(201);

        assertThat(withNull.json().path("events")).isEqualTo(created.json().path("events"));
        assertThat(created.header("Location")).isEqualTo(WEBHOOKS + "/" + created.text("id"));
        assertThat(created.text("url")).isEqualTo("https://example.com/hooks");
        assertThat(created.text("status")).isEqualTo("enabled");
        assertThat(created.text("description")).isEmpty();
        assertThat(created.text("date_created")).matches("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}");
        assertThat(strings(created.json().path("events")))
                .containsExactly(
                        "transaction.canceled",
                        "transaction.denied",
                        "transaction.expired",
                        "transaction.in_analysis",
                        "transaction.in_process",
                        "transaction.paid",
                        "transaction.refund");
    }

    @Test
    void theSecretIsShownOnce() {
        Answer created = created("https://example.com/hooks");
        String secret = created.text("secret");
        assertThat(secret).startsWith("whsec_");
        assertThat(Base64.getDecoder().decode(secret.substring("whsec_".length())))
                .hasSize(32);

        Answer shown = merchant.api().get(created.header("Location")).expect(200);
        Answer listed = merchant.api().get(WEBHOOKS).expect(200);

        assertThat(shown.body() + listed.body()).doesNotContain("whsec_").doesNotContain("secret");
        assertThat(shown.text("url")).isEqualTo("https://example.com/hooks");
        assertThat(created("https://example.com/hooks").text("secret")).isNotEqualTo(secret);
    }

    @Test
    void theListHasTheNewestEndpointFirst() {
        String first = created("https://example.com/1").text("id");
        Answer withEvents = merchant.api()
                .post(
                        WEBHOOKS,
                        "{\"url\":\"https://example.com/2\",\"events\":[\"transaction.paid\",\"transaction.paid\"],\"description\":\" shop \"}")
                .expect(201);

        Answer list = merchant.api().get(WEBHOOKS).expect(200);

        List<String> ids = new ArrayList<>();
        list.json().path("webhooks").forEach(one -> ids.add(one.path("id").stringValue()));
        assertThat(ids).containsExactly(withEvents.text("id"), first);
        assertThat(list.json().path("next_cursor").isNull()).isTrue();
        assertThat(strings(list.json().path("webhooks").path(0).path("events"))).containsExactly("transaction.paid");
        assertThat(list.json().path("webhooks").path(0).path("description").stringValue())
                .isEqualTo("shop");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"url\":null                                                          | url:required",
                "\"url\":\"http://example.com/\"                                         | url:invalid",
                "\"url\":\"https://example.com/\\ud800\"                                 | url:invalid",
                "\"url\":\"https://example.com/\",\"events\":[\"transaction.settled\"]    | events:invalid",
                "\"url\":\"https://example.com/\",\"events\":\"transaction.paid\"         | events:wrong_type",
                "\"url\":\"https://example.com/\",\"headers\":\"a: b\"                    | headers:wrong_type",
                "\"url\":\"https://example.com/\",\"headers\":{\"webhook-id\":\"1\"}      | headers.webhook-id:invalid",
                "\"url\":\"https://example.com/\",\"headers\":{\"x-a\":\"a\\r\\nb\"}     | headers.x-a:invalid",
                "\"url\":\"https://example.com/\",\"secret\":{\"$ne\":1}                  | secret:wrong_type",
                "\"url\":\"https://example.com/\",\"secret\":\"whsec_c2VjcmV0\"           | secret:invalid",
                "\"url\":\"https://example.com/\",\"description\":\"a\\u0000\"            | description:invalid",
            })
    void anInvalidRegistrationNamesTheFieldAndStoresNothing(String fields, String error) {
        Answer refused = merchant.api().post(WEBHOOKS, "{" + fields + "}");

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly(error);
        assertThat(merchant.api().get(WEBHOOKS).expect(200).json().path("webhooks"))
                .isEmpty();
    }

    @Test
    void aSecretMayBeImported() {
        String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

        Answer created = merchant.api()
                .post(WEBHOOKS, "{\"url\":\"https://example.com/\",\"secret\":\"" + secret + "\"}")
                .expect(201);

        assertThat(created.text("secret")).isEqualTo(secret);
        assertThat(stored.secrets(UUID.fromString(created.text("id")))).containsExactly(secret);
    }

    @Test
    void aDeletedEndpointMakesRoomForAnother() {
        for (int i = 0; i < 19; i++) {
            TestEndpoint.of(merchant);
        }
        TestEndpoint last = TestEndpoint.of(merchant);

        register(21).join().expectProblem(409, "too_many_endpoints");
        assertThat(count()).isEqualTo(20);

        merchant.api().delete(last.path()).expect(204);
        register(22).join().expect(201);
    }

    @Test
    void atMostTwentyOfManyRegistrationsAtOnceAreStored() {
        Semaphore open = new Semaphore(200);
        List<CompletableFuture<Answer>> registrations = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            open.acquireUninterruptibly();
            registrations.add(register(i).whenComplete((answer, failure) -> open.release()));
        }

        long created = registrations.stream()
                .map(CompletableFuture::join)
                .filter(answer -> answer.status() == 201)
                .count();

        assertThat(created).isEqualTo(20);
        assertThat(count()).isEqualTo(20);
        assertThat(registrations)
                .allSatisfy(each -> assertThat(each.join().status()).isIn(201, 409, 429, 503));
    }

    private CompletableFuture<Answer> register(int number) {
        return merchant.api().postAsync(WEBHOOKS, "{\"url\":\"https://example.com/" + number + "\"}");
    }

    private int count() {
        return merchant.api().get(WEBHOOKS).expect(200).json().path("webhooks").size();
    }

    private Answer created(String url) {
        return merchant.api().post(WEBHOOKS, "{\"url\":\"" + url + "\"}").expect(201);
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(one -> strings.add(one.stringValue()));
        return strings;
    }
}
