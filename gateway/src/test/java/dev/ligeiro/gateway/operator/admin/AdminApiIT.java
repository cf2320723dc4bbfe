package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
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

    /** AdminRolesIT has the routes. */
    @ParameterizedTest
    @ValueSource(strings = {"", "x", "an-admin-token-of-the-tests", "the-admin-token-of-the-tests2"})
    void aWrongTokenIsRefused(String token) {
        Answer refused = gateway.admin().withToken(token).get(MERCHANTS).expectProblem(401, "unauthorized");

        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"ligeiro-admin\"");
    }

    /** As for API keys (RFC 9110 §11.1). */
    @Test
    void theNameOfTheSchemeMayBeInLowerCase() {
        Api.send(gateway.admin()
                        .withToken(null)
                        .request("/admin/merchants")
                        .header("Authorization", "bearer " + RunningGateway.ADMIN_TOKEN))
                .expect(200);
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
            quoteCharacter = '`',
            value = {
                "POST | /admin/merchants              | {'name':' '}                                     | name:required",
                "POST | /admin/merchants              | {'name':[],'city':'Москва','fees':7}             | name:wrong_type city:invalid fees:wrong_type",
                "POST | /admin/merchants              | {'name':'日本'}                                   | name:invalid",
                "POST | /admin/merchants              | {'name':'a\\u0000'}                              | name:invalid",
                "POST | /admin/merchants              | {'name':'a','fees':{'cashin':{'percent':'x'}}}   | fees.cashin.percent:invalid",
                "POST | /admin/merchants/{}/platforms | {}                                               | name:required mode:required",
                "POST | /admin/merchants/{}/platforms | {'name':1,'mode':2}                              | name:wrong_type mode:wrong_type",
                "POST | /admin/merchants/{}/platforms | {'name':'web','mode':'TEST'}                     | mode:invalid",
                "POST | /admin/merchants/{}/keys      | {'name':7,'scopes':'all','expires_at':1}         | mode:required name:wrong_type scopes:wrong_type expires_at:wrong_type",
                "POST | /admin/merchants/{}/keys      | {'mode':'test','scopes':[1]}                     | scopes:wrong_type",
                "POST | /admin/merchants/{}/keys      | {'mode':'test','scopes':['all']}                 | scopes:invalid",
                "POST | /admin/merchants/{}/keys      | {'mode':'test','expires_at':'2030-01-31'}        | expires_at:invalid",
                "POST | /admin/merchants/{}/keys      | {'mode':'test','expires_at':'2026-03-10T14:30:20Z'} | expires_at:invalid",
                "POST | /admin/merchants/{}/keys/{key}/rotate | {'overlap':-1,'expires_at':'2026-03-10T14:30:19Z'} | overlap:invalid expires_at:invalid",
                "POST | /admin/merchants/{}/keys/{key}/rotate | {'overlap':2592001}                      | overlap:invalid",
                "POST | /admin/merchants/{}/keys/{key}/rotate | {'overlap':0.5}                          | overlap:wrong_type",
                "PUT  | /admin/merchants/{}/expiry    | {'expires_in':0}                                 | expires_in:invalid",
                "PUT  | /admin/merchants/{}/expiry    | {'expires_in':31536001}                          | expires_in:invalid",
                "PUT  | /admin/merchants/{}/expiry    | {'expires_in':'60'}                              | expires_in:wrong_type",
                "PUT  | /admin/merchants/{}/fees      | {'cashin':'1','cashout':[]}                      | cashin:wrong_type cashout:wrong_type",
                "PUT  | /admin/merchants/{}/fees      | {'cashin':{'percent':1.25,'fixed':'0.001'}}      | cashin.percent:wrong_type cashin.fixed:invalid",
                "PUT  | /admin/merchants/{}/fees      | {'cashin':{'percent':'100.0001','fixed':'-0.01'}} | cashin.percent:invalid cashin.fixed:invalid",
                "PUT  | /admin/merchants/{}/fees      | {'cashin':{'percent':'0.00001','fixed':'10000000000'}} | cashin.percent:invalid cashin.fixed:invalid",
                "PUT  | /admin/merchants/{}/fees      | {'cashin':{'percent':'1,5'},'cashout':{'percent':'1e2'}} | cashin.percent:invalid cashout.percent:invalid",
                "PUT  | /admin/merchants/{}/limits    | {'cashin':7,'cashout':{'amount_max':'1.001'}}    | cashin:wrong_type cashout.amount_max:invalid",
                "PUT  | /admin/merchants/{}/limits    | {'cashin':{'amount_min':1,'amount_max':'0.00'}}  | cashin.amount_max:invalid cashin.amount_min:wrong_type",
                "PUT  | /admin/merchants/{}/limits    | {'cashout':{'amount_min':'2','amount_max':'1.99'}} | cashout.amount_min:invalid",
                "PUT  | /admin/merchants/{}/limits    | {'reads_per_second':0,'writes_per_second':'7'}   | reads_per_second:invalid writes_per_second:wrong_type",
            })
    void anInvalidFieldIsNamed(String method, String path, String body, String errors) {
        String key = UUID.randomUUID().toString();
        Answer refused = Api.send(gateway.admin()
                .json(method, path.replace("{}", merchant.id()).replace("{key}", key), body.replace('\'', '"')));

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactly(errors.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "019cd831-1973-7abc-9def-0123456789ab", "------------------------------------"})
    void anUnknownMerchantIsNotFound(String id) {
        String one = MERCHANTS + "/" + id;

        gateway.admin()
                .post(one + "/platforms", "{\"name\":\"x\",\"mode\":\"test\"}")
                .expectProblem(404, "not_found");
        gateway.admin().post(one + "/keys", "{\"mode\":\"test\"}").expectProblem(404, "not_found");
        gateway.admin().put(one + "/fees", "{}").expectProblem(404, "not_found");
        gateway.admin().put(one + "/expiry", "{}").expectProblem(404, "not_found");
        gateway.admin().put(one + "/limits", "{}").expectProblem(404, "not_found");
        gateway.admin().patch(one, "{}").expectProblem(404, "not_found");
        gateway.admin().delete(one + "/keys/" + UUID.randomUUID()).expectProblem(404, "not_found");
        gateway.admin()
                .post(one + "/keys/" + UUID.randomUUID() + "/rotate", "{}")
                .expectProblem(404, "not_found");
        for (String path : List.of("", "/platforms", "/keys", "/keys/" + UUID.randomUUID(), "/platforms/x")) {
            gateway.admin().get(one + path).expectProblem(404, "not_found");
        }
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
                        .delete(MERCHANTS)
                        .expectProblem(405, "method_not_allowed")
                        .header("Allow"))
                .isEqualTo("GET, POST");
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

    @Test
    void aMerchantIsShownAsItWasMadeAndChanged() {
        TestMerchant made = TestMerchant.on(
                gateway, "{\"name\":\"Loja\",\"fees\":{\"cashin\":{\"percent\":\"1.25\",\"fixed\":\"0.10\"}}}");
        String one = MERCHANTS + "/" + made.id();
        String limits = "{\"cashin\":{\"amount_min\":\"1.00\",\"amount_max\":\"99.90\"},\"writes_per_second\":7}";
        gateway.admin().put(one + "/limits", limits).expect(204);
        gateway.admin().put(one + "/expiry", "{\"expires_in\":900}").expect(204);

        Answer changed = gateway.admin().patch(one, "{\"city\":\"Belém\"}").expect(200);

        assertThat(changed.json().path("created_at").asString()).isNotEmpty();
        assertThat(changed.body().replaceAll(",\"created_at\":\"[^\"]*\"", ""))
                .isEqualTo(
                        """
                {"id":"%s","number":%d,"name":"Loja","city":"Belém","fees":{"cashin":{"percent":"1.2500","fixed":"0.10"}},\
                "commission_returns":false,"limits":{"cashin":{"amount_min":"1.00","amount_max":"99.90"},"cashout":{"amount_min":null,"amount_max":null},\
                "reads_per_second":null,"writes_per_second":7},"expires_in":900}"""
                                .formatted(
                                        made.id(), changed.json().path("number").asLong()));
        assertThat(gateway.admin().get(one).expect(200).body()).isEqualTo(changed.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                                   | {}",
                "{'cashin':null}                                                      | {}",
                "{'cashin':{}}                                                        | {'cashin':{'percent':'0.0000','fixed':'0.00'}}",
                "{'cashin':{'percent':'0.0001'},'cashout':{'percent':null,'fixed':'0.5'}} | {'cashin':{'percent':'0.0001','fixed':'0.00'},'cashout':{'percent':'0.0000','fixed':'0.50'}}",
                "{'cashout':{'percent':'100','fixed':'9999999999.99'}}                 | {'cashout':{'percent':'100.0000','fixed':'9999999999.99'}}",
            })
    void eachPartOfAFeeIsOptional(String fees, String shown) {
        String one = MERCHANTS + "/" + merchant.id();
        gateway.admin().put(one + "/fees", fees.replace('\'', '"')).expect(204);

        assertThat(gateway.admin().get(one).json().path("fees").toString()).isEqualTo(shown.replace('\'', '"'));
    }

    @Test
    void merchantsAreListedNewestFirst() {
        String older = gateway.newMerchant().id();
        String newer = gateway.newMerchant().id();

        JsonNode all = gateway.admin().get(MERCHANTS).expect(200).json();
        JsonNode after =
                gateway.admin().get(MERCHANTS + "?after=" + newer).expect(200).json();

        assertThat(all.path("merchants").path(0).path("id").asString()).isEqualTo(newer);
        assertThat(after.path("merchants").path(0).path("id").asString()).isEqualTo(older);
        assertThat(gateway.admin()
                        .get(MERCHANTS + "?after=x&page=2")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("page:unknown", "after:invalid");
    }

    @Test
    void aMerchantIsFoundByItsNumberAndByTheBeginningOfItsName() {
        String name = "Padaria São " + UUID.randomUUID().toString().substring(0, 8);
        TestMerchant bakery = TestMerchant.on(gateway, "{\"name\":\"" + name + "\"}");
        JsonNode found = merchants("?name=" + name.replace(" ", "%20").replace("ã", "A"));

        assertThat(found).hasSize(1);
        assertThat(found.path(0).path("id").asString()).isEqualTo(bakery.id());
        assertThat(merchants("?name=" + name.substring(8).replace(" ", "%20").replace("ã", "a")))
                .isEmpty();
        assertThat(merchants("?number=" + found.path(0).path("number").asLong()))
                .isEqualTo(found);
        assertThat(merchants("?number=999999999")).isEmpty();
        gateway.admin().get(MERCHANTS + "?number=x").expectProblem(422, "validation_failed");
        gateway.admin().get(MERCHANTS + "?number=1&name=a").expectProblem(422, "validation_failed");
    }

    private JsonNode merchants(String query) {
        return gateway.admin().get(MERCHANTS + query).expect(200).json().path("merchants");
    }

    @Test
    void platformsAreListedAndShown() {
        String second = merchant.newPlatform();
        String all = MERCHANTS + "/" + merchant.id() + "/platforms";

        JsonNode page = gateway.admin().get(all).expect(200).json();
        JsonNode rest = gateway.admin()
                .get(all + "?after=" + merchant.platform())
                .expect(200)
                .json();

        assertThat(page.path("platforms").size()).isEqualTo(2);
        assertThat(page.path("next_cursor").isNull()).isTrue();
        assertThat(rest.path("platforms").size()).isEqualTo(1);
        assertThat(gateway.admin().get(all + "/" + second).expect(200).body())
                .isEqualTo(rest.path("platforms").path(0).toString());
    }

    @Test
    void theAmountsOfAMerchantHoldForItsCreates() {
        TestMerchant limited = gateway.newMerchant();
        String limits = MERCHANTS + "/" + limited.id() + "/limits";
        gateway.admin()
                .put(limits, "{\"cashin\":{\"amount_min\":\"5.00\",\"amount_max\":\"10.00\"}}")
                .expect(204);

        for (String amount : List.of("4.99", "10.01")) {
            assertThat(limited.api()
                            .post(TestMerchant.CASHIN, limited.cashin().put("amount", amount))
                            .expectProblem(422, "validation_failed")
                            .fieldErrors())
                    .containsExactly("amount:invalid");
        }
        limited.created(limited.cashin().put("amount", "5.00"));
        limited.created(limited.cashin().put("amount", "10.00"));
        limited.api()
                .post(TestMerchant.CASHOUT, limited.cashout().put("amount", "10.01"))
                .expect(201);
        gateway.admin().put(limits, "{}").expect(204);
        limited.created(limited.cashin().put("amount", "10.01"));
    }

    @Test
    void theNetworksOfWebhooksAreShown() {
        assertThat(gateway.admin().get("/admin/webhook-networks").expect(200).body())
                .isEqualTo("{\"networks\":[]}");
    }
}
