package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.Mode;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApiKeyTest {

    @Test
    void aKeyNamesItsModeAndHas32RandomBytes() {
        String key = ApiKey.generate(Mode.TEST);

        assertThat(key).startsWith("sk_test_");
        assertThat(Base64.getUrlDecoder().decode(key.substring("sk_test_".length())))
                .hasSize(32);
        assertThat(ApiKey.generate(Mode.LIVE)).startsWith("sk_live_");
    }

    @Test
    void keysDiffer() {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            keys.add(ApiKey.generate(Mode.TEST));
        }

        assertThat(keys).hasSize(1_000);
    }

    /** FIPS 180-2, appendix B.1. */
    @Test
    void theHashIsSha256InHex() {
        assertThat(ApiKey.hash("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
