package dev.ligeiro.gateway.api.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefundFieldsTest {

    private static ChangeAction.Refund parse(String json) {
        return RefundFields.parse(new Fields(Bodies.parsed(json)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"amount\":null,\"refund_reference\":\"\",\"description\":\" \",\"other\":1}"})
    void everyFieldIsOptional(String json) {
        assertThat(parse(json)).isEqualTo(new ChangeAction.Refund(null, null, null));
    }

    @Test
    void theFieldsAreNormalised() {
        assertThat(parse("{\"amount\":\"10\",\"refund_reference\":\" return-1 \",\"description\":\" Two shirts\"}"))
                .isEqualTo(new ChangeAction.Refund(new Amount(1000), "return-1", "Two shirts"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"amount\":0}                    | amount:invalid",
                "{\"amount\":-1}                   | amount:invalid",
                "{\"amount\":10.001}               | amount:invalid",
                "{\"amount\":\"10.001\"}           | amount:invalid",
                "{\"amount\":10000000000}          | amount:invalid",
                "{\"amount\":true}                 | amount:wrong_type",
                "{\"refund_reference\":7}          | refund_reference:wrong_type",
                "{\"refund_reference\":\"a\\u0001\"} | refund_reference:invalid",
                "{\"description\":[]}              | description:wrong_type",
            })
    void aWrongFieldIsNamed(String json, String error) {
        assertThat(FieldErrors.of(() -> parse(json))).containsExactly(error);
    }

    @ParameterizedTest
    @CsvSource({"refund_reference, 50", "description, 255"})
    void lengthsHaveALimit(String field, int max) {
        String longest = "{\"" + field + "\":\"" + "é".repeat(max) + "\"}";

        assertThat(FieldErrors.of(() -> parse(longest))).isEmpty();
        assertThat(FieldErrors.of(() -> parse(longest.replace("\"}", "é\"}")))).containsExactly(field + ":too_long");
    }
}
