package dev.ligeiro.gateway;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.auth.LiveKeys;
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
                "ligeiro.webhook.allowed-networks=127.0.0.0/8,::1/128",
                "ligeiro.rails.routes[0].rail=bank",
                "ligeiro.rails.routes[0].operation=cashout");
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

    /** The merchant has no platform in live mode, so its cashout is refused for that. */
    @Test
    void aLiveOperationWithARouteIsNotRefusedForItsMode() {
        Api live = gateway.api().withToken(LiveKeys.store(merchant));

        assertThat(live.post(CASHOUT, merchant.cashout())
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("platform:unknown");
        live.post(CASHIN, merchant.cashin()).expectProblem(403, "live_mode_not_available");
    }

    @Test
    void anEndpointInAnAllowedNetworkMayBeRegistered() {
        Api api = gateway.api().withToken(merchant.key());

        api.post("/api/v1/webhooks", "{\"url\":\"http://127.0.0.1:9000/hooks\"}")
                .expect(201);
        api.post("/api/v1/webhooks", "{\"url\":\"http://10.0.0.1/\"}").expectProblem(422, "validation_failed");
    }
}
