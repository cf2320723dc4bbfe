package dev.ligeiro.gateway.http.auth;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TestMerchant.NewKey;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** API keys that work only from some addresses. */
@ExtendWith(SharedGateway.class)
class KeyNetworksIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    KeyNetworksIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @Test
    void aKeyWorksFromItsNetworksOnly() {
        String here = key("127.0.0.0/8", "::1");
        String elsewhere = key("203.0.113.0/24");

        gateway.api().withToken(here).get(ALL).expect(200);
        Answer refused = gateway.api().withToken(elsewhere).get(ALL).expectProblem(403, "address_not_allowed");
        assertThat(refused.text("detail")).contains("127.0.0.1");
    }

    /** Anybody can send the header; without a trusted proxy it means nothing. */
    @Test
    void aForwardedAddressCountsOnlyFromATrustedProxy() {
        String key = key("203.0.113.0/24");

        from(gateway, key, "203.0.113.9").expectProblem(403, "address_not_allowed");
        try (RunningGateway behindProxy = RunningGateway.startOn(
                gateway.database(),
                TestClock.ticking(),
                "ligeiro.proxies.trusted=127.0.0.0/8,10.0.0.0/8",
                // it takes the first address, which anybody can send
                "server.forward-headers-strategy=framework")) {
            from(behindProxy, key, "203.0.113.9").expect(200);
            from(behindProxy, key, "198.51.100.1, 203.0.113.9:4711, 10.1.2.3").expect(200);
            from(behindProxy, key, "203.0.113.9, 198.51.100.1, 10.1.2.3").expectProblem(403, "address_not_allowed");
            from(behindProxy, key, "203.0.113.9, unknown").expectProblem(403, "address_not_allowed");
            behindProxy.api().withToken(key).get(ALL).expectProblem(403, "address_not_allowed");
        }
    }

    @Test
    void theNetworksOfAKeyCanBeChanged() {
        NewKey made = merchant.newKey();
        gateway.api().withToken(made.key()).get(ALL).expect(200);

        merchant.setNetworks(made.id(), List.of("203.0.113.0/24"));

        gateway.api().withToken(made.key()).get(ALL).expectProblem(403, "address_not_allowed");
    }

    private String key(String... networks) {
        return merchant.newKey(Mode.TEST, List.of(networks), null).key();
    }

    private static Answer from(RunningGateway called, String key, String forwardedFor) {
        return Api.send(called.api().withToken(key).request(ALL).header("X-Forwarded-For", forwardedFor));
    }
}
