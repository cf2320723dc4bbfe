package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** Creates with keys that have the right form and do not exist, each another one, at a steady rate over a few connections. */
final class RandomKeys {

    private static final int CONNECTIONS = 16;
    private static final int KEY_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomKeys() {}

    /** @param rate requests a second */
    static Abuser send(String baseUrl, double rate) {
        Duration interval = Duration.ofNanos(Math.round(TimeUnit.SECONDS.toNanos(CONNECTIONS) / rate));
        return new OpenConnections(
                "requests with random keys", baseUrl, CONNECTIONS, CONNECTIONS, number -> request(), interval);
    }

    private static String request() {
        byte[] random = new byte[KEY_BYTES];
        RANDOM.nextBytes(random);
        return "POST " + MerchantApi.CASHIN_PATH + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk_test_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(random)
                + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    }
}
