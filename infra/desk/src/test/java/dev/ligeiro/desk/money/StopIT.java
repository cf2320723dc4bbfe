package dev.ligeiro.desk.money;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.merchant.GuardController;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class StopIT {

    private static final String STOP = "/admin/cashouts-stop";
    private static final String ROUTE = "/admin/route-stop";

    private final RunningDesk desk;
    private final Api admin;
    private final String merchant;
    private final Tenant live;

    StopIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        Stored stored = Stored.of(desk, "Café do Zé");
        this.merchant = stored.merchantId().toString();
        this.live = stored.tenant(Mode.LIVE);
    }

    @Test
    void stopsOfCashoutsAreListedUntilTheyAreResumed() {
        String of = "\"merchant\":\"" + merchant + "\",\"rail\":\"simulator\",\"reason\":\"a test\"";

        admin.put(STOP, "{\"stopped\":true," + of + "}").expect(200);
        admin.put(STOP, "{\"stopped\":true," + of + "}").expect(200);

        assertThat(stops("simulator")).singleElement().satisfies(stop -> {
            assertThat(stop.path("operator").stringValue()).isEqualTo("admin");
            assertThat(stop.path("merchant_name").stringValue()).isEqualTo("Café do Zé");
            assertThat(stop.path("mode").isNull()).isTrue();
        });
        admin.put(STOP, "{\"stopped\":false," + of + "}").expect(200);
        assertThat(stops("simulator")).isEmpty();
        assertThat(admin.get("/admin/audit?merchant=" + merchant)
                        .expect(200)
                        .json()
                        .path("audit"))
                .filteredOn(entry -> entry.path("action").asString().contains(STOP))
                .hasSize(3);
    }

    /** A stop of all or a guard meanwhile changes nothing about it. */
    @Test
    void theLiveCashoutsOfANewMerchantAreStoppedUntilTheyAreOpened() {
        desk.bean(GuardController.class).begin(CashoutGuard.none(live, ZoneOffset.UTC, Instant.now()));
        assertThat(stops(null)).singleElement().satisfies(stop -> {
            assertThat(stop.path("mode").stringValue()).isEqualTo("live");
            assertThat(stop.path("merchant_name").stringValue()).isEqualTo("Café do Zé");
        });
        admin.put("/admin/merchants/" + merchant + "/guard", "{\"mode\":\"live\",\"amount_max\":\"9.00\"}")
                .expect(200);
        admin.put(STOP, "{\"stopped\":false,\"reason\":\"all\"}").expect(200);
        assertThat(stops(null)).hasSize(1);

        admin.put(STOP, "{\"stopped\":false,\"merchant\":\"" + merchant + "\",\"reason\":\"a contract\"}")
                .expect(200);

        assertThat(stops(null)).isEmpty();
        assertThat(admin.get("/admin/merchants/" + merchant + "/guard?mode=live")
                        .text("amount_max"))
                .isEqualTo("9.00");
    }

    private List<JsonNode> stops(@Nullable String rail) {
        return admin.get(STOP)
                .expect(200)
                .json()
                .path("stops")
                .valueStream()
                .filter(stop -> stop.path("merchant").asString("").equals(merchant)
                        && stop.path("rail").asString("").equals(rail == null ? "" : rail))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"reason\":\"x\"                                     | stopped",
                "\"stopped\":true                                     | reason",
                "\"stopped\":\"yes\",\"reason\":\"x\"                 | stopped",
                "\"stopped\":true,\"reason\":\"x\",\"rail\":\"none\"  | rail",
                "\"stopped\":true,\"reason\":\"x\",\"rail\":\"\"      | rail",
                "\"stopped\":true,\"reason\":\"x\",\"merchant\":\"\"  | merchant",
                "\"stopped\":true,\"reason\":\"x\",\"merchant\":\"7\" | merchant"
            })
    void aStopWithAFaultIsRefused(String fields, String name) {
        Answer refused = admin.put(STOP, "{" + fields + "}").expectProblem(422, "validation_failed");

        assertThat(refused.json().at("/errors/0/field").stringValue()).isEqualTo(name);
        admin.put(STOP, "{\"stopped\":true,\"reason\":\"x\",\"merchant\":\"" + UUID.randomUUID() + "\"}")
                .expectProblem(422, "validation_failed");
    }

    @Test
    void aRouteIsStoppedAndResumedByOperation() {
        assertThat(admin.put(ROUTE, "{\"stopped\":true,\"rail\":\"bank\",\"reason\":\"slow\"}")
                        .expect(200)
                        .json()
                        .path("stops"))
                .hasSize(2)
                .allSatisfy(stop -> assertThat(stop.propertyNames())
                        .containsExactly("rail", "operation", "reason", "operator", "at"));

        JsonNode left = admin.put(
                        ROUTE, "{\"stopped\":false,\"rail\":\"bank\",\"operation\":\"cashin\",\"reason\":\"fast\"}")
                .expect(200)
                .json();

        assertThat(left.at("/stops/0/operation").stringValue()).isEqualTo("cashout");
        assertThat(left.path("stops")).hasSize(1);
        for (String wrong : List.of("\"rail\":\"other\"", "\"rail\":\"bank\",\"operation\":\"\"")) {
            admin.put(ROUTE, "{\"stopped\":true,\"reason\":\"x\"," + wrong + "}")
                    .expectProblem(422, "validation_failed");
        }
        admin.put(ROUTE, "{\"stopped\":false,\"rail\":\"bank\",\"reason\":\"fast\"}")
                .expect(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cashouts-stop | {'stopped':true,'merchant':'MERCHANT','reason':'x'}                           | operator",
                "cashouts-stop | {'stopped':false,'merchant':'MERCHANT','reason':'x'}                          | treasurer",
                "route-stop    | {'stopped':false,'rail':'a-rail','operation':'cashin','reason':'x'}           | operator",
                "route-stop    | {'stopped':false,'rail':'a-rail','operation':'cashout','reason':'x'}          | treasurer",
                "route-stop    | {'stopped':false,'rail':'a-rail','reason':'x'}                                | treasurer"
            })
    void aStopNeedsOperateAndItsEndMoney(String path, String body, String who) {
        String json = body.replace('\'', '"').replace("MERCHANT", merchant);
        Api operator = admin.withToken(RunningDesk.OPERATOR_TOKEN);
        Api treasurer = admin.withToken(RunningDesk.MONEY_TOKEN);
        boolean isOperator = who.equals("operator");

        (isOperator ? treasurer : operator).put("/admin/" + path, json).expectProblem(403, "insufficient_role");
        (isOperator ? operator : treasurer).put("/admin/" + path, json).expect(200);
    }

    @Test
    void aFrozenMerchantIsListedUntilMoneyUnfreezesIt() {
        String one = "/admin/merchants/" + merchant;
        Api operator = admin.withToken(RunningDesk.OPERATOR_TOKEN);

        JsonNode frozen = operator.post(one + "/freeze", Map.of("reason", "a stolen key"))
                .expect(200)
                .json();

        assertThat(frozen.path("frozen").booleanValue()).isTrue();
        assertThat(frozen.at("/since/reason").stringValue()).isEqualTo("a stolen key");
        assertThat(frozen.at("/since/operator").stringValue()).isEqualTo("operator");
        assertThat(admin.get(STOP).expect(200).json().path("frozen").toString()).contains(merchant);
        operator.post(one + "/unfreeze", Map.of("reason", "x")).expectProblem(403, "insufficient_role");
        assertThat(admin.post(one + "/unfreeze", Map.of("reason", "the key is revoked"))
                        .expect(200)
                        .body())
                .isEqualTo("{\"frozen\":false}");
        assertThat(admin.get(STOP).expect(200).json().path("frozen").toString()).doesNotContain(merchant);
        admin.post("/admin/merchants/" + UUID.randomUUID() + "/freeze", Map.of("reason", "x"))
                .expectProblem(404, "not_found");
    }
}
