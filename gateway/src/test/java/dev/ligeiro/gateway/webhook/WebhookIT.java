package dev.ligeiro.gateway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredTransactions;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.testing.http.Answer;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class WebhookIT {

    private static final String WEBHOOKS = "/api/v1/webhooks";
    private static final String ENCRYPT_AGAIN = "/admin/webhook-secrets/encrypt-again";

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
                .containsExactlyInAnyOrder(
                        "id",
                        "url",
                        "events",
                        "description",
                        "header_names",
                        "status",
                        "disabled_reason",
                        "disabled_since",
                        "date_created",
                        "secret");
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"url\":\"https://example.com/\",\"events\":[\"transaction.settled\"]    | events:invalid",
                "\"url\":\"https://example.com/\",\"headers\":{\"x-a\":\"a\\r\\nb\"}     | headers.x-a:invalid",
                "\"url\":\"https://example.com/\",\"headers\":{\"x-a\\r\\nb\":\"a\"}     | headers:invalid",
                "\"url\":\"https://example.com/\",\"secret\":\"whsec_AAAA\"             | secret:invalid",
            })
    void anInvalidRegistrationStoresNothing(String fields, String error) {
        Answer refused = merchant.api().post(WEBHOOKS, "{" + fields + "}");

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly(error);
        assertThat(count(merchant)).isZero();
    }

    @Test
    void aSecretMayBeImported() {
        String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

        Answer created = merchant.api()
                .post(WEBHOOKS, "{\"url\":\"https://example.com/\",\"secret\":\"" + secret + "\"}")
                .expect(201);

        assertThat(created.text("secret")).isEqualTo(secret);
        assertThat(keysDecrypt(stored(created.text("id")))).containsExactly(secret);
    }

    @Test
    void onlyTheGivenFieldsChange() {
        Answer created = merchant.api()
                .post(
                        WEBHOOKS,
                        "{\"url\":\"https://example.com/1\",\"description\":\"shop\",\"headers\":{\"X-Team\":\"a\"}}")
                .expect(201);
        String path = created.header("Location");

        Answer changed = merchant.api()
                .patch(path, "{\"url\":\"https://example.com/2\",\"headers\":{\"Authorization\":\"Basic YTpi\"}}")
                .expect(200);

        assertThat(changed.text("url")).isEqualTo("https://example.com/2");
        assertThat(changed.text("description")).isEqualTo("shop");
        assertThat(strings(changed.json().path("header_names"))).containsExactly("authorization", "x-team");
        assertThat(changed.body()).doesNotContain("secret", "Basic");
        assertThat(merchant.api().get(path).expect(200).body()).isEqualTo(changed.body());
    }

    @Test
    void aMerchantDisablesAndEnablesItsEndpoint() {
        String path = created("https://example.com/hooks").header("Location");

        Answer disabled = merchant.api().patch(path, "{\"enabled\":false}").expect(200);
        assertThat(disabled.text("status")).isEqualTo("disabled");
        assertThat(disabled.text("disabled_reason")).isEqualTo("merchant");
        assertThat(disabled.text("disabled_since")).matches("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}");

        Answer enabled = merchant.api().patch(path, "{\"enabled\":true}").expect(200);
        assertThat(enabled.text("status")).isEqualTo("enabled");
        assertThat(enabled.text("disabled_reason") + enabled.text("disabled_since"))
                .isEmpty();
    }

    @Test
    void aRotationShowsTheNewSecretOnceAndKeepsThePreviousOne() {
        Answer created = created("https://example.com/hooks");
        String path = created.header("Location");

        Answer rotated = merchant.api().postNothing(path + "/rotate-secret").expect(200);

        assertThat(rotated.text("id")).isEqualTo(created.text("id"));
        assertThat(rotated.text("secret")).startsWith("whsec_").isNotEqualTo(created.text("secret"));
        assertThat(rotated.text("previous_secret_valid_until")).matches("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}");
        assertThat(keysDecrypt(stored(created.text("id"))))
                .containsExactly(rotated.text("secret"), created.text("secret"));
        assertThat(merchant.api().get(path).expect(200).body()).doesNotContain("secret");
        for (int i = 0; i < 3; i++) {
            merchant.api().postNothing(path + "/rotate-secret").expect(200);
        }
        merchant.api().postNothing(path + "/rotate-secret").expectProblem(409, "too_many_rotations");
    }

    /** Each change is read, applied and written; none of them is lost to another. */
    @Test
    void changesAtTheSameTimeAreAllKept() {
        String path = created("https://example.com/hooks").header("Location");

        List<CompletableFuture<Answer>> changes = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> i < 3
                        ? merchant.api().patch(path, "{\"headers\":{\"x-" + i + "\":\"v\"}}")
                        : merchant.api().postNothing(path + "/rotate-secret")))
                .toList();

        assertThat(changes).allSatisfy(change -> change.join().expect(200));
        assertThat(strings(merchant.api().get(path).json().path("header_names")))
                .containsExactly("x-0", "x-1", "x-2");
        assertThat(keysDecrypt(stored(path.substring(path.lastIndexOf('/') + 1))))
                .hasSize(4);
    }

    @Test
    void anotherMerchantsEndpointCannotBeChanged() {
        String path = created("https://example.com/hooks").header("Location");
        TestMerchant other = gateway.newMerchant();

        other.api().patch(path, "{\"enabled\":false}").expectProblem(404, "not_found");
        other.api().postNothing(path + "/rotate-secret").expectProblem(404, "not_found");
        assertThat(merchant.api().get(path).text("status")).isEqualTo("enabled");
    }

    @Test
    void aMerchantHasAtMostTwentyEndpoints() {
        String last = "";
        for (int i = 0; i < 20; i++) {
            last = created("https://example.com/" + i).header("Location");
        }

        merchant.api().post(WEBHOOKS, "{\"url\":\"https://example.com/21\"}").expectProblem(409, "too_many_endpoints");
        assertThat(count(merchant)).isEqualTo(20);

        merchant.api().delete(last).expect(204);
        created("https://example.com/again");
    }

    @Test
    void atMostTwentyOfManyRegistrationsAtOnceAreStored() {
        Semaphore open = new Semaphore(200);
        List<CompletableFuture<Answer>> registrations = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            open.acquireUninterruptibly();
            registrations.add(merchant.api()
                    .postAsync(WEBHOOKS, "{\"url\":\"https://example.com/" + i + "\"}")
                    .whenComplete((answer, failure) -> open.release()));
        }

        long created = registrations.stream()
                .map(CompletableFuture::join)
                .filter(answer -> answer.status() == 201)
                .count();

        assertThat(created).isEqualTo(20);
        assertThat(count(merchant)).isEqualTo(20);
        assertThat(registrations)
                .allSatisfy(each -> assertThat(each.join().status()).isIn(201, 409, 503));
    }

    /** The operator has changed the key, and an earlier version has stored a plain secret. */
    @Test
    void secretsAreEncryptedAgainWithTheCurrentKey() {
        WebhookEndpoint old = Endpoints.endpointWithOldKey(UuidV7.at(1), new Tenant(999_001), "https://example.com/");
        Document plain = EndpointDocument.of(Endpoints.endpoint(UuidV7.at(2), old.tenant(), "https://example.com/"));
        plain.remove("secrets");
        plain.remove("version");
        plain.append("secret", Endpoints.SECRET.text());
        Document lost = EndpointDocument.of(Endpoints.withSecrets(
                Endpoints.endpoint(UuidV7.at(3), old.tenant(), "https://example.com/"),
                List.of(new EndpointSecret(new EncryptedText("lost:AAAA"), null))));
        try (StoredTransactions database = new StoredTransactions(gateway.database())) {
            database.insert(CollectionNames.ENDPOINTS, EndpointDocument.of(old));
            database.insert(CollectionNames.ENDPOINTS, plain);
            database.insert(CollectionNames.ENDPOINTS, lost);
        }

        Answer first = gateway.admin().post(ENCRYPT_AGAIN, "{}").expect(200);
        Answer second = gateway.admin().post(ENCRYPT_AGAIN, "{}").expect(200);

        assertThat(first.json().path("encrypted").asInt()).isEqualTo(2);
        assertThat(strings(first.json().path("unreadable")))
                .containsExactly(lost.get("_id", UUID.class).toString());
        assertThat(second.json().path("encrypted").asInt()).isZero();
        assertThat(second.json().path("next_cursor").isNull()).isTrue();
        for (UUID id : List.of(old.id(), plain.get("_id", UUID.class))) {
            WebhookEndpoint encrypted = stored(id.toString());
            assertThat(encrypted.secrets()).allSatisfy(secret -> assertThat(Endpoints.KEYS.isCurrent(secret.secret()))
                    .isTrue());
            assertThat(keysDecrypt(encrypted)).containsExactly(Endpoints.SECRET.text());
        }
        EncryptedText header =
                Objects.requireNonNull(stored(old.id().toString()).headers().get("x-old"));
        assertThat(Endpoints.KEYS.decryptHeader(old.id(), "x-old", header)).isEqualTo("value");
        gateway.admin().post(ENCRYPT_AGAIN, "{\"after\":\"x\"}").expectProblem(422, "validation_failed");
        gateway.admin().withToken("x").post(ENCRYPT_AGAIN, "{}").expectProblem(401, "unauthorized");
    }

    private static int count(TestMerchant merchant) {
        return merchant.api().get(WEBHOOKS).expect(200).json().path("webhooks").size();
    }

    private WebhookEndpoint stored(String id) {
        try (StoredTransactions database = new StoredTransactions(gateway.database())) {
            return database.all(CollectionNames.ENDPOINTS).stream()
                    .map(EndpointDocument::read)
                    .filter(endpoint -> endpoint.id().toString().equals(id))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static List<String> keysDecrypt(WebhookEndpoint endpoint) {
        return endpoint.secrets().stream()
                .map(secret ->
                        Endpoints.KEYS.decrypt(endpoint.id(), secret.secret()).text())
                .toList();
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(one -> strings.add(one.stringValue()));
        return strings;
    }
}
