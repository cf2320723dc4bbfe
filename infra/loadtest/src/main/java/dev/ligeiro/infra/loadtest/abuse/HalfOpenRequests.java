package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import java.time.Duration;

/** Connections that each send the start of a request, and then a byte of it every five seconds. */
final class HalfOpenRequests {

    private static final String START = "POST " + MerchantApi.CASHIN_PATH + " HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
    private static final String NEXT = "x";
    private static final Duration DRIP = Duration.ofSeconds(5);
    /** 5,000 are open after ten seconds. The gateway closes each after 20 s. */
    private static final int OPENED_PER_SECOND = 500;

    private HalfOpenRequests() {}

    static Abuser open(String baseUrl, int count) {
        return new OpenConnections(
                count + " half-open requests",
                baseUrl,
                count,
                OPENED_PER_SECOND,
                number -> number == 0 ? START : NEXT,
                DRIP);
    }
}
