package dev.ligeiro.gateway.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The routes of console sessions and keys. The pages are tested in {@code page.console}. */
@ExtendWith(SharedGateway.class)
class ConsoleSessionIT {

    private static final String SESSIONS = "/api/v1/console-sessions";

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final TransactionDocuments stored;

    ConsoleSessionIT(RunningGateway gateway) {
        this.gateway = gateway;
        this.merchant = gateway.newMerchant();
        this.stored = new TransactionDocuments(gateway.database());
    }

    @AfterEach
    void close() {
        stored.close();
    }

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
                merchant.newKey("{\"mode\":\"test\",\"scopes\":[\"transactions:read\",\"statement:read\"]}")
                        .text("key"));

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
        TestMerchant reader = merchant.withKey(merchant.newKey("{\"mode\":\"test\",\"scopes\":[\"transactions:read\"]}")
                .text("key"));
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
        String revoked = merchant.newKey("{\"mode\":\"test\",\"name\":\"old shop\",\"scopes\":[\"cashins:write\"]}")
                .text("id");
        gateway.admin()
                .delete("/admin/merchants/" + merchant.id() + "/keys/" + revoked)
                .expect(204);
        merchant.live();

        Answer answer = merchant.api().get("/api/v1/keys").expect(200);

        List<JsonNode> keys = answer.json().path("keys").valueStream().toList();
        assertThat(keys).hasSize(2);
        assertThat(keys.get(0).path("name").stringValue()).isEqualTo("old shop");
        assertThat(keys.get(0).path("status").stringValue()).isEqualTo("revoked");
        assertThat(keys.get(1).path("is_yours").booleanValue()).isTrue();
        assertThat(keys.get(1).path("prefix").stringValue())
                .hasSize("sk_test_".length() + 4)
                .isEqualTo(merchant.key().substring(0, "sk_test_".length() + 4));
        stored.all("api_keys").stream()
                .map(document -> document.getString("hash"))
                .forEach(hash -> assertThat(answer.body()).doesNotContain(hash));
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
}
