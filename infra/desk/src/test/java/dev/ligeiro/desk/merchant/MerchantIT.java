package dev.ligeiro.desk.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class MerchantIT {

    private static final String MERCHANTS = "/admin/merchants";

    private final RunningDesk desk;
    private final Api admin;
    private final Answer made;
    private final String one;

    MerchantIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.made = admin.post(MERCHANTS, "{\"name\":\" Café do Zé \"}").expect(201);
        this.one = made.header("Location");
    }

    @Test
    void aMerchantIsShownAsItWasMadeAndChanged() {
        assertThat(made.text("name")).isEqualTo("Café do Zé");
        assertThat(made.text("city")).isEqualTo("SAO PAULO");
        admin.put(one + "/fees", "{\"cashin\":{\"percent\":\"1.25\",\"fixed\":\"0.10\"}}")
                .expect(204);
        admin.put(
                        one + "/limits",
                        "{\"cashin\":{\"amount_min\":\"1.00\",\"amount_max\":\"99.90\"},\"writes_per_second\":7}")
                .expect(204);
        admin.put(one + "/expiry", "{\"expires_in\":900}").expect(204);
        admin.put(one + "/retention", "{\"retention_days\":400}").expect(204);
        admin.put(one + "/refunds", "{\"commission_returns\":true}").expect(204);
        admin.put(one + "/payers", "{\"payer_must_match\":true,\"refund_payer_mismatch\":true,\"payer_visible\":false}")
                .expect(204);

        Answer changed = admin.patch(one, "{\"city\":\"Belém\"}").expect(200);

        assertThat(changed.text("created_at")).isNotEmpty();
        assertThat(changed.body().replaceAll(",\"created_at\":\"[^\"]*\"", ""))
                .isEqualTo(
                        """
                {"id":"%s","number":%d,"name":"Café do Zé","city":"Belém","fees":{"cashin":{"percent":"1.2500","fixed":"0.10"}},\
                "commission_returns":true,"payer_must_match":true,"refund_payer_mismatch":true,"payer_visible":false,"limits":{"cashin":{"amount_min":"1.00","amount_max":"99.90"},"cashout":{"amount_min":null,"amount_max":null},\
                "reads_per_second":null,"writes_per_second":7},"expires_in":900,"retention_days":400}"""
                                .formatted(
                                        made.text("id"),
                                        made.json().path("number").asLong()));
        assertThat(admin.get(one).expect(200).body()).isEqualTo(changed.body());
        admin.put(one + "/expiry", "{\"expires_in\":null}").expect(204);
        admin.put(one + "/retention", "{\"retention_days\":null}").expect(204);
        admin.put(one + "/refunds", "{\"commission_returns\":false}").expect(204);
        assertThat(admin.get(one).body())
                .contains("\"commission_returns\":false", "\"expires_in\":null", "\"retention_days\":null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST  |            | {'name':' '}                                     | name:required",
                "POST  |            | {'name':'\u00a0\u200b'}                          | name:required",
                "POST  |            | {'name':[],'city':'Москва','fees':7}             | name:wrong_type city:invalid"
                        + " fees:wrong_type",
                "POST  |            | {'name':'日本'}                                   | name:invalid",
                "POST  |            | {'name':'a\\u0000'}                              | name:invalid",
                "POST  |            | {'name':'a','nome':'b'}                          | nome:unknown_field",
                "POST  |            | {'name':'a','fees':{'cashin':{'percent':'x'}}}   | fees.cashin.percent:invalid",
                "PATCH | /          | {'name':'日本','cidade':'x'}                      | name:invalid"
                        + " cidade:unknown_field",
                "POST  | /platforms | {}                                               | name:required mode:required",
                "POST  | /platforms | {'name':1,'mode':2}                              | name:wrong_type"
                        + " mode:wrong_type",
                "POST  | /platforms | {'name':'web','mode':'TEST'}                     | mode:invalid",
                "PUT   | /expiry    | {'expires_in':0}                                 | expires_in:invalid",
                "PUT   | /expiry    | {'expires_in':31536001}                          | expires_in:invalid",
                "PUT   | /expiry    | {'expires_in':99999999999}                       | expires_in:invalid",
                "PUT   | /expiry    | {'expires_in':'60'}                              | expires_in:wrong_type",
                "PUT   | /expiry    | {'expires_in':1.5}                               | expires_in:wrong_type",
                "PUT   | /retention | {'retention_days':89}                            | retention_days:invalid",
                "PUT   | /retention | {'days':400}                                     | days:unknown_field",
                "PUT   | /payers    | {'payer_visible':1}                              | payer_must_match:required refund_payer_mismatch:required payer_visible:wrong_type",
                "PUT   | /refunds   | {}                                               | commission_returns:required",
                "PUT   | /refunds   | {'commission_returns':'true'}                    | commission_returns:wrong_type",
                "PUT   | /fees      | {'cashin':'1','cashout':[]}                      | cashin:wrong_type"
                        + " cashout:wrong_type",
                "PUT   | /fees      | {'cashin':{'percent':1.25,'fixed':'0.001'}}      | cashin.percent:wrong_type"
                        + " cashin.fixed:invalid",
                "PUT   | /fees      | {'cashin':{'percent':'100.0001','fixed':'-0.01'}} | cashin.percent:invalid"
                        + " cashin.fixed:invalid",
                "PUT   | /fees      | {'cashin':{'percent':'0.00001','fixed':'10000000000'}} | cashin.percent:invalid"
                        + " cashin.fixed:invalid",
                "PUT   | /fees      | {'cashin':{'percent':'1,5'},'cashout':{'percent':'1e2'}} |"
                        + " cashin.percent:invalid cashout.percent:invalid",
                "PUT   | /fees      | {'cashout':{'percent':' '}}                      | cashout.percent:invalid",
                "PUT   | /limits    | {'cashin':7,'cashout':{'amount_max':'1.001'}}    | cashin:wrong_type"
                        + " cashout.amount_max:invalid",
                "PUT   | /limits    | {'cashin':{'amount_min':1,'amount_max':'0.00'}}  | cashin.amount_max:invalid"
                        + " cashin.amount_min:invalid",
                "PUT   | /limits    | {'cashout':{'amount_min':'2','amount_max':'1.99'}} | cashout.amount_min:invalid",
                "PUT   | /limits    | {'cashout':{'amount_max':''}}                    | cashout.amount_max:invalid",
                "PUT   | /limits    | {'cashout':{'max_amount':'60.00'}}               |"
                        + " cashout.max_amount:unknown_field",
                "PUT   | /limits    | {'reads_per_second':0,'writes_per_second':'7'}   | reads_per_second:invalid"
                        + " writes_per_second:wrong_type",
            })
    void anInvalidFieldIsNamed(String method, String path, String body, String errors) {
        String target = path == null ? MERCHANTS : one + (path.equals("/") ? "" : path);

        Answer refused = Api.send(admin.json(method, target, body.replace('\'', '"')));

        assertThat(refused.expectProblem(422, "validation_failed").fieldErrors())
                .containsExactlyInAnyOrder(errors.split(" "));
    }

    @Test
    void anUnknownMemberNamesTheOneThatWasMeant() {
        assertThat(admin.put(one + "/limits", "{\"write_per_second\":7}").body())
                .contains("expected a known name; the nearest one is writes_per_second");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                                   | {}",
                "{'cashin':null}                                                      | {}",
                "{'cashin':{}}                                                        |"
                        + " {'cashin':{'percent':'0.0000','fixed':'0.00'}}",
                "{'cashin':{'percent':'0.0001'},'cashout':{'percent':null,'fixed':'0.5'}} |"
                        + " {'cashin':{'percent':'0.0001','fixed':'0.00'},'cashout':{'percent':'0.0000','fixed':'0.50'}}",
                "{'cashout':{'percent':'100','fixed':'9999999999.99'}}                 |"
                        + " {'cashout':{'percent':'100.0000','fixed':'9999999999.99'}}",
            })
    void eachPartOfAFeeIsOptional(String fees, String shown) {
        admin.put(one + "/fees", fees.replace('\'', '"')).expect(204);

        assertThat(admin.get(one).json().path("fees").toString()).isEqualTo(shown.replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "019cd831-1973-7abc-9def-0123456789ab", "------------------------------------"})
    void anUnknownMerchantIsNotFound(String id) {
        String unknown = MERCHANTS + "/" + id;

        admin.post(unknown + "/platforms", "{\"name\":\"x\",\"mode\":\"test\"}").expectProblem(404, "not_found");
        for (String path : List.of("/fees", "/expiry", "/limits")) {
            admin.put(unknown + path, "{}").expectProblem(404, "not_found");
        }
        admin.put(unknown + "/refunds", "{\"commission_returns\":true}").expectProblem(404, "not_found");
        admin.patch(unknown, "{}").expectProblem(404, "not_found");
        admin.patch(unknown, "{\"city\":\"x\"}").expectProblem(404, "not_found");
        for (String path : List.of("", "/platforms", "/platforms/x")) {
            admin.get(unknown + path).expectProblem(404, "not_found");
        }
    }

    @Test
    void merchantsAreListedTheNewestFirstAndFoundByNumberAndName() {
        String name = "Padaria São " + UUID.randomUUID().toString().substring(0, 8);
        String newer = admin.post(MERCHANTS, Map.of("name", name)).expect(201).text("id");
        JsonNode found = merchants("?name=" + name.replace(" ", "%20").replace("ã", "A"));

        assertThat(merchants("").path(0).path("id").asString()).isEqualTo(newer);
        assertThat(merchants("?after=" + newer).path(0).path("id").asString()).isEqualTo(made.text("id"));
        assertThat(found).hasSize(1);
        assertThat(found.path(0).path("id").asString()).isEqualTo(newer);
        assertThat(merchants("?name=" + name.substring(8).replace(" ", "%20").replace("ã", "a")))
                .isEmpty();
        assertThat(merchants("?number=" + found.path(0).path("number").asLong()))
                .isEqualTo(found);
        assertThat(merchants("?number=999999999")).isEmpty();
        for (String query : List.of("?number=x", "?number=1&name=a", "?after=x", "?nmae=x")) {
            Answer refused = admin.get(MERCHANTS + query).expectProblem(422, "validation_failed");
            assertThat(refused.fieldErrors()).hasSize(1);
        }
    }

    private JsonNode merchants(String query) {
        return admin.get(MERCHANTS + query).expect(200).json().path("merchants");
    }

    @Test
    void platformsAreListedAndShown() {
        String all = one + "/platforms";
        Answer first = admin.post(all, "{\"name\":\"web\",\"mode\":\"test\"}").expect(201);
        Answer second = admin.post(all, "{\"name\":\"app\",\"mode\":\"live\"}").expect(201);

        assertThat(admin.get(all).expect(200).body())
                .isEqualTo("{\"platforms\":[" + first.body() + "," + second.body() + "],\"next_cursor\":null}");
        assertThat(admin.get(all + "?after=" + first.text("id"))
                        .json()
                        .path("platforms")
                        .toString())
                .isEqualTo("[" + second.body() + "]");
        assertThat(admin.get(second.header("Location")).expect(200).body())
                .isEqualTo("{\"id\":\"%s\",\"name\":\"app\",\"mode\":\"live\"}".formatted(second.text("id")));
        admin.get(all + "/" + UUID.randomUUID()).expectProblem(404, "not_found");
    }

    @Test
    void theLiveCashoutsOfANewMerchantBeginStopped() {
        long number = made.json().path("number").asLong();

        Document guard = Objects.requireNonNull(
                desk.mongo().findById(Tenant.of(number, Mode.LIVE).key(), Document.class, CollectionNames.GUARDS));

        assertThat(guard.getBoolean(GuardDocument.NOT_OPENED)).isTrue();
        assertThat(GuardDocument.read(guard).amountMax()).isNull();
        assertThat(desk.mongo().findById(Tenant.of(number, Mode.TEST).key(), Document.class, CollectionNames.GUARDS))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'cashout':{'amount_min':'2.00','amount_max':'400.00'},'reads_per_second':5,'writes_per_second':5} |"
                        + " operate",
                "{'cashout':{'amount_min':'2.00','amount_max':'500.01'},'reads_per_second':5,'writes_per_second':5} |"
                        + " money",
                "{'cashout':{'amount_min':'0.99','amount_max':'500.00'},'reads_per_second':5,'writes_per_second':5} |"
                        + " money",
                "{'cashout':{'amount_min':'2.00'},'reads_per_second':5,'writes_per_second':5} | money",
                "{'cashout':{'amount_min':'2.00','amount_max':'400.00'},'reads_per_second':5,'writes_per_second':51} |"
                        + " money",
                "{'cashout':{'amount_min':'2.00','amount_max':'400.00'},'reads_per_second':5} | money",
                "{} | money",
            })
    void aRaisedLimitNeedsTheRoleMoney(String limits, String role) {
        admin.put(
                        one + "/limits",
                        "{\"cashout\":{\"amount_min\":\"1.00\",\"amount_max\":\"500.00\"},\"reads_per_second\":50,\"writes_per_second\":50}")
                .expect(204);
        boolean needsMoney = role.equals("money");
        Set<String> refused =
                Set.of(RunningDesk.READER_TOKEN, needsMoney ? RunningDesk.OPERATOR_TOKEN : RunningDesk.MONEY_TOKEN);

        for (String token : refused) {
            admin.withToken(token)
                    .put(one + "/limits", limits.replace('\'', '"'))
                    .expectProblem(403, "insufficient_role");
        }
        admin.withToken(needsMoney ? RunningDesk.MONEY_TOKEN : RunningDesk.OPERATOR_TOKEN)
                .put(one + "/limits", limits.replace('\'', '"'))
                .expect(204);
    }

    @Test
    void whoLacksATokenOrARoleIsRefused() {
        assertThat(new Api(desk.url(), null)
                        .get(MERCHANTS)
                        .expectProblem(401, "unauthorized")
                        .header("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"ligeiro-admin\"");
        for (String token : List.of(RunningDesk.READER_TOKEN, RunningDesk.MONEY_TOKEN)) {
            Api other = admin.withToken(token);
            other.post(MERCHANTS, "{\"name\":\"x\"}").expectProblem(403, "insufficient_role");
            other.patch(one, "{}").expectProblem(403, "insufficient_role");
            other.put(one + "/fees", "{}").expectProblem(403, "insufficient_role");
            other.put(one + "/expiry", "{}").expectProblem(403, "insufficient_role");
            other.put(one + "/refunds", "{\"commission_returns\":true}").expectProblem(403, "insufficient_role");
            other.post(one + "/platforms", "{\"name\":\"x\",\"mode\":\"test\"}")
                    .expectProblem(403, "insufficient_role");
            for (String path : List.of(MERCHANTS, one, one + "/platforms")) {
                other.get(path).expect(200);
            }
        }
    }

    @Test
    void problemsHaveTheFormOfThePublicPort() {
        admin.get("/admin/nowhere").expectProblem(404, "not_found");
        admin.post(MERCHANTS, "{").expectProblem(400, "malformed_request");
        admin.post(MERCHANTS, "[]").expectProblem(400, "malformed_request");
        admin.post(MERCHANTS, "{\"name\":\"a\",\"name\":\"b\"}").expectProblem(400, "malformed_request");
        admin.post(MERCHANTS, "{\"name\":\"" + "a".repeat(70_000) + "\"}").expectProblem(413, "body_too_large");
        admin.delete(MERCHANTS).expectProblem(405, "method_not_allowed");
        Api.send(admin.json("POST", MERCHANTS, "{}").setHeader("Content-Type", "text/plain"))
                .expectProblem(415, "unsupported_media_type");
    }
}
