package dev.ligeiro.gateway.http.auth;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.time.TestClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** API keys that work only from some addresses. */
@ExtendWith(SharedGateway.class)
class KeyNetworksIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final String keys;

    KeyNetworksIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.keys = "/admin/merchants/" + merchant.id() + "/keys";
    }

    @Test
    void aKeyWorksFromItsNetworksOnly() {
        String here = key("\"127.0.0.0/8\",\"::1\"");
        String elsewhere = key("\"203.0.113.0/24\"");

        gateway.api().withToken(here).get(ALL).expect(200);
        Answer refused = gateway.api().withToken(elsewhere).get(ALL).expectProblem(403, "address_not_allowed");
        assertThat(refused.text("detail")).contains("127.0.0.1");
    }

    /** Anybody can send the header; without a trusted proxy it means nothing. */
    @Test
    void aForwardedAddressCountsOnlyFromATrustedProxy() {
        String key = key("\"203.0.113.0/24\"");

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
    void theNetworksOfAKeyCanBeChangedAndARotatedKeyKeepsThem() {
        Answer made = merchant.newKey("{\"mode\":\"test\"}");
        String one = keys + "/" + made.text("id");
        gateway.api().withToken(made.text("key")).get(ALL).expect(200);

        Answer changed = gateway.admin()
                .put(one + "/networks", "{\"allowed_networks\":[\"203.0.113.0/24\"]}")
                .expect(200);
        assertThat(changed.json().path("allowed_networks").toString()).isEqualTo("[\"203.0.113.0/24\"]");
        gateway.api().withToken(made.text("key")).get(ALL).expectProblem(403, "address_not_allowed");
        String rotated = gateway.admin().post(one + "/rotate", "{}").expect(201).text("key");
        gateway.api().withToken(rotated).get(ALL).expectProblem(403, "address_not_allowed");

        gateway.admin().put(one + "/networks", "{}").expect(200);
        gateway.api().withToken(made.text("key")).get(ALL).expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"10.1.2.3/8\"", "\"example.com\"", "\"\"", "\"10.0.0.0/33\"", "7"})
    void anEntryThatIsNoNetworkIsRefused(String entry) {
        Answer refused = gateway.admin()
                .post(keys, "{\"mode\":\"test\",\"allowed_networks\":[" + entry + "]}")
                .expectProblem(422, "validation_failed");

        assertThat(refused.json().at("/errors/0/field").stringValue()).isEqualTo("allowed_networks");
    }

    private String key(String networks) {
        return merchant.newKey("{\"mode\":\"test\",\"allowed_networks\":[" + networks + "]}")
                .text("key");
    }

    private static Answer from(RunningGateway called, String key, String forwardedFor) {
        return Api.send(called.api().withToken(key).request(ALL).header("X-Forwarded-For", forwardedFor));
    }
}
