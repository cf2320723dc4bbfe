package dev.ligeiro.gateway.operator.admin;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.ApiKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class KeyApiIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final String all;

    KeyApiIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.all = "/admin/merchants/" + merchant.id() + "/keys";
    }

    @Test
    void aKeyIsFoundByItsHashAndByItsBeginning() {
        Answer made = merchant.newKey("{\"mode\":\"live\",\"name\":\"Till 8\"}");
        String key = made.text("key");
        gateway.admin().delete(one(made)).expect(204);

        JsonNode byHash = found("?hash=" + ApiKey.hash(key));

        assertThat(byHash).hasSize(1);
        JsonNode item = byHash.path(0);
        assertThat(item.path("merchant_id").asString()).isEqualTo(merchant.id());
        assertThat(item.path("merchant_name").asString()).isEqualTo("Café do Zé");
        assertThat(item.path("id").asString()).isEqualTo(made.text("id"));
        assertThat(item.path("prefix").asString()).isEqualTo(key.substring(0, 12));
        assertThat(item.path("status").asString()).isEqualTo("revoked");
        assertThat(found("?prefix=" + key.substring(0, 12))).contains(item);
        assertThat(found("?prefix=" + key)).contains(item);
        assertThat(found("?prefix=" + key.replace("sk_live", "sk_test"))
                        .valueStream()
                        .map(each -> each.path("id")))
                .doesNotContain(item.path("id"));
        assertThat(found("?hash=" + ApiKey.hash("sk_live_x"))).isEmpty();
        for (String query : List.of("", "?hash=x", "?prefix=sk_live_", "?prefix=a&hash=b")) {
            gateway.admin().get("/admin/keys" + query).expectProblem(422, "validation_failed");
        }
    }

    private JsonNode found(String query) {
        return gateway.admin().get("/admin/keys" + query).expect(200).json().path("keys");
    }

    @Test
    void keysAreListedAndShownWithoutTheirText() {
        Answer made = merchant.newKey("{\"mode\":\"live\",\"name\":\"Till 7\",\"scopes\":[\"cashins:write\"]}");

        JsonNode page = gateway.admin().get(all).expect(200).json();
        Answer shown = gateway.admin().get(one(made)).expect(200);

        assertThat(page.path("keys").size()).isEqualTo(2);
        assertThat(page.path("keys").path(0).toString()).isEqualTo(shown.body());
        assertThat(page.path("next_cursor").isNull()).isTrue();
        assertThat(shown.body()).doesNotContain(made.text("key")).doesNotContain("hash");
        assertThat(shown.text("name")).isEqualTo("Till 7");
        assertThat(shown.text("mode")).isEqualTo("live");
        assertThat(shown.text("status")).isEqualTo("active");
        assertThat(shown.json().path("scopes").toString()).isEqualTo("[\"cashins:write\"]");
        assertThat(shown.json().path("last_used_at").isNull()).isTrue();
        assertThat(gateway.admin()
                        .get(all + "?after=" + made.text("id"))
                        .json()
                        .path("keys")
                        .size())
                .isEqualTo(1);
    }

    @Test
    void aRotatedKeyWorksBesideTheNewOneForTheOverlap() {
        Answer old = merchant.newKey("{\"mode\":\"test\",\"name\":\"shop\",\"scopes\":[\"transactions:read\"]}");

        Answer next =
                gateway.admin().post(one(old) + "/rotate", "{\"overlap\":3600}").expect(201);

        assertThat(next.text("name")).isEqualTo("shop");
        assertThat(next.json().path("scopes").toString()).isEqualTo("[\"transactions:read\"]");
        assertThat(next.text("replaces")).isEqualTo(old.text("id"));
        assertThat(next.json().path("expires_at").isNull()).isTrue();
        assertThat(Instant.parse(next.json().path("previous").path("expires_at").asString()))
                .isBetween(
                        gateway.clock().instant().plus(Duration.ofMinutes(59)),
                        gateway.clock().instant().plus(Duration.ofMinutes(60)));
        with(old).get(ALL).expect(200);
        with(next).get(ALL).expect(200);

        gateway.clock().move(Duration.ofHours(1));

        with(old).get(ALL).expectProblem(401, "unauthorized");
        with(next).get(ALL).expect(200);
        assertThat(gateway.admin().get(one(old)).text("status")).isEqualTo("expired");
    }

    /** The operator has lost the first response, and with it the key. */
    @Test
    void aKeyRotatedTwiceGivesBothNewKeysItsLifetime() {
        Answer forEver = merchant.newKey("{\"mode\":\"test\"}");
        gateway.admin().post(one(forEver) + "/rotate", "{}").expect(201);
        Instant end = gateway.clock().instant().plus(Duration.ofDays(90));
        Answer ending = merchant.newKey("{\"mode\":\"test\",\"expires_at\":\"" + end + "\"}");
        gateway.admin().post(one(ending) + "/rotate", "{}").expect(201);

        Answer second = gateway.admin().post(one(forEver) + "/rotate", "{}").expect(201);
        Answer secondEnding =
                gateway.admin().post(one(ending) + "/rotate", "{}").expect(201);

        assertThat(second.json().path("expires_at").isNull()).isTrue();
        assertThat(Instant.parse(secondEnding.text("expires_at"))).isBetween(end, end.plus(Duration.ofMinutes(1)));
        with(second).get(ALL).expect(200);
    }

    @Test
    void withoutAnOverlapTheOldKeyStopsAtOnce() {
        Answer old = merchant.newKey("{\"mode\":\"test\"}");
        with(old).get(ALL).expect(200);

        Answer next =
                gateway.admin().post(one(old) + "/rotate", "{\"overlap\":0}").expect(201);

        with(old).get(ALL).expectProblem(401, "unauthorized");
        with(next).get(ALL).expect(200);
        gateway.admin().post(one(old) + "/rotate", "{}").expectProblem(409, "key_not_active");
    }

    /** MongoDB refuses to change the old key. */
    @Test
    void aFailedRotationChangesNothing() {
        Answer old = merchant.newKey("{\"mode\":\"test\",\"name\":\"fixed\"}");
        String keys = gateway.admin().get(all).expect(200).body();
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            stored.validate(
                    "api_keys",
                    Filters.nor(Filters.and(Filters.eq("name", "fixed"), Filters.gt("expiresAt", new Date(0)))));
            try {
                gateway.admin().post(one(old) + "/rotate", "{}").expectProblem(503, "unavailable");
            } finally {
                stored.validate("api_keys", new Document());
            }
        }

        assertThat(gateway.admin().get(all).expect(200).body()).isEqualTo(keys);
        gateway.admin().post(one(old) + "/rotate", "{}").expect(201);
    }

    @Test
    void aRevokedKeyStaysInTheListAndCannotBeRotated() {
        Answer made = merchant.newKey("{\"mode\":\"test\"}");
        gateway.admin().delete(one(made)).expect(204);

        Answer shown = gateway.admin().get(one(made)).expect(200);
        assertThat(shown.text("status")).isEqualTo("revoked");
        assertThat(shown.text("revoked_at")).isNotEmpty();
        gateway.admin().post(one(made) + "/rotate", "{}").expectProblem(409, "key_not_active");
        gateway.admin().delete(one(made)).expect(204);
        assertThat(gateway.admin().get(one(made)).body()).isEqualTo(shown.body());
    }

    @Test
    void aKeyOfAnotherMerchantIsNotFound() {
        Answer made = merchant.newKey("{\"mode\":\"test\"}");
        String others = "/admin/merchants/" + gateway.newMerchant().id() + "/keys/" + made.text("id");

        gateway.admin().get(others).expectProblem(404, "not_found");
        gateway.admin().post(others + "/rotate", "{}").expectProblem(404, "not_found");
        gateway.admin().delete(others).expectProblem(404, "not_found");
        with(made).get(ALL).expect(200);
    }

    private String one(Answer made) {
        return all + "/" + made.text("id");
    }

    private Api with(Answer made) {
        return gateway.api().withToken(made.text("key"));
    }
}
