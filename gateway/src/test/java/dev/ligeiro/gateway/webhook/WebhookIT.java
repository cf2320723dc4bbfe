package dev.ligeiro.gateway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.testing.http.Answer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class WebhookIT {

    private static final String WEBHOOKS = "/api/v1/webhooks";

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    WebhookIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    private Answer created(String url) {
        return merchant.api().post(WEBHOOKS, "{\"url\":\"" + url + "\"}").expect(201);
    }

    @Test
    void anEndpointGetsEveryStatusChangeByDefault() {
        Answer created = created("https://example.com/hooks");

        assertThat(created.json().propertyNames())
                .containsExactlyInAnyOrder("id", "url", "events", "secret", "description", "status", "date_created");
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
                        "{\"url\":\"https://example.com/2\",\"events\":[\"transaction.paid\"],\"description\":\" shop \"}")
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

    @Test
    void aDeletedEndpointIsGone() {
        String path = created("https://example.com/hooks").header("Location");

        assertThat(merchant.api().delete(path).expect(204).body()).isEmpty();

        merchant.api().get(path).expectProblem(404, "not_found");
        merchant.api().delete(path).expectProblem(404, "not_found");
    }

    @Test
    void anotherMerchantsEndpointDoesNotExist() {
        String path = created("https://example.com/hooks").header("Location");
        TestMerchant other = gateway.newMerchant();

        other.api().get(path).expectProblem(404, "not_found");
        other.api().delete(path).expectProblem(404, "not_found");
        assertThat(other.api().get(WEBHOOKS).json().path("webhooks").size()).isZero();
        merchant.api().get(path).expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "019cd831-1973-7abc-9def-0123456789ab"})
    void anUnknownEndpointIsNotFound(String id) {
        merchant.api().get(WEBHOOKS + "/" + id).expectProblem(404, "not_found");
        merchant.api().delete(WEBHOOKS + "/" + id).expectProblem(404, "not_found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com/",
                "https://127.0.0.1/",
                "https://[::1]/",
                "https://2130706433/",
                "https://user:pass@example.com/",
                "//example.com",
                "ftp://example.com/"
            })
    void aUrlThatIsNotHttpsToANameIsInvalid(String url) {
        Answer refused = merchant.api().post(WEBHOOKS, "{\"url\":\"" + url + "\"}");

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly("url:invalid");
    }

    @Test
    void aMerchantHasAtMostFiftyEndpoints() {
        for (int i = 0; i < 50; i++) {
            created("https://example.com/" + UUID.randomUUID());
        }

        merchant.api().post(WEBHOOKS, "{\"url\":\"https://example.com/51\"}").expectProblem(409, "too_many_endpoints");

        assertThat(merchant.api()
                        .get(WEBHOOKS)
                        .expect(200)
                        .json()
                        .path("webhooks")
                        .size())
                .isEqualTo(50);
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(one -> strings.add(one.stringValue()));
        return strings;
    }
}
