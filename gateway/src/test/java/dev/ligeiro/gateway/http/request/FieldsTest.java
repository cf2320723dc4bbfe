package dev.ligeiro.gateway.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.view.TrimmedText;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import tools.jackson.databind.json.JsonMapper;

class FieldsTest {

    private static final Amount CENT = new Amount(1);

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

    private static Fields amount(String json) {
        return fields("{\"amount\":" + json + "}");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "0.01,             1",
                "1,                100",
                "1.5,              150",
                "10.000,           1000",
                "1e2,              10000",
                "1E+2,             10000",
                "1.1e1,            1100",
                "100e-2,           100",
                "0.1,              10",
                "0.29,             29",
                "1.10,             110",
                "9999999999.99,    999999999999",
                "9999999999.990000, 999999999999",
                "\"0.01\",         1",
                "\"1\",            100",
                "\"1.5\",          150",
                "\"1.50\",         150",
                "\"007.10\",       710",
                "\"9999999999.99\", 999999999999",
            })
    void amountsAreReadByTheirValue(String json, long cents) {
        Fields fields = amount(json);

        assertThat(fields.requiredAmount("amount", CENT, Amount.MAX)).isEqualTo(new Amount(cents));
        fields.orThrow();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "null,              required",
                "true,              wrong_type",
                "{},                wrong_type",
                "{\"$gt\":0},       wrong_type",
                "[1],               wrong_type",
                "0,                 invalid",
                "0.00,              invalid",
                "-0,                invalid",
                "0e999999999,       invalid",
                "-1,                invalid",
                "-0.01,             invalid",
                "0.001,             invalid",
                "1.005,             invalid",
                "10.0001,           invalid",
                "1e-3,              invalid",
                "1e-999999999,      invalid",
                "10000000000,       invalid",
                "9999999999.991,    invalid",
                "1e10,              invalid",
                "1e400,             invalid",
                "-1e400,            invalid",
                "1E+999999999,      invalid",
                "1e2147483647,      invalid",
                "99999999999999999999999999, invalid",
                "\"\",              invalid",
                "\" \",             invalid",
                "\"0\",             invalid",
                "\"0.00\",          invalid",
                "\"-1\",            invalid",
                "\"+1\",            invalid",
                "\" 1\",            invalid",
                "\"1.\",            invalid",
                "\".5\",            invalid",
                "\"1.234\",         invalid",
                "\"10.000\",        invalid",
                "'\"1,50\"',        invalid",
                "'\"1.234,50\"',    invalid",
                "\"1e2\",           invalid",
                "\"0x10\",          invalid",
                "\"NaN\",           invalid",
                "\"Infinity\",      invalid",
                "\"1_000\",         invalid",
                "\"R$ 1\",          invalid",
                "\"٣\",             invalid",
                "\"10000000000\",   invalid",
                "\"99999999999999999999\", invalid",
            })
    void otherValuesAreErrorsAndNeverRounded(String json, String code) {
        Fields fields = amount(json);

        assertThat(fields.requiredAmount("amount", CENT, Amount.MAX)).isNull();
        assertThatExceptionOfType(Problem.class).isThrownBy(fields::orThrow).satisfies(problem -> assertThat(
                        problem.errors())
                .extracting(FieldError::field, FieldError::code)
                .isEqualTo(List.of(tuple("amount", code))));
    }

    @ParameterizedTest
    @CsvSource({"99.99, true", "100, true", "100.01, false", "\"100.00\", true", "\"100.01\", false"})
    void theConfiguredMaximumIsIncluded(String json, boolean accepted) {
        assertThat(amount(json).requiredAmount("amount", CENT, new Amount(10_000)) != null)
                .isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource({"5.00, true", "5, true", "4.99, false", "\"5.00\", true", "\"4.99\", false"})
    void theSmallestAmountIsIncluded(String json, boolean accepted) {
        assertThat(amount(json).requiredAmount("amount", new Amount(500), Amount.MAX) != null)
                .isEqualTo(accepted);
    }

    private static final List<String> INVISIBLE = List.of(
            " ",
            "\t",
            "\n",
            "\u0085",
            "\u00A0",
            "\u00AD",
            "\u034F",
            "\u061C",
            "\u115F",
            "\u180E",
            "\u2003",
            "\u200B",
            "\u200D",
            "\u2028",
            "\u202E",
            "\u202F",
            "\u2060",
            "\u3000",
            "\u3164",
            "\uFE0F",
            "\uFEFF",
            "\uFFA0",
            "\uDB40\uDC01",
            "\uDB40\uDFFF");

    /** With the fault, both were two transactions. */
    @Test
    void aReferenceThatLooksTheSameIsTheSame() {
        for (String invisible : INVISIBLE) {
            assertThat(field(invisible + "order-1" + invisible + " " + invisible))
                    .isEqualTo("order-1");
            assertThat(parameter(invisible + "order-1" + invisible)).isEqualTo("order-1");
            assertThat(field(invisible + " ")).isNull();
            assertThat(parameter(invisible + " ")).isNull();
            Fields required = text(invisible);
            required.requiredText("reference", 50);
            assertThat(errors(required)).extracting(FieldError::code).containsExactly("required");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-1",
                "a\u00A0b",
                "a\u200Db",
                "é",
                "Ação",
                "李",
                "\uD83D\uDE00",
                "\u2010",
                "\uFFFB",
                "\uDB3F\uDFFD"
            })
    void whatIsVisibleStays(String text) {
        assertThat(field(text)).isEqualTo(text);
        assertThat(parameter(text)).isEqualTo(text);
    }

    /** The JDK knows the first of the two properties. */
    @Test
    void allWhiteSpaceIsTrimmed() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .mapToObj(Character::toString)
                        .filter(character -> character.matches("\\p{IsWhite_Space}")))
                .hasSize(25)
                .allMatch(character -> TrimmedText.of(character).isEmpty());
    }

    private static Fields text(String text) {
        return new Fields(JsonMapper.shared().createObjectNode().put("reference", text));
    }

    private static @Nullable String field(String text) {
        return text(text).optionalText("reference", 50);
    }

    private static @Nullable String parameter(String text) {
        MultiValueMap<String, String> query = new LinkedMultiValueMap<>();
        query.add("reference", text);
        return new QueryParameters(query, Set.of("reference")).parsed("reference", value -> value);
    }
}
