package dev.ligeiro.gateway.auth;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.StoredTransactions;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.testing.http.Answer;
import dev.ligeiro.testing.http.Api;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedGateway.class)
class AuthenticationIT {

    private static final String WEBHOOKS = "/api/v1/webhooks";
    private static final String PAY = "/api/v1/sandbox/transaction/019cd831-1973-7abc-9def-0123456789ab/pay";

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    AuthenticationIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @Test
    void everyPathNeedsAKey() {
        Api withoutKey = gateway.api();
        List<Answer> answers = List.of(
                withoutKey.post(CASHIN, merchant.cashin()),
                withoutKey.post(CASHOUT, "{"),
                withoutKey.get(ONE + UUID.randomUUID()),
                withoutKey.get(ALL),
                withoutKey.get(WEBHOOKS),
                withoutKey.post(WEBHOOKS, "{}"),
                withoutKey.postNothing(PAY));

        assertThat(answers).allSatisfy(answer -> assertThat(
                        answer.expectProblem(401, "unauthorized").header("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"ligeiro\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Basic c2s6",
                "Bearer",
                "Bearer ",
                "Token x",
                "sk_test_x",
                "Bearer sk_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "Bearer {\"$gt\":\"\"}",
                "Bearer the-admin-token-of-the-tests"
            })
    void aWrongAuthorizationHeaderIsUnauthorized(String authorization) {
        Answer refused = Api.send(gateway.api().request(ALL).header("Authorization", authorization));

        assertThat(refused.expectProblem(401, "unauthorized").header("WWW-Authenticate"))
                .startsWith("Bearer realm=\"ligeiro\"");
    }

    /** RFC 7235 §2.1: a scheme is not case-sensitive. */
    @Test
    void theSchemeIsNotCaseSensitive() {
        Api.send(gateway.api().request(ALL).header("Authorization", "bearer  " + merchant.key()))
                .expect(200);
    }

    @ParameterizedTest
    @CsvSource({
        "transactions:read,  200 200 403 403 403",
        "transactions:write, 403 403 422 403 404",
        "webhooks:manage,    403 403 403 200 403",
    })
    void aScopeAllowsItsOwnPathsOnly(String scope, String statuses) {
        String id = merchant.created(merchant.cashin());
        Api limited = gateway.api()
                .withToken(merchant.newKey("{\"mode\":\"test\",\"scopes\":[\"" + scope + "\"]}")
                        .text("key"));
        List<Answer> answers = List.of(
                limited.get(ALL),
                limited.get(ONE + id),
                limited.post(CASHIN, "{}"),
                limited.get(WEBHOOKS),
                limited.postNothing(PAY));

        assertThat(answers.stream().map(answer -> String.valueOf(answer.status())))
                .containsExactly(statuses.split(" "));
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 403)
                .isNotEmpty()
                .allSatisfy(answer -> answer.expectProblem(403, "insufficient_scope"));
    }

    @Test
    void aRevokedKeyStopsWorkingAtOnce() {
        Answer made = merchant.newKey("{\"mode\":\"test\"}");
        Api second = gateway.api().withToken(made.text("key"));
        second.get(ALL).expect(200);

        gateway.admin()
                .delete("/admin/merchants/" + merchant.id() + "/keys/" + made.text("id"))
                .expect(204);

        second.get(ALL).expectProblem(401, "unauthorized");
        merchant.api().get(ALL).expect(200);
    }

    @Test
    void aCachedKeyStopsWorkingWhenItExpires() {
        Instant end = gateway.clock().instant().plus(Duration.ofMinutes(10));
        Api shortLived = gateway.api()
                .withToken(merchant.newKey("{\"mode\":\"test\",\"expires_at\":\"" + end + "\"}")
                        .text("key"));
        gateway.clock().move(Duration.ofMinutes(9));
        shortLived.get(ALL).expect(200);

        gateway.clock().move(Duration.ofMinutes(1));

        shortLived.get(ALL).expectProblem(401, "unauthorized");
    }

    @Test
    void onlyTheHashOfAKeyIsStored() {
        try (StoredTransactions stored = new StoredTransactions(gateway.database())) {
            List<Document> keys = stored.all("api_keys");

            assertThat(keys).isNotEmpty().allSatisfy(key -> assertThat(key.toJson())
                    .doesNotContain("sk_test_")
                    .doesNotContain(merchant.key().substring("sk_test_".length())));
            assertThat(keys).extracting(key -> key.getString("hash")).contains(ApiKey.hash(merchant.key()));
        }
    }

    @Test
    void aLiveKeyReachesNeitherTheSandboxNorTheSimulator() {
        Api live = gateway.api().withToken(LiveKeys.store(merchant));

        live.postNothing(PAY).expectProblem(403, "test_mode_only");
        String testId = merchant.created(merchant.cashin());
        live.get(ONE + testId).expectProblem(404, "transaction_not_found");
        live.post(CASHIN, merchant.cashin()).expectProblem(403, "live_mode_not_available");
        live.post(CASHOUT, "{}").expectProblem(403, "live_mode_not_available");
    }
}
