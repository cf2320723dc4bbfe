package dev.ligeiro.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.testing.http.Answer;
import dev.ligeiro.testing.http.Api;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@ExtendWith(SharedGateway.class)
class AdminApiIT {

    private static final String MERCHANTS = "/admin/merchants";

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    AdminApiIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "the-admin-token-of-the-test", "the-admin-token-of-the-tests2"})
    void everyCallNeedsTheToken(String token) {
        Api stranger = gateway.admin().withToken(token);
        String one = MERCHANTS + "/" + merchant.id();
        List<Answer> answers = List.of(
                stranger.post(MERCHANTS, "{\"name\":\"x\"}"),
                stranger.post(one + "/platforms", "{\"name\":\"x\",\"mode\":\"test\"}"),
                stranger.post(one + "/keys", "{\"mode\":\"test\"}"),
                stranger.delete(one + "/keys/" + UUID.randomUUID()),
                stranger.put(one + "/fees", "{}"),
                stranger.put(one + "/expiry", "{}"));

        assertThat(answers).allSatisfy(answer -> assertThat(
                        answer.expectProblem(401, "unauthorized").header("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"ligeiro-admin\""));
    }

    @Test
    void aMerchantsKeyIsNoAdminToken() {
        gateway.admin()
                .withToken(merchant.key())
                .post(MERCHANTS, "{\"name\":\"x\"}")
                .expect(401);
    }

    @Test
    void merchantsDoNotSeeEachOthersTransactions() {
        TestMerchant other = gateway.newMerchant();
        merchant.created(merchant.cashin());

        assertThat(other.id()).isNotEqualTo(merchant.id());
        assertThat(other.api().get(TestMerchant.ALL).json().path("total").asInt())
                .isZero();
    }

    @Test
    void aNewPlatformIsKnownAtOnce() {
        merchant.created(merchant.cashin());
        String platform = merchant.newPlatform();

        merchant.created(merchant.cashin().put("platform", platform));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | /admin/merchants               | {\"name\":\"\"}                          | name:required",
                "POST | /admin/merchants               | {\"name\":\"x\",\"fees\":{\"cashin\":7}} | fees.cashin:wrong_type",
                "POST | /admin/merchants/{}/platforms  | {\"mode\":\"test\"}                      | name:required",
                "POST | /admin/merchants/{}/keys       | {\"mode\":\"prod\"}                      | mode:invalid",
                "POST | /admin/merchants/{}/keys       | {\"mode\":\"test\",\"scopes\":[\"x\"]}   | scopes:invalid",
                "PUT  | /admin/merchants/{}/fees       | {\"cashin\":{\"percent\":\"101\"}}       | cashin.percent:invalid",
                "PUT  | /admin/merchants/{}/expiry     | {\"expires_in\":0}                      | expires_in:invalid",
                "PUT  | /admin/merchants/{}/expiry     | {\"expires_in\":31536001}               | expires_in:invalid",
                "PUT  | /admin/merchants/{}/expiry     | {\"expires_in\":\"60\"}                 | expires_in:wrong_type",
            })
    void anInvalidFieldIsNamed(String method, String path, String body, String error) {
        Answer refused = Api.send(gateway.admin().json(method, path.replace("{}", merchant.id()), body));

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly(error);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "019cd831-1973-7abc-9def-0123456789ab"})
    void anUnknownMerchantIsNotFound(String id) {
        String one = MERCHANTS + "/" + id;

        gateway.admin()
                .post(one + "/platforms", "{\"name\":\"x\",\"mode\":\"test\"}")
                .expectProblem(404, "not_found");
        gateway.admin().post(one + "/keys", "{\"mode\":\"test\"}").expectProblem(404, "not_found");
        gateway.admin().put(one + "/fees", "{}").expectProblem(404, "not_found");
        gateway.admin().put(one + "/expiry", "{}").expectProblem(404, "not_found");
        gateway.admin().delete(one + "/keys/" + UUID.randomUUID()).expectProblem(404, "not_found");
    }

    @Test
    void aKeyIsRemovedUnderItsOwnMerchantOnly() {
        Answer made = merchant.newKey("{\"mode\":\"test\"}");
        String otherId = gateway.newMerchant().id();

        gateway.admin()
                .delete(MERCHANTS + "/" + otherId + "/keys/" + made.text("id"))
                .expectProblem(404, "not_found");

        gateway.api().withToken(made.text("key")).get(TestMerchant.ALL).expect(200);
        String own = MERCHANTS + "/" + merchant.id() + "/keys/" + made.text("id");
        gateway.admin().delete(own).expect(204);
        gateway.admin().delete(own).expect(204);
        gateway.api().withToken(made.text("key")).get(TestMerchant.ALL).expect(401);
    }

    /** The request's own expiry comes first, then the merchant's, then the installation's. */
    @Test
    void theExpiryOfAMerchantHoldsForItsRequestsWithoutOne() {
        TestMerchant hasty = gateway.newMerchant();
        String expiry = MERCHANTS + "/" + hasty.id() + "/expiry";
        assertThat(secondsPending(hasty, hasty.cashin())).isEqualTo(24 * 3600);

        gateway.admin().put(expiry, "{\"expires_in\":900}").expect(204);
        assertThat(secondsPending(hasty, hasty.cashin())).isEqualTo(900);
        assertThat(secondsPending(hasty, hasty.cashin().put("expires_in", 60))).isEqualTo(60);
        assertThat(secondsPending(merchant, merchant.cashin())).isEqualTo(24 * 3600);

        gateway.admin().put(expiry, "{\"expires_in\":null}").expect(204);
        assertThat(secondsPending(hasty, hasty.cashin())).isEqualTo(24 * 3600);
    }

    private static long secondsPending(TestMerchant merchant, ObjectNode cashin) {
        JsonNode created =
                merchant.api().post(TestMerchant.CASHIN, cashin).expect(201).transaction();
        return ChronoUnit.SECONDS.between(time(created, "date_created"), time(created, "expires_at"));
    }

    private static LocalDateTime time(JsonNode transaction, String field) {
        return LocalDateTime.parse(transaction.path(field).stringValue().replace(' ', 'T'));
    }

    @Test
    void problemsHaveTheFormOfThePublicPort() {
        gateway.admin().get("/admin/nope").expectProblem(404, "not_found");
        gateway.admin().post(MERCHANTS, "{").expectProblem(400, "malformed_request");
        assertThat(gateway.admin()
                        .get(MERCHANTS)
                        .expectProblem(405, "method_not_allowed")
                        .header("Allow"))
                .isEqualTo("POST");
        Api.send(gateway.admin().json("POST", MERCHANTS, "{}").setHeader("Content-Type", "text/plain"))
                .expectProblem(415, "unsupported_media_type");
    }

    /** Transactions are created on the public port only, keys on the management port only. */
    @Test
    void thePortsDoNotServeEachOther() {
        gateway.admin()
                .withToken(merchant.key())
                .post(TestMerchant.CASHIN, merchant.cashin())
                .expectProblem(404, "not_found");
        gateway.api()
                .withToken(RunningGateway.ADMIN_TOKEN)
                .post(MERCHANTS, "{\"name\":\"x\"}")
                .expectProblem(404, "not_found");
    }
}
