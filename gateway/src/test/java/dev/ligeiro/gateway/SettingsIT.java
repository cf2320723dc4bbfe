package dev.ligeiro.gateway;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.testing.http.Api;
import dev.ligeiro.testing.time.TestClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A gateway with other settings than the shared one, on the same database. */
@ExtendWith(SharedGateway.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SettingsIT {

    private final TestMerchant merchant;
    private final RunningGateway gateway;

    SettingsIT(RunningGateway shared, TestMerchant merchant) {
        this.merchant = merchant;
        this.gateway = RunningGateway.startOn(
                shared.database(),
                TestClock.ticking(),
                "ligeiro.admin-token=",
                "ligeiro.webhook.allowed-networks=127.0.0.0/8,::1/128");
    }

    @AfterAll
    void close() {
        gateway.close();
    }

    @Test
    void withoutAnAdminTokenTheAdminApiRefusesEveryCall() {
        String request = "{\"name\":\"x\"}";

        gateway.admin().withToken(null).post("/admin/merchants", request).expectProblem(401, "unauthorized");
        gateway.admin().withToken("").post("/admin/merchants", request).expectProblem(401, "unauthorized");
        gateway.admin().post("/admin/merchants", request).expectProblem(401, "unauthorized");
    }

    @Test
    void anEndpointInAnAllowedNetworkMayBeRegistered() {
        Api api = gateway.api().withToken(merchant.key());

        api.post("/api/v1/webhooks", "{\"url\":\"http://127.0.0.1:9000/hooks\"}")
                .expect(201);
        api.post("/api/v1/webhooks", "{\"url\":\"http://10.0.0.1/\"}").expectProblem(422, "validation_failed");
    }
}
