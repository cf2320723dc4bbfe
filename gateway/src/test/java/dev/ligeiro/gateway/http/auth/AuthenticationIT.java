package dev.ligeiro.gateway.http.auth;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant.NewKey;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class AuthenticationIT extends WithGateway {

    private static final String PAY = "/api/v1/sandbox/transaction/019cd831-1973-7abc-9def-0123456789ab/pay";

    private static final Path RELEASED = Path.of("src", "test", "resources", "released", "0.1.0");
    /** The released documents have its hash. Other tests use "A" for a key that does not exist. */
    private static final String KEY = "sk_test_" + "R".repeat(43);

    /** {@code BearerKeyTest} has the other forms. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Basic c2s6", "Bearer sk_test_x", "Bearer sk_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void aWrongAuthorizationHeaderIsUnauthorized(String authorization) {
        Answer refused = Api.send(gateway.api().request(ALL).header("Authorization", authorization));

        assertThat(refused.expectProblem(401, "unauthorized").header("WWW-Authenticate"))
                .startsWith("Bearer realm=\"ligeiro\"");
    }

    @Test
    void aRevokedKeyStopsWorkingWithinFiveSeconds() {
        NewKey made = merchant.newKey();
        Api second = gateway.api().withToken(made.key());
        second.get(ALL).expect(200);

        merchant.revoke(made.id());

        second.get(ALL).expectProblem(401, "unauthorized");
        merchant.api().get(ALL).expect(200);
    }

    @Test
    void aCachedKeyStopsWorkingWhenItExpires() {
        Instant end = gateway.clock().instant().plus(Duration.ofMinutes(10));
        Api shortLived =
                gateway.api().withToken(merchant.newKey(Mode.TEST, null, end).key());
        gateway.clock().move(Duration.ofMinutes(9));
        shortLived.get(ALL).expect(200);

        gateway.clock().move(Duration.ofMinutes(1));

        shortLived.get(ALL).expectProblem(401, "unauthorized");
    }

    @Test
    void onlyTheHashOfAKeyIsStored() {
        List<Document> keys = stored.all("api_keys");

        assertThat(keys).isNotEmpty().allSatisfy(key -> assertThat(key.toJson())
                .doesNotContain("sk_test_")
                .doesNotContain(merchant.key().substring("sk_test_".length())));
        assertThat(keys).extracting(key -> key.getString("hash")).contains(ApiKey.hash(merchant.key()));
    }

    @Test
    void aLiveKeyReachesNeitherTheSandboxNorTestTransactions() {
        Api live = merchant.live().api();

        live.postNothing(PAY).expectProblem(403, "test_mode_only");
        live.get(ONE + merchant.created(merchant.cashin())).expectProblem(404, "transaction_not_found");
    }

    /** The look-up of the key writes the time after it has answered. */
    @Test
    void theLastUseOfAKeyIsStoredOnceInFiveMinutes() {
        NewKey made = merchant.newKey();
        Api second = gateway.api().withToken(made.key());
        assertThat(lastUse(made)).isNull();

        second.get(ALL).expect(200);
        Date first = await().until(() -> lastUse(made), Objects::nonNull);
        gateway.clock().move(Duration.ofMinutes(4));
        second.get(ALL).expect(200);
        gateway.clock().move(Duration.ofMinutes(2));
        second.get(ALL).expect(200);

        Date next = await().until(() -> lastUse(made), time -> !first.equals(time));
        assertThat(Duration.between(first.toInstant(), next.toInstant())).isGreaterThan(Duration.ofMinutes(6));
    }

    private @Nullable Date lastUse(NewKey made) {
        return stored.all("api_keys").stream()
                .filter(key -> made.id().equals(key.get("_id")))
                .findFirst()
                .orElseThrow()
                .getDate("lastUsedAt");
    }

    /** Each key is well-formed, so only MongoDB can tell that it is unknown. */
    @Test
    void randomKeysDoNotCrowdOutCreates() {
        List<CompletableFuture<Answer>> random = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            random.add(gateway.api().withToken(ApiKey.generate(Mode.TEST)).postAsync(CASHIN, "{}"));
            if (i % 100 == 0) {
                merchant.created(merchant.cashin());
            }
        }

        assertThat(random).extracting(CompletableFuture::join).allSatisfy(answer -> assertThat(answer.status())
                .isIn(401, 503));
    }

    @Test
    void unknownRevokedAndExpiredKeysAreAnsweredInTheSameWords() {
        NewKey revoked = merchant.newKey();
        merchant.revoke(revoked.id());
        Instant end = gateway.clock().instant().plus(Duration.ofMinutes(1));
        NewKey expired = merchant.newKey(Mode.TEST, null, end);
        gateway.clock().move(Duration.ofMinutes(1));

        assertThat(Stream.of(ApiKey.generate(Mode.TEST), revoked.key(), expired.key())
                        .map(key -> gateway.api().withToken(key).get(ALL).expectProblem(401, "unauthorized"))
                        .map(answer -> answer.text("detail") + answer.header("WWW-Authenticate"))
                        .distinct())
                .containsExactly("The API key is unknown, revoked or expired"
                        + "Bearer realm=\"ligeiro\", error=\"invalid_token\"");
    }

    /** A later version has stored a merchant that this one cannot read. Look-ups of several keys are one query. */
    @Test
    void anUnreadableMerchantRefusesItsOwnCallersOnly() {
        UUID unreadable = UUID.randomUUID();
        String key = ApiKey.generate(Mode.TEST);
        stored.insert("merchants", new Document("_id", unreadable).append("number", "seven"));
        stored.insert(
                "api_keys",
                new Document("_id", UUID.randomUUID())
                        .append("hash", ApiKey.hash(key))
                        .append("merchantId", unreadable)
                        .append("mode", "TEST"));
        List<String> good =
                Stream.generate(() -> merchant.newKey().key()).limit(10).toList();

        List<CompletableFuture<Answer>> answers = Stream.concat(Stream.of(key), good.stream())
                .map(each -> gateway.api().withToken(each).postAsync(CASHIN, "{}"))
                .toList();

        assertThat(answers).extracting(answer -> answer.join().status()).startsWith(500);
        assertThat(answers.subList(1, answers.size()))
                .allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(422));
    }

    @Test
    void aKeyWorksFromItsNetworksOnly() {
        String here = key("127.0.0.0/8", "::1");
        String elsewhere = key("203.0.113.0/24");

        gateway.api().withToken(here).get(ALL).expect(200);
        Answer refused = gateway.api().withToken(elsewhere).get(ALL).expectProblem(403, "address_not_allowed");
        assertThat(refused.text("detail")).contains("127.0.0.1");
    }

    /** Anybody can send the headers; without a trusted proxy they mean nothing. */
    @Test
    void forwardedHeadersCountOnlyFromATrustedProxy() {
        String key = key("203.0.113.0/24");

        from(gateway, key, "203.0.113.9").expectProblem(403, "address_not_allowed");
        assertThat(serverUrl(document(gateway, "https"))).isEqualTo(gateway.url());
        try (RunningGateway behindProxy = RunningGateway.startOn(
                gateway.database(),
                TestClock.ticking(),
                "ligeiro.proxies.trusted=127.0.0.0/8,10.0.0.0/8",
                // it takes the first address, which anybody can send
                "server.forward-headers-strategy=framework")) {
            from(behindProxy, key, "203.0.113.9").expect(200);
            from(behindProxy, key, "198.51.100.1, 203.0.113.9:4711, 10.1.2.3").expect(200);
            from(behindProxy, key, "203.0.113.9, 198.51.100.1, 10.1.2.3").expectProblem(403, "address_not_allowed");
            from(behindProxy, key, "203.0.113.9, unknown").expectProblem(403, "address_not_allowed");
            behindProxy.api().withToken(key).get(ALL).expectProblem(403, "address_not_allowed");
            assertThat(serverUrl(document(behindProxy, "https"))).isEqualTo("https://pix.example.com");
            Answer unreadable = document(behindProxy, "no scheme").expectProblem(400, "malformed_request");
            assertThat(unreadable.header("X-Request-Id")).isNotBlank();
        }
    }

    @Test
    void theNetworksOfAKeyCanBeChanged() {
        NewKey made = merchant.newKey();
        gateway.api().withToken(made.key()).get(ALL).expect(200);

        merchant.setNetworks(made.id(), List.of("203.0.113.0/24"));

        gateway.api().withToken(made.key()).get(ALL).expectProblem(403, "address_not_allowed");
    }

    /**
     * As version 0.1.0 has stored them, with a field of a newer version. A renamed field would otherwise read as absent: no fee, no limit.
     */
    @Test
    void releasedMerchantsAndKeysAreRead() throws IOException {
        documents("merchants.jsonl").forEach(each -> stored.insert("merchants", each));
        documents("api_keys.jsonl").forEach(each -> stored.insert("api_keys", each));
        Api released = gateway.api().withToken(KEY);

        assertThat(released.get(ALL).expect(200).header("RateLimit-Policy")).contains("q=2000;w=10");
        released.post(CASHIN, "{}").expectProblem(403, "insufficient_scope");
        assertThat(released.get("/api/v1/platforms").expect(200).body())
                .contains("019cd827-d553-7abc-9def-0123456789a2", "\"web\"");
        List<JsonNode> keys = released.get("/api/v1/keys")
                .expect(200)
                .json()
                .path("keys")
                .valueStream()
                .toList();
        assertThat(keys)
                .extracting(key -> key.path("name").asString() + " "
                        + key.path("status").asString() + " "
                        + key.path("expires_at").asString())
                .contains("shop active 2099-12-31 21:00:00")
                .anyMatch(key -> key.contains(" revoked "));
    }

    private String key(String... networks) {
        return merchant.newKey(Mode.TEST, List.of(networks), null).key();
    }

    private static Answer from(RunningGateway called, String key, String forwardedFor) {
        return Api.send(called.api().withToken(key).request(ALL).header("X-Forwarded-For", forwardedFor));
    }

    private static Answer document(RunningGateway gateway, String scheme) {
        return Api.send(gateway.api()
                .request("/openapi.json")
                .header("X-Forwarded-Proto", scheme)
                .header("X-Forwarded-Host", "pix.example.com"));
    }

    private static String serverUrl(Answer document) {
        return document.expect(200).json().at("/servers/0/url").stringValue();
    }

    private static List<Document> documents(String file) throws IOException {
        return Files.readAllLines(RELEASED.resolve(file)).stream()
                .map(line -> Document.parse(line).append("ofANewerVersion", List.of(1)))
                .toList();
    }
}
