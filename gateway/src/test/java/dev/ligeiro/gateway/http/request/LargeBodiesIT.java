package dev.ligeiro.gateway.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeBodiesIT extends WithGateway {

    private static final String WEBHOOKS = "/api/v1/webhooks";
    private static final String LARGE = "{\"description\":\"" + "a".repeat(5_000) + "\"}";

    /** Regression: one key took all places with bodies that it did not complete. */
    @Test
    void unfinishedBodiesOfOneMerchantLeaveTheOthersTheirPlaces() {
        TestMerchant other = merchant.live();
        List<RawConnection> unfinished = new ArrayList<>();
        try {
            for (int i = 0; i < BodyBytes.LARGE_OF_SENDER_MAX; i++) {
                unfinished.add(unfinished());
            }

            await().until(() -> merchant.api().post(WEBHOOKS, LARGE).status() == 429);
            Answer refused = merchant.api().post(WEBHOOKS, LARGE).expectProblem(429, "rate_limited");
            assertThat(refused.header("Retry-After")).isEqualTo("5");
            merchant.api().post(WEBHOOKS, "{}").expectProblem(422, "validation_failed");
            other.api().post(WEBHOOKS, LARGE).expectProblem(422, "validation_failed");
        } finally {
            unfinished.forEach(RawConnection::close);
        }
        await().until(() -> merchant.api().post(WEBHOOKS, LARGE).status() == 422);
    }

    private RawConnection unfinished() {
        RawConnection connection = new RawConnection(gateway.port());
        connection.send("POST " + WEBHOOKS + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + merchant.key()
                + "\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n" + LARGE);
        return connection;
    }
}
