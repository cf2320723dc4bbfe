package dev.ligeiro.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.JsonBody;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.reactive.function.server.MockServerRequest;

class IdempotencyKeyTest {

    private final Fields fields = new Fields(JsonBody.none());

    private @Nullable String read(String... values) {
        MockServerRequest.Builder request = MockServerRequest.builder();
        List.of(values).forEach(value -> request.header("Idempotency-Key", value));
        return IdempotencyKey.read(request.build(), fields);
    }

    @Test
    void withoutTheHeaderThereIsNoKey() {
        assertThat(read()).isNull();
        assertThat(FieldErrors.of(fields::orThrow)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", "8e03978e-40d5-43dd-bc93-6894a57f9324", "\"quoted\"", "two words", "~!#$,;"})
    void aKeyIsTakenAsItIs(String key) {
        assertThat(read(key)).isEqualTo(key);
    }

    @Test
    void aKeyHasUpTo255Characters() {
        assertThat(read("k".repeat(255))).hasSize(255);
    }

    @ParameterizedTest
    @CsvSource({
        "'',            invalid",
        "'tab\tin it',  invalid",
        "'nul\u0000',   invalid",
        "'del\u007f',   invalid",
        "é,             invalid",
        "😀,            invalid",
    })
    void otherCharactersAreRefused(String key, String code) {
        assertThat(read(key)).isNull();
        assertThat(FieldErrors.of(fields::orThrow)).containsExactly("Idempotency-Key:" + code);
    }

    @Test
    void aLongerKeyIsRefused() {
        assertThat(read("k".repeat(256))).isNull();
        assertThat(FieldErrors.of(fields::orThrow)).containsExactly("Idempotency-Key:too_long");
    }

    @ParameterizedTest
    @CsvSource({"a, b", "a, a", "a, ''"})
    void twoHeadersAreRefused(String first, String second) {
        assertThat(read(first, second)).isNull();
        assertThat(FieldErrors.of(fields::orThrow)).containsExactly("Idempotency-Key:invalid");
    }
}
