package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeesRequestTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                              | 0       | 0",
                "{\"percent\":null,\"fixed\":\"\"}               | 0       | 0",
                "{\"percent\":\"1.25\",\"fixed\":\"0.10\"}       | 12500   | 10",
                "{\"percent\":\"0.0001\"}                        | 1       | 0",
                "{\"percent\":\"100\",\"fixed\":\"2\"}           | 1000000 | 200",
                "{\"percent\":\"100.0000\",\"fixed\":\"9999999999.99\"} | 1000000 | 999999999999",
            })
    void eachPartIsOptional(String json, long millionths, long fixedCents) {
        assertThat(FeesRequest.parse(Bodies.parsed("{\"cashin\":" + json + "}")))
                .isEqualTo(Map.of(Operation.CASHIN, new Commission(millionths, new Amount(fixedCents))));
    }

    @Test
    void eachOperationHasItsOwnFee() {
        assertThat(FeesRequest.parse(Bodies.parsed("{\"cashin\":{\"percent\":\"1\"},\"cashout\":{\"fixed\":\"0.5\"}}")))
                .isEqualTo(Map.of(
                        Operation.CASHIN,
                        new Commission(10_000, Amount.ZERO),
                        Operation.CASHOUT,
                        new Commission(0, new Amount(50))));
        assertThat(FeesRequest.parse(Bodies.parsed("{\"cashin\":null}"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"1\"                      | cashin:wrong_type",
                "[]                         | cashin:wrong_type",
                "{\"percent\":1.25}         | cashin.percent:wrong_type",
                "{\"percent\":{\"$gt\":0}}  | cashin.percent:wrong_type",
                "{\"percent\":\"100.0001\"} | cashin.percent:invalid",
                "{\"percent\":\"101\"}      | cashin.percent:invalid",
                "{\"percent\":\"-1\"}       | cashin.percent:invalid",
                "{\"percent\":\"0.00001\"}  | cashin.percent:invalid",
                "{\"percent\":\"1,5\"}      | cashin.percent:invalid",
                "{\"percent\":\"1e2\"}      | cashin.percent:invalid",
                "{\"fixed\":\"-0.01\"}      | cashin.fixed:invalid",
                "{\"fixed\":\"0.001\"}      | cashin.fixed:invalid",
                "{\"fixed\":\"10000000000\"} | cashin.fixed:invalid",
            })
    void invalidFeesAreNamed(String json, String error) {
        assertThat(errors("{\"cashin\":" + json + "}")).containsExactly(error);
    }

    @Test
    void allErrorsAreNamedAtOnce() {
        assertThat(errors("{\"cashin\":{\"percent\":\"x\",\"fixed\":\"y\"},\"cashout\":1}"))
                .containsExactly("cashin.percent:invalid", "cashin.fixed:invalid", "cashout:wrong_type");
    }

    private static List<String> errors(String json) {
        return FieldErrors.of(() -> FeesRequest.parse(Bodies.parsed(json)));
    }
}
