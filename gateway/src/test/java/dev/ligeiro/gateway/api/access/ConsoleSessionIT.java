package dev.ligeiro.gateway.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TestMerchant.NewKey;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.gateway.http.auth.ConsoleSessionStore;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.time.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The routes of console sessions and keys. The pages are tested in {@code page.console}. */
class ConsoleSessionIT extends WithGateway {

    private static final String SESSIONS = "/api/v1/console-sessions";
    private static final String ENTER = SESSIONS + "/enter";

    @Test
    void neitherTheLinkNorTheKeyIsStored() {
        String url = merchant.api().post(SESSIONS, "{}").expect(201).text("url");
        String token = url.substring(url.lastIndexOf('/') + 1);

        assertThat(url).startsWith(gateway.url() + "/console/enter/");
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(stored.all("console_sessions").toString()).doesNotContain(token, merchant.key());
    }

    @Test
    void aSessionHasAtMostTheScopesOfItsKey() {
        TestMerchant reader = merchant.withKey(
                merchant.newKey("transactions:read", "statement:read").key());

        assertThat(reader.api()
                        .post(SESSIONS, "{\"scopes\":[\"transactions:write\"]}")
                        .expect(422)
                        .fieldErrors())
                .containsExactly("scopes:invalid");
        reader.api().post(SESSIONS, "{\"scopes\":[\"statement:read\"]}").expect(201);
        reader.api().post(SESSIONS, "{}").expect(201);
        assertThat(sessions(reader).stream()
                        .map(session -> session.path("scopes").toString()))
                .containsExactly("[\"statement:read\",\"transactions:read\"]", "[\"statement:read\"]");
    }

    @Test
    void sessionsBelongToTheMerchantAndTheMode() {
        String id = merchant.api().post(SESSIONS, "{}").expect(201).text("id");

        for (TestMerchant other : List.of(gateway.newMerchant(), merchant.live())) {
            assertThat(sessions(other)).isEmpty();
            other.api().delete(SESSIONS + "/" + id).expect(404);
        }
        merchant.api().delete(SESSIONS + "/" + id).expect(204);
        merchant.api().delete(SESSIONS + "/" + id).expect(404);
        assertThat(sessions(merchant)).isEmpty();
    }

    /** A leaked key that may only read must not be able to sign out the merchant's people. */
    @Test
    void aKeySeesAndEndsItsOwnSessionsOnly() {
        TestMerchant reader =
                merchant.withKey(merchant.newKey("transactions:read").key());
        String narrow = merchant.api()
                .post(SESSIONS, "{\"scopes\":[\"transactions:read\"]}")
                .expect(201)
                .text("id");
        String own = reader.api().post(SESSIONS, "{}").expect(201).text("id");

        reader.api().delete(SESSIONS + "/" + narrow).expect(404);
        merchant.api().delete(SESSIONS + "/" + own).expect(404);
        assertThat(ids(merchant)).containsExactly(narrow);
        assertThat(ids(reader)).containsExactly(own);
        reader.api().delete(SESSIONS + "/" + own).expect(204);
        assertThat(ids(reader)).isEmpty();
    }

    @Test
    void theOldestSessionsOfAKeyGo() {
        String oldest = merchant.api().post(SESSIONS, "{}").expect(201).text("id");
        for (int i = 0; i < ConsoleSessionStore.PER_KEY_MAX; i++) {
            merchant.api().post(SESSIONS, "{}").expect(201);
        }

        assertThat(sessions(merchant))
                .hasSize(ConsoleSessionStore.PER_KEY_MAX)
                .noneMatch(session -> session.path("id").stringValue().equals(oldest));
    }

    @Test
    void keysShowWhatTheyMayDoAndNeverThemselves() {
        merchant.revoke(merchant.newKey("cashins:write").id());
        merchant.live();

        Answer answer = merchant.api().get("/api/v1/keys").expect(200);

        List<JsonNode> keys = answer.json().path("keys").valueStream().toList();
        assertThat(keys).hasSize(2);
        assertThat(keys.get(0).path("status").stringValue()).isEqualTo("revoked");
        assertThat(keys.get(1).path("is_yours").booleanValue()).isTrue();
        assertThat(keys.get(1).path("prefix").stringValue())
                .hasSize("sk_test_".length() + 4)
                .isEqualTo(merchant.key().substring(0, "sk_test_".length() + 4));
        stored.all("api_keys").stream()
                .map(document -> document.getString("hash"))
                .forEach(hash -> assertThat(answer.body()).doesNotContain(hash));
    }

