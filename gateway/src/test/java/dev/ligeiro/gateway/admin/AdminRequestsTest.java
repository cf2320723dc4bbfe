package dev.ligeiro.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.auth.Scope;
import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.transaction.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class AdminRequestsTest {

    @Test
    void aKeyHasAllScopesAndNoExpiryByDefault() {
        assertThat(KeyRequest.parse(Bodies.parsed("{\"mode\":\"test\"}")))
                .isEqualTo(new KeyRequest(Mode.TEST, Set.of(Scope.values()), null));
        assertThat(KeyRequest.parse(Bodies.parsed("{\"mode\":\"test\",\"scopes\":[],\"expires_at\":\"\"}")))
                .isEqualTo(new KeyRequest(Mode.TEST, Set.of(Scope.values()), null));
    }

    @Test
    void aKeyMayBeLimited() {
        assertThat(
                        KeyRequest.parse(
                                Bodies.parsed(
                                        "{\"mode\":\"test\",\"scopes\":[\"transactions:read\"],\"expires_at\":\"2030-01-31T12:00:00Z\"}")))
                .isEqualTo(new KeyRequest(
                        Mode.TEST, Set.of(Scope.TRANSACTIONS_READ), Instant.parse("2030-01-31T12:00:00Z")));
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
            })
    void invalidFieldsOfAKeyAreNamed(String json, String error) {
        assertThat(errors(KeyRequest::parse, json)).containsExactly(error);
    }

    @Test
    void theDefaultCityIsSaoPaulo() {
        assertThat(MerchantRequest.parse(Bodies.parsed("{\"name\":\" Café \"}")))
                .isEqualTo(new MerchantRequest("Café", "SAO PAULO", java.util.Map.of()));
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

    private static List<String> errors(Function<ObjectNode, ?> parse, String json) {
        return FieldErrors.of(() -> parse.apply(Bodies.parsed(json)));
    }
}
