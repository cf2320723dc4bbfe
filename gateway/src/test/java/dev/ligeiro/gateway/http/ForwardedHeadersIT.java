package dev.ligeiro.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.time.TestClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Behind a proxy that ends TLS; the operator knows Spring's setting. */
@ExtendWith(SharedGateway.class)
class ForwardedHeadersIT {

    private final RunningGateway shared;

    ForwardedHeadersIT(RunningGateway shared) {
        this.shared = shared;
    }

    @Test
    void linksHaveTheForwardedAddressIfTheOperatorTrustsIt() {
        try (RunningGateway gateway = RunningGateway.startOn(
                shared.database(), TestClock.ticking(), "server.forward-headers-strategy=framework")) {
            assertThat(serverUrl(document(gateway, "https"))).isEqualTo("https://pix.example.com");

            Answer unreadable = document(gateway, "no scheme").expectProblem(400, "malformed_request");
            assertThat(unreadable.header("X-Request-Id")).isNotBlank();
        }
        assertThat(serverUrl(document(shared, "https"))).isEqualTo(shared.url());
    }

    private static Answer document(RunningGateway gateway, String scheme) {
        return Api.send(gateway.api()
                .request("/openapi.json")
                .header("X-Forwarded-Proto", scheme)
                .header("X-Forwarded-Host", "pix.example.com"));
    }

    private static String serverUrl(Answer document) {
        return document.expect(200).json().at("/servers/0/url").stringValue();
    }
}
