package dev.ligeiro.gateway;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.log.CapturedLogs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No log line of a gateway, of successful or failed requests, contains a secret or personal data. */
class LogsIT {

    @Test
    void nothingSecretOrPersonalIsLogged() {
        RunningGateway gateway = RunningGateway.start();
        try (CapturedLogs logs = new CapturedLogs()) {
            TestMerchant merchant = gateway.newMerchant();
            String secret = use(merchant);
            gateway.close();

            List<String> secrets = List.of(
                    Bodies.NAME,
                    "Concei",
                    Bodies.EMAIL,
                    Bodies.EMAIL.toLowerCase(java.util.Locale.ROOT),
                    "98765-4321",
                    "11987654321",
                    Bodies.DOCUMENT,
                    "52998224725",
                    Bodies.PIX_KEY,
                    "maria.souza",
                    "order-of-the-logs",
                    "extra-of-the-logs",
                    merchant.key(),
                    secret);
            assertThat(logs.lines()).isNotEmpty().allSatisfy(line -> assertThat(line)
                    .doesNotContain(secrets.toArray(String[]::new)));
            assertThat(logs.errors()).isEmpty();
        } finally {
            gateway.close();
        }
    }

    private static String use(TestMerchant merchant) {
        Api api = merchant.api();
        String id = merchant.created(
                merchant.cashin().put("reference", "order-of-the-logs").put("extra", "extra-of-the-logs"));
        api.post(CASHIN, merchant.cashin().put("reference", "order-of-the-logs"))
                .expect(409);
        api.post(CASHOUT, merchant.cashout()).expect(201);
        api.post(CASHOUT, merchant.cashout().put("document", "52998224726")).expect(422);
        api.post(CASHIN, "{\"document\":\"52998224725\",").expect(400);
        api.get(ONE + id).expect(200);
        api.get(ALL + "?name_document=52998224725&phone=11987654321").expect(200);
        api.get(ALL + "?name=" + "Concei").expect(422);
        api.postNothing("/api/v1/sandbox/transaction/" + id + "/pay").expect(202);
        api.withToken(merchant.key() + "x").get(ALL).expect(401);
        return api.post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}")
                .expect(201)
                .text("secret");
    }
}
