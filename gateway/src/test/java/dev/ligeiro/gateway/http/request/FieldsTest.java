package dev.ligeiro.gateway.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {

    private static Fields fields(String json) {
        return new Fields(JsonBody.parse(json.getBytes(UTF_8)));
    }

    private static List<FieldError> errors(Fields fields) {
        Problem problem = catchThrowableOfType(Problem.class, fields::orThrow);
        return problem == null ? List.of() : problem.errors();
    }

    /** With the fault, the first one took all limits from a guard, and the second one made a key that may do everything. */
    @ParameterizedTest
    @CsvSource({
        "max_amount, amount_max",
        "scope,      scopes",
        "amountmax,  amount_max",
        "Scopes,     scopes",
        "expires,    expires_at",
        "x,          mode",
    })
    void anUnknownFieldIsAnErrorThatNamesTheNearestOne(String given, String nearest) {
        Fields fields = fields("{\"mode\":\"test\",\"" + given + "\":1}");
        fields.requiredText("mode", 10);
        List.of("amount_max", "count_max", "scopes", "expires_at").forEach(fields::node);

        assertThat(errors(fields))
                .containsExactly(
                        new FieldError(given, "unknown_field", "expected a known name; the nearest one is " + nearest));
    }

    @Test
    void anObjectWithoutFieldsHasNone() {
        assertThat(errors(fields("{}"))).isEmpty();
        assertThat(errors(fields("{\"amount\":1}")))
                .containsExactly(new FieldError("amount", "unknown_field", "expected an object without fields"));
    }

    @Test
    void unknownFieldsAreIgnoredWhereTheReaderSaysSo() {
        Fields fields = fields("{\"name\":\"a\",\"other\":{\"b\":1}}");
        fields.ignoreUnknown();
        fields.requiredText("name", 10);

        assertThat(errors(fields)).isEmpty();
    }

    @Test
    void manyAndLongUnknownNamesMakeAShortResponse() {
        String many = IntStream.range(0, 1_000)
                .mapToObj(i -> "\"" + i + "a".repeat(60) + "\":1")
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(errors(fields(many)))
                .hasSize(20)
                .allMatch(error -> error.field().length() <= 50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[1]", "\"a\"", "{}"})
    void aListOfStringsHasAtLeastOne(String list) {
        Fields fields = fields("{\"scopes\":" + list + "}");

        assertThat(fields.optionalStrings("scopes")).isNull();
        assertThat(errors(fields)).extracting(FieldError::field).containsExactly("scopes");
    }
}
