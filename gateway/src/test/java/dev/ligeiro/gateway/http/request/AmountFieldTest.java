package dev.ligeiro.gateway.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountFieldTest {

    private static final Amount CENT = new Amount(1);

    private static Fields fields(String json) {
        return new Fields(JsonBody.parse(("{\"amount\":" + json + "}").getBytes(UTF_8)));
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
        Fields fields = fields(json);

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
        Fields fields = fields(json);

        assertThat(fields.requiredAmount("amount", CENT, Amount.MAX)).isNull();
        assertThatExceptionOfType(Problem.class).isThrownBy(fields::orThrow).satisfies(problem -> assertThat(
                        problem.errors())
                .extracting(FieldError::field, FieldError::code)
                .isEqualTo(List.of(org.assertj.core.groups.Tuple.tuple("amount", code))));
    }

    @ParameterizedTest
    @CsvSource({"99.99, true", "100, true", "100.01, false", "\"100.00\", true", "\"100.01\", false"})
    void theConfiguredMaximumIsIncluded(String json, boolean accepted) {
        assertThat(fields(json).requiredAmount("amount", CENT, new Amount(10_000)) != null)
                .isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource({"5.00, true", "5, true", "4.99, false", "\"5.00\", true", "\"4.99\", false"})
    void theSmallestAmountIsIncluded(String json, boolean accepted) {
        assertThat(fields(json).requiredAmount("amount", new Amount(500), Amount.MAX) != null)
                .isEqualTo(accepted);
    }
}
