package dev.ligeiro.desk.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class KeyIT {

    private static final Map<String, String> TOKENS = Map.of(
            "read", RunningDesk.READER_TOKEN, "operate", RunningDesk.OPERATOR_TOKEN, "money", RunningDesk.MONEY_TOKEN);

    private final RunningDesk desk;
    private final Api admin;
    private final String merchant;
    private final String all;

    KeyIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.merchant = admin.post("/admin/merchants", "{\"name\":\"Loja da Ana\"}")
                .expect(201)
                .text("id");
        this.all = "/admin/merchants/" + merchant + "/keys";
    }

    private Answer made(String body) {
        return admin.post(all, body.replace('\'', '"')).expect(201);
    }

    private static String one(Answer made) {
        return made.header("Location");
    }

    @Test
    void aKeyIsFoundByItsHashByItsBeginningAndByItself() {
        Answer made = made("{'mode':'live','name':'Till 8'}");
        String key = made.text("key");
        admin.delete(one(made)).expect(204);

        JsonNode byHash = found(admin.get("/admin/keys?hash=" + ApiKey.hash(key)));

        assertThat(byHash).hasSize(1);
        JsonNode item = byHash.path(0);
        assertThat(item.path("merchant_id").asString()).isEqualTo(merchant);
        assertThat(item.path("merchant_name").asString()).isEqualTo("Loja da Ana");
        assertThat(item.path("id").asString()).isEqualTo(made.text("id"));
        assertThat(item.path("prefix").asString()).isEqualTo(key.substring(0, 12));
        assertThat(item.path("status").asString()).isEqualTo("revoked");
        assertThat(found(admin.get("/admin/keys?prefix=" + key.substring(0, 12))))
                .contains(item);
        assertThat(found(admin.post("/admin/keys/find", Map.of("key", key)))).containsExactly(item);
        assertThat(found(admin.post("/admin/keys/find", Map.of("key", key.substring(0, 12)))))
                .contains(item);
        assertThat(found(admin.get("/admin/keys?prefix=" + key.replace("sk_live", "sk_test")))
                        .valueStream()
                        .map(each -> each.path("id")))
                .doesNotContain(item.path("id"));
        assertThat(found(admin.get("/admin/keys?hash=" + ApiKey.hash("sk_live_x"))))
                .isEmpty();
        assertThat(found(admin.post("/admin/keys/find", Map.of("key", "sk_live_" + "A".repeat(43)))))
                .isEmpty();
    }

    private static JsonNode found(Answer answer) {
        return answer.expect(200).json().path("keys");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET  | /admin/keys                     | {}                                        | hash:invalid",
                "GET  | /admin/keys?hash=x              | {}                                        | hash:invalid",
                "GET  | /admin/keys?prefix=sk_live_     | {}                                        | prefix:invalid",
                "GET  | /admin/keys?prefix=a&hash=b     | {}                                        | hash:invalid",
                "POST | /admin/keys/find                | {}                                        | key:required",
                "POST | /admin/keys/find                | {'key':'sk_live_'}                        | key:invalid",
                "POST | {all}                | {'name':7,'scopes':'all','expires_at':1}             | mode:required name:wrong_type scopes:wrong_type expires_at:wrong_type",
                "POST | {all}                | {'mode':1}                                           | mode:wrong_type",
                "POST | {all}                | {'mode':''}                                          | mode:invalid",
                "POST | {all}                | {'mode':'test','scope':['transactions:read']}        | scope:unknown_field",
                "POST | {all}                | {'mode':'test','scopes':[1]}                         | scopes:wrong_type",
                "POST | {all}                | {'mode':'test','scopes':['all']}                     | scopes:invalid",
                "POST | {all}                | {'mode':'test','scopes':[null]}                      | scopes:required",
                "POST | {all}                | {'mode':'test','scopes':[]}                          | scopes:invalid",
                "POST | {all}                | {'mode':'test','allowed_networks':[]}                | allowed_networks:invalid",
                "POST | {all}                | {'mode':'test','allowed_networks':['\u200b']}        | allowed_networks:invalid",
                "POST | {all}                | {'mode':'test','allowed_networks':['x','10.0.0.1/8']} | allowed_networks:invalid",
                "POST | {all}                | {'mode':'test','expires_at':'2030-01-31'}            | expires_at:invalid",
                "POST | {all}                | {'mode':'test','expires_at':'2026-03-10T14:30:20Z'}  | expires_at:invalid",
                "POST | {all}                | {'mode':'test','expires_at':''}                      | expires_at:invalid",
                "POST | {all}/{none}/rotate  | {'overlap':-1,'expires_at':'2026-03-10T14:30:19Z'}   | overlap:invalid expires_at:invalid",
                "POST | {all}/{none}/rotate  | {'overlap':2592001}                                  | overlap:invalid",
                "POST | {all}/{none}/rotate  | {'overlap':0.5}                                      | overlap:wrong_type",
                "PUT  | {all}/{none}/networks | {'allowed_networks':['192.0.2.7',7]}                | allowed_networks:wrong_type",
            })
    void anInvalidFieldIsNamed(String method, String path, String body, String errors) {
        String target =
                path.replace("{all}", all).replace("{none}", UUID.randomUUID().toString());

        Answer refused = method.equals("GET")
                ? admin.get(target)
                : Api.send(admin.json(method, target, body.replace('\'', '"')));

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactlyInAnyOrder(errors.split(" "));
    }

    @Test
    void keysAreListedAndShownWithoutTheirText() {
        Answer first = made("{'mode':'test'}");
        Answer made = made("{'mode':'live','name':'Till 7','scopes':['transactions:read','cashins:write']}");

        JsonNode page = admin.get(all).expect(200).json();
        Answer shown = admin.get(one(made)).expect(200);

        assertThat(page.path("keys").size()).isEqualTo(2);
        assertThat(page.path("keys").path(0).toString()).isEqualTo(shown.body());
        assertThat(page.path("next_cursor").isNull()).isTrue();
        assertThat(shown.body()).doesNotContain(made.text("key")).doesNotContain("hash");
        assertThat(shown.text("name")).isEqualTo("Till 7");
        assertThat(shown.text("mode")).isEqualTo("live");
        assertThat(shown.text("status")).isEqualTo("active");
        assertThat(shown.json().path("scopes").toString()).isEqualTo("[\"cashins:write\",\"transactions:read\"]");
        assertThat(shown.json().path("last_used_at").isNull()).isTrue();
        assertThat(first.json().path("scopes").toString())
                .isEqualTo("[\"cashins:write\",\"statement:read\",\"transactions:read\"]");
        assertThat(admin.get(all + "?after=" + made.text("id"))
                        .json()
                        .path("keys")
                        .size())
                .isEqualTo(1);
    }

    @Test
    void aRotatedKeyWorksBesideTheNewOneForTheOverlap() {
        Answer old = made("{'mode':'test','name':'shop','scopes':['transactions:read']}");

        Answer next = admin.post(one(old) + "/rotate", "{\"overlap\":3600}").expect(201);

        assertThat(next.text("name")).isEqualTo("shop");
        assertThat(next.json().path("scopes").toString()).isEqualTo("[\"transactions:read\"]");
        assertThat(next.text("replaces")).isEqualTo(old.text("id"));
        assertThat(next.text("key")).startsWith("sk_test_").isNotEqualTo(old.text("key"));
        assertThat(next.json().path("expires_at").isNull()).isTrue();
        assertThat(Instant.parse(next.json().path("previous").path("expires_at").asString()))
                .isBetween(
                        desk.clock().instant().plus(Duration.ofMinutes(59)),
                        desk.clock().instant().plus(Duration.ofMinutes(60)));
    }

    /** The operator has lost the first response, and with it the key. */
    @Test
    void aKeyRotatedTwiceGivesBothNewKeysItsLifetime() {
        Answer forEver = made("{'mode':'test'}");
        admin.post(one(forEver) + "/rotate", "{}").expect(201);
        Instant end = desk.clock().instant().plus(Duration.ofDays(90));
        Answer ending = made("{'mode':'test','expires_at':'" + end + "'}");
        admin.post(one(ending) + "/rotate", "{}").expect(201);

        Answer second = admin.post(one(forEver) + "/rotate", "{}").expect(201);
        Answer secondEnding = admin.post(one(ending) + "/rotate", "{}").expect(201);

        assertThat(second.json().path("expires_at").isNull()).isTrue();
        assertThat(Instant.parse(secondEnding.text("expires_at"))).isBetween(end, end.plus(Duration.ofMinutes(1)));
    }

    @Test
    void withoutAnOverlapTheOldKeyStopsAtOnce() {
        Answer old = made("{'mode':'test'}");

        admin.post(one(old) + "/rotate", "{\"overlap\":0}").expect(201);

        assertThat(admin.get(one(old)).text("status")).isEqualTo("expired");
        admin.post(one(old) + "/rotate", "{}").expectProblem(409, "key_not_active");
    }

    /** MongoDB refuses to store the new key, after it has changed the old one. */
    @Test
    void aFailedRotationChangesNothing() {
        Answer old = made("{'mode':'test','name':'fixed'}");
        String keys = admin.get(all).expect(200).body();
        validate(Document.parse("{$nor: [{name: 'fixed', replaces: {$exists: true}}]}"));
        try {
            admin.post(one(old) + "/rotate", "{}").expectProblem(503, "unavailable");
        } finally {
            validate(new Document());
        }

        assertThat(admin.get(all).expect(200).body()).isEqualTo(keys);
        admin.post(one(old) + "/rotate", "{}").expect(201);
    }

    private void validate(Document validator) {
        desk.mongo()
                .getDb()
                .runCommand(new Document("collMod", CollectionNames.API_KEYS).append("validator", validator));
    }

    @Test
    void aRevokedKeyStaysInTheListAndCannotBeRotated() {
        Answer made = made("{'mode':'test'}");
        admin.delete(one(made)).expect(204);

        Answer shown = admin.get(one(made)).expect(200);
        assertThat(shown.text("status")).isEqualTo("revoked");
        assertThat(shown.text("revoked_at")).isNotEmpty();
        admin.post(one(made) + "/rotate", "{}").expectProblem(409, "key_not_active");
        admin.delete(one(made)).expect(204);
        assertThat(admin.get(one(made)).body()).isEqualTo(shown.body());
    }

    @Test
    void networksHaveTheirNormalForm() {
        Answer made = made("{'mode':'test','allowed_networks':[' 192.0.2.7 ','10.0.0.0/8','192.0.2.7']}");

        assertThat(made.json().path("allowed_networks").toString()).isEqualTo("[\"192.0.2.7/32\",\"10.0.0.0/8\"]");
        assertThat(admin.put(one(made) + "/networks", "{}")
                        .expect(200)
                        .json()
                        .path("allowed_networks")
                        .isNull())
                .isTrue();
    }

    @Test
    void aKeyOfAnotherMerchantIsNotFound() {
        Answer made = made("{'mode':'test'}");
        String other = admin.post("/admin/merchants", "{\"name\":\"x\"}").text("id");
        for (String id : List.of(other, UUID.randomUUID().toString(), "x")) {
            String others = "/admin/merchants/" + id + "/keys/" + made.text("id");
            admin.get(others).expectProblem(404, "not_found");
            admin.post(others + "/rotate", "{}").expectProblem(404, "not_found");
            admin.put(others + "/networks", "{}").expectProblem(404, "not_found");
            admin.delete(others).expectProblem(404, "not_found");
        }
        String nobodys = "/admin/merchants/" + UUID.randomUUID() + "/keys";
        admin.get(nobodys).expectProblem(404, "not_found");
        admin.post(nobodys, "{\"mode\":\"test\"}").expectProblem(404, "not_found");
        assertThat(admin.get(one(made)).text("status")).isEqualTo("active");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST | | {'mode':'live','scopes':['transactions:write']} | money",
                "POST | | {'mode':'live','scopes':['cashouts:write','transactions:read']} | money",
                "POST | | {'mode':'live','scopes':['cashouts:approve']} | money",
                "POST | | {'mode':'live','scopes':['cashins:write','transactions:read','statement:read','webhooks:manage']} | operate",
                "POST | | {'mode':'live'} | operate",
                "POST | | {'mode':'test','scopes':['transactions:write','cashouts:approve']} | operate",
                "POST | /paying/rotate | {} | money",
                "POST | /paying/rotate | {'overlap':0} | money",
                "POST | /reading/rotate | {} | operate",
                "POST | /test/rotate | {} | operate",
                "PUT | /paying/networks | {'allowed_networks':['192.0.2.7']} | operate",
                "PUT | /paying/networks | {'allowed_networks':['192.0.2.7','203.0.113.7']} | money",
                "PUT | /paying/networks | {} | money",
                "PUT | /reading/networks | {} | operate",
                "PUT | /test/networks | {} | operate",
                "DELETE | /paying | {} | operate",
            })
    void whatLetsMoreMoneyOutNeedsTheRoleMoney(String method, String path, String body, String role) {
        String target = path == null
                ? all
                : all
                        + path.replace("paying", keyWith("'live','scopes':['cashouts:write']"))
                                .replace("reading", keyWith("'live','scopes':['transactions:read']"))
                                .replace("test", keyWith("'test','scopes':['transactions:write']"));
        String json = body.replace('\'', '"');

        for (String other : Set.of("read", role.equals("money") ? "operate" : "money")) {
            Api.send(admin.withToken(TOKENS.get(other)).json(method, target, json))
                    .expectProblem(403, "insufficient_role");
        }
        assertThat(Api.send(admin.withToken(TOKENS.get(role)).json(method, target, json))
                        .status())
                .isIn(200, 201, 204);
    }

    private String keyWith(String mode) {
        return made("{'mode':" + mode + ",'allowed_networks':['192.0.2.7','10.0.0.0/8']}")
                .text("id");
    }

    @Test
    void aReaderSeesKeysAndTheirUses() {
        Answer made = made("{'mode':'test'}");
        Api reader = admin.withToken(RunningDesk.READER_TOKEN);

        reader.get(all).expect(200);
        reader.get(one(made)).expect(200);
        reader.get("/admin/keys?hash=" + ApiKey.hash(made.text("key"))).expect(200);
        reader.post("/admin/keys/find", Map.of("key", made.text("key"))).expect(200);
        new Api(desk.url(), null).get(all).expectProblem(401, "unauthorized");
    }

    @Test
    void aMerchantBeginsWithAPlatformAndAKey() {
        Answer begun = admin.post(
                        "/admin/onboarding", "{\"name\":\"Café do Zé\",\"platform\":\"web\",\"mode\":\"test\"}")
                .expect(201);

        String path = begun.header("Location");
        assertThat(admin.get(path).expect(200).json()).isEqualTo(begun.json().path("merchant"));
        assertThat(admin.get(path + "/platforms").json().path("platforms").path(0))
                .isEqualTo(begun.json().path("platform"));
        JsonNode key = admin.get(path + "/keys").json().path("keys").path(0);
        assertThat(key.path("id").asString()).isEqualTo(begun.text("key_id"));
        assertThat(begun.text("key")).startsWith(key.path("prefix").asString());
        assertThat(key.path("scopes").toString())
                .isEqualTo("[\"statement:read\",\"transactions:read\",\"transactions:write\",\"webhooks:manage\"]");
        assertThat(begun.json().has("console_url")).isTrue();
        for (String token : List.of(RunningDesk.READER_TOKEN, RunningDesk.MONEY_TOKEN)) {
            admin.withToken(token)
                    .post("/admin/onboarding", "{\"name\":\"x\",\"platform\":\"web\",\"mode\":\"test\"}")
                    .expectProblem(403, "insufficient_role");
        }
        assertThat(admin.post("/admin/onboarding", "{\"city\":\"日本\"}")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactlyInAnyOrder("name:required", "platform:required", "mode:required", "city:invalid");
    }
}
