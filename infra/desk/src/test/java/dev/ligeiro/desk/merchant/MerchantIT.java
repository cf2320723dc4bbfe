package dev.ligeiro.desk.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDesk.class)
class MerchantIT {

    private final RunningDesk desk;
    private final Api admin;

    MerchantIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
    }

    @Test
    void aMerchantIsMadeShownAndChanged() {
        Answer made = admin.post(
                "/admin/merchants",
                Map.of("name", " Café do Zé ", "fees", Map.of("cashin", Map.of("percent", "1.25", "fixed", "0.10"))));
        String path = made.expect(201).header("Location");

        assertThat(made.json().path("name").asString()).isEqualTo("Café do Zé");
        assertThat(made.json().path("city").asString()).isEqualTo("SAO PAULO");
        assertThat(made.json().at("/fees/cashin/percent").asString()).isEqualTo("1.2500");
        assertThat(made.json().at("/fees/cashin/fixed").asString()).isEqualTo("0.10");
        admin.put(path + "/limits", Map.of("cashin", Map.of("amount_max", "500.00")))
                .expect(204);
        admin.patch(path, Map.of("name", "Padaria")).expect(200);
        assertThat(admin.get(path).json().path("name").asString()).isEqualTo("Padaria");
        assertThat(admin.get(path).json().at("/limits/cashin/amount_max").asString())
                .isEqualTo("500.00");
        assertThat(admin.get("/admin/merchants?name=padar")
                        .json()
                        .path("merchants")
                        .size())
                .isPositive();
    }

    @Test
    void oneAnswerHasAllErrors() {
        Answer refused = admin.post(
                "/admin/merchants",
                Map.of("nome", "x", "city", "\u4e2d", "fees", Map.of("cashin", Map.of("percent", 7, "fixed", "1,0"))));

        assertThat(refused.expect(422).json().path("errors").toString())
                .contains(
                        "\"field\":\"nome\",\"code\":\"unknown_field\",\"message\":\"expected a known name; the nearest one is name\"",
                        "\"field\":\"name\",\"code\":\"required\"",
                        "\"field\":\"city\",\"code\":\"invalid\"",
                        "\"field\":\"fees.cashin.percent\",\"code\":\"wrong_type\",\"message\":\"expected a string\"",
                        "\"field\":\"fees.cashin.fixed\",\"code\":\"invalid\"");
    }

    @Test
    void whoLacksATokenOrARoleIsRefused() {
        assertThat(new Api(desk.url(), null)
                        .get("/admin/merchants")
                        .expect(401)
                        .json()
                        .path("code")
                        .asString())
                .isEqualTo("unauthorized");
        assertThat(admin.withToken(RunningDesk.READER_TOKEN)
                        .post("/admin/merchants", Map.of("name", "x"))
                        .expect(403)
                        .json()
                        .path("code")
                        .asString())
                .isEqualTo("insufficient_role");
        admin.get("/admin/merchants?nmae=x").expect(422);
        admin.get("/admin/merchants/none").expect(404);
        admin.get("/admin/nowhere").expect(404);
    }
}
