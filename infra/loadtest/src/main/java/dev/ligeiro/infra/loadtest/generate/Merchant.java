package dev.ligeiro.infra.loadtest.generate;

import java.net.URI;

/**
 * On whose behalf the calls are made.
 *
 * @param baseUrl where the gateway listens
 */
public record Merchant(URI baseUrl, String apiKey, String platformId) {

    /** What every request carries. */
    String headers() {
        return "Host: %s:%d\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n"
                .formatted(baseUrl.getHost(), baseUrl.getPort(), apiKey);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "Merchant[" + baseUrl + "]";
    }
}