    /** The token is a bearer that does what the session may do, under the session's name, and nothing else. */
    @Test
    void aSessionDoesAtMostWhatItMay() {
        Api reader = session(merchant, "{\"scopes\":[\"transactions:read\",\"webhooks:manage\"]}");
        Api writer = session(merchant, "{\"scopes\":[\"transactions:write\"]}");
        String id = merchant.created(merchant.cashin());

        reader.get("/api/v1/transaction/" + id).expect(200);
        reader.post(TestMerchant.CASHIN, merchant.cashin()).expectProblem(403, "insufficient_scope");
        reader.get("/api/v1/balance").expectProblem(403, "insufficient_scope");
        reader.post(SESSIONS, "{}").expectProblem(401, "unauthorized");
        writer.post(TestMerchant.CASHIN, merchant.cashin()).expect(201);
        reader.post("/api/v1/webhooks", Map.of("url", "https://example.com/hook"))
                .expect(201);
        assertThat(stored.all("endpoint_changes").toString())
                .contains(sessions(merchant).get(1).path("id").stringValue());
        assertThat(sessions(merchant)).hasSize(2);
        assertThat(reader.get(SESSIONS).expect(200).json().path("console_sessions"))
                .hasSize(1);
        assertThat(stored.all("console_sessions").toString()).doesNotContain(String.valueOf(reader.token()));
    }

    @Test
    void aSessionEndsByTheApiAndWithItsKey() {
        NewKey key = merchant.newKey("transactions:read");
        TestMerchant other = merchant.withKey(key.key());
        Api ended = session(other, "{}");
        Api revoked = session(other, "{}");
        ended.get("/api/v1/keys").expect(200);
        revoked.get("/api/v1/keys").expect(200);

        String newest = ids(other).get(1);
        ended.delete(SESSIONS + "/" + newest).expect(204);
        ended.get("/api/v1/keys").expectProblem(401, "unauthorized");
        merchant.revoke(key.id());
        await().until(() -> revoked.get("/api/v1/keys").status() == 401);
    }

    @Tag("nightly")
    @Test
    void aSessionEndsUnusedAndAfterEightHours() {
        TestClock clock = TestClock.ticking();
        try (RunningGateway timed = RunningGateway.startOn(RunningGateway.newDatabase(), clock)) {
            TestMerchant own = timed.newMerchant();
            Api idle = session(own, "{}");
            Api busy = session(own, "{}");

            for (int i = 0; i < 31; i++) {
                busy.get("/api/v1/keys").expect(200);
                clock.move(Duration.ofMinutes(15));
            }

            idle.get("/api/v1/keys").expect(401);
            busy.get("/api/v1/keys").expect(200);
            clock.move(Duration.ofMinutes(16));
            busy.get("/api/v1/keys").expect(401);
        }
    }

    private static Api session(TestMerchant of, String request) {
        String url = of.api().post(SESSIONS, request).expect(201).text("url");
        String code = url.substring(url.lastIndexOf('/') + 1);
        Api withoutKey = of.gateway().api();
        return withoutKey.withToken(
                withoutKey.post(ENTER, Map.of("code", code)).expect(200).text("token"));
    }

    private static List<String> ids(TestMerchant of) {
        return sessions(of).stream()
                .map(session -> session.path("id").stringValue())
                .toList();
    }

    private static List<JsonNode> sessions(TestMerchant of) {
        return of.api()
                .get(SESSIONS)
                .expect(200)
                .json()
                .path("console_sessions")
                .valueStream()
                .toList();
    }

    @Test
    void aKeySeesThePlatformsOfItsMode() {
        TestMerchant merchant = gateway.newMerchant();
        String second = merchant.newPlatform();
        TestMerchant live = merchant.live();

        assertThat(platforms(merchant)).containsExactly(merchant.platform(), second);
        assertThat(platforms(live)).containsExactly(live.platform());
        gateway.api().get("/api/v1/platforms").expect(401);
        merchant.api().get("/api/v1/platforms?after=1").expect(422);
    }

    private static List<String> platforms(TestMerchant merchant) {
        return merchant.api()
                .get("/api/v1/platforms")
                .expect(200)
                .json()
                .path("platforms")
                .valueStream()
                .map(platform -> platform.path("id").stringValue())
                .toList();
    }
}
