package dev.ligeiro.infra.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ApiTest {

    /** Nothing listens on port 1. */
    private final Api api = new Api("http://127.0.0.1:1", "secret");

    @Test
    void namesTheRequestThatGotNoAnswer() {
        assertThatThrownBy(() -> api.get("/x"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("GET http://127.0.0.1:1/x: no answer");
    }

    @Test
    void showsNoTokenInMessages() {
        assertThat(api.toString()).doesNotContain("secret");
    }
}
