package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import dev.ligeiro.gateway.store.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MerchantFieldsTest {

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
        assertThat(fees("{\"cashin\":" + json + "}"))
                .isEqualTo(Map.of(Operation.CASHIN, new Commission(millionths, new Amount(fixedCents))));
    }

    @Test
    void eachOperationHasItsOwnFee() {
        assertThat(fees("{\"cashin\":{\"percent\":\"1\"},\"cashout\":{\"fixed\":\"0.5\"}}"))
                .isEqualTo(Map.of(
                        Operation.CASHIN,
                        new Commission(10_000, Amount.ZERO),
                        Operation.CASHOUT,
                        new Commission(0, new Amount(50))));
        assertThat(fees("{\"cashin\":null}")).isEmpty();
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
        assertThat(FieldErrors.of(() -> fees("{\"cashin\":" + json + "}"))).containsExactly(error);
    }

    @Test
    void allErrorsAreNamedAtOnce() {
        assertThat(FieldErrors.of(() -> fees("{\"cashin\":{\"percent\":\"x\",\"fixed\":\"y\"},\"cashout\":1}")))
                .containsExactly("cashin.percent:invalid", "cashin.fixed:invalid", "cashout:wrong_type");
    }

    @Test
    void limitsAreOptional() {
        assertThat(limits("{}")).isEqualTo(MerchantLimits.NONE);
        assertThat(
                        limits(
                                """
                {"cashin":{"amount_min":"1.00"},"cashout":{"amount_min":"5","amount_max":"5"},"reads_per_second":20}"""))
                .isEqualTo(new MerchantLimits(
                        Map.of(
                                Operation.CASHIN,
                                new AmountRange(100L, null),
                                Operation.CASHOUT,
                                new AmountRange(500L, 500L)),
                        20,
                        null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"cashin\":7}                                                  | cashin:wrong_type",
                "{\"cashin\":{\"amount_min\":1}}                                 | cashin.amount_min:wrong_type",
                "{\"cashin\":{\"amount_min\":\"0.00\"}}                          | cashin.amount_min:invalid",
                "{\"cashout\":{\"amount_max\":\"1.001\"}}                        | cashout.amount_max:invalid",
                "{\"cashout\":{\"amount_max\":\"10000000000\"}}                  | cashout.amount_max:invalid",
                "{\"cashout\":{\"amount_min\":\"2\",\"amount_max\":\"1.99\"}}    | cashout.amount_min:invalid",
                "{\"reads_per_second\":0}                                        | reads_per_second:invalid",
                "{\"writes_per_second\":\"7\"}                                   | writes_per_second:wrong_type",
            })
    void invalidLimitsAreNamed(String json, String error) {
        assertThat(FieldErrors.of(() -> limits(json))).containsExactly(error);
    }

    private static Map<Operation, Commission> fees(String json) {
        Fields fields = new Fields(Bodies.parsed(json));
        Map<Operation, Commission> fees = MerchantFields.fees(fields);
        fields.orThrow();
        return fees;
    }

    private static MerchantLimits limits(String json) {
        Fields fields = new Fields(Bodies.parsed(json));
        MerchantLimits limits = MerchantFields.limits(fields);
        fields.orThrow();
        return limits;
    }
}
