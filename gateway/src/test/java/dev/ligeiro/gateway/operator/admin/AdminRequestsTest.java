package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.gateway.http.auth.Scope;
import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import dev.ligeiro.gateway.store.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class AdminRequestsTest {

    private static final Instant NOW = Instant.parse("2026-03-10T14:30:20Z");

    @Test
    void aKeyHasAllScopesAndNoExpiryByDefault() {
        assertThat(KeyRequest.parse(Bodies.parsed("{\"mode\":\"test\"}"), NOW))
                .isEqualTo(new KeyRequest(Mode.TEST, null, Set.of(Scope.values()), null));
        assertThat(KeyRequest.parse(Bodies.parsed("{\"mode\":\"test\",\"scopes\":[],\"expires_at\":\"\"}"), NOW))
                .isEqualTo(new KeyRequest(Mode.TEST, null, Set.of(Scope.values()), null));
    }

    @Test
    void aKeyMayBeLimited() {
        ObjectNode body = Bodies.parsed(
                """
                {"mode":"live","name":" Shop ","scopes":["transactions:read"],"expires_at":"2030-01-31T12:00:00Z"}""");

        assertThat(KeyRequest.parse(body, NOW))
                .isEqualTo(new KeyRequest(
                        Mode.LIVE, "Shop", Set.of(Scope.TRANSACTIONS_READ), Instant.parse("2030-01-31T12:00:00Z")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                 | mode:required",
                "{\"mode\":\"TEST\"}                                | mode:invalid",
                "{\"mode\":true}                                    | mode:wrong_type",
                "{\"mode\":\"test\",\"scopes\":\"all\"}             | scopes:wrong_type",
                "{\"mode\":\"test\",\"scopes\":[1]}                 | scopes:wrong_type",
                "{\"mode\":\"test\",\"scopes\":[\"all\"]}           | scopes:invalid",
                "{\"mode\":\"test\",\"expires_at\":1}               | expires_at:wrong_type",
                "{\"mode\":\"test\",\"expires_at\":\"tomorrow\"}    | expires_at:invalid",
                "{\"mode\":\"test\",\"expires_at\":\"2030-01-31\"}  | expires_at:invalid",
                "{\"mode\":\"test\",\"expires_at\":\"+1000000000-01-01T00:00:00Z\"} | expires_at:invalid",
                "{\"mode\":\"test\",\"expires_at\":\"2026-03-10T14:30:20Z\"} | expires_at:invalid",
                "{\"mode\":\"test\",\"name\":7}                     | name:wrong_type",
            })
    void invalidFieldsOfAKeyAreNamed(String json, String error) {
        assertThat(errors(body -> KeyRequest.parse(body, NOW), json)).containsExactly(error);
    }

    @Test
    void theDefaultCityIsSaoPaulo() {
        assertThat(MerchantRequest.parse(Bodies.parsed("{\"name\":\" Café \"}")))
                .isEqualTo(new MerchantRequest("Café", "SAO PAULO", Map.of()));
        assertThat(MerchantRequest.parse(Bodies.parsed("{\"name\":\"Loja\",\"city\":\"Belém\"}"))
                        .city())
                .isEqualTo("Belém");
    }

    /** BR Codes contain name and city in printable ASCII. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                 | name:required",
                "{\"name\":\" \"}                                   | name:required",
                "{\"name\":[]}                                      | name:wrong_type",
                "{\"name\":\"日本\"}                                 | name:invalid",
                "{\"name\":\"a\\u0000\"}                            | name:invalid",
                "{\"name\":\"a\",\"city\":\"Москва\"}               | city:invalid",
                "{\"name\":\"a\",\"fees\":7}                        | fees:wrong_type",
                "{\"name\":\"a\",\"fees\":{\"cashin\":{\"percent\":\"x\"}}} | fees.cashin.percent:invalid",
            })
    void invalidFieldsOfAMerchantAreNamed(String json, String error) {
        assertThat(errors(MerchantRequest::parse, json)).containsExactly(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                   | name:required mode:required",
                "{\"name\":\"web\",\"mode\":\"prod\"} | mode:invalid",
                "{\"name\":1,\"mode\":2}              | name:wrong_type mode:wrong_type",
            })
    void invalidFieldsOfAPlatformAreNamed(String json, String expected) {
        assertThat(errors(PlatformRequest::parse, json)).containsExactly(expected.split(" "));
    }

    @Test
    void limitsAreOptional() {
        assertThat(LimitsRequest.parse(Bodies.parsed("{}"))).isEqualTo(MerchantLimits.NONE);
        assertThat(
                        LimitsRequest.parse(
                                Bodies.parsed(
                                        """
                {"cashin":{"amount_min":"1.00"},"cashout":{"amount_min":"5","amount_max":"5"},"reads_per_second":20}""")))
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
        assertThat(errors(LimitsRequest::parse, json)).containsExactly(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"overlap\":-1}                              | overlap:invalid",
                "{\"overlap\":2592001}                         | overlap:invalid",
                "{\"overlap\":\"1h\"}                          | overlap:wrong_type",
                "{\"overlap\":0.5}                             | overlap:wrong_type",
                "{\"expires_at\":\"2026-03-10T14:30:19Z\"}     | expires_at:invalid",
            })
    void invalidFieldsOfARotationAreNamed(String json, String error) {
        assertThat(errors(body -> RotateRequest.parse(body, NOW), json)).containsExactly(error);
    }

    private static List<String> errors(Function<ObjectNode, ?> parse, String json) {
        return FieldErrors.of(() -> parse.apply(Bodies.parsed(json)));
    }
}
