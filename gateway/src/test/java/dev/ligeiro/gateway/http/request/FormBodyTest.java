package dev.ligeiro.gateway.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormBodyTest {

    private static Map<String, String> parse(String form) {
        return FormBody.parse(form.getBytes(UTF_8));
    }

    @Test
    void aFormIsReadAsBrowsersWriteIt() {
        assertThat(parse("reason=a+b%26c%3D%C3%A9&empty=&bare&&twice=1&twice=2&x=1=2"))
                .isEqualTo(Map.of("reason", "a b&c=é", "empty", "", "bare", "", "twice", "1", "x", "1=2"));
        assertThat(parse("")).isEmpty();
        assertThat(parse("name=é")).isEqualTo(Map.of("name", "é"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%2", "a=%zz", "a=%C3%28", "a=%ED%A0%80", "%FF=1"})
    void brokenEncodingsAreMalformed(String form) {
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> parse(form))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.MALFORMED_REQUEST));
    }
}
