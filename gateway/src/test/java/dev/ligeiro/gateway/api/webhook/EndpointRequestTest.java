package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.SigningSecret;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointRequestTest {

    private final EndpointUrl urlRule = new EndpointUrl(new WebhookProperties(List.of()));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"url\":\"https://example.com/\"}",
                "{\"url\":\"https://example.com/\",\"events\":null}",
                "{\"url\":\"https://example.com/\",\"events\":[]}"
            })
    void theDefaultIsEveryStatusChange(String json) {
        EndpointRequest request = EndpointRequest.parse(Bodies.parsed(json), urlRule);

        assertThat(request.events())
                .isEqualTo(EventType.STATUS_CHANGES)
                .hasSize(7)
                .doesNotContain(EventType.CREATED);
        assertThat(request.description()).isNull();
    }

    @Test
    void repeatedEventsCountOnce() {
        EndpointRequest request = EndpointRequest.parse(
                Bodies.parsed("{\"url\":\"https://example.com/\",\"description\":\" shop \","
                        + "\"events\":[\"transaction.paid\",\"transaction.created\",\"transaction.paid\"]}"),
                urlRule);

        assertThat(request.events()).containsExactlyInAnyOrder(EventType.PAID, EventType.CREATED);
        assertThat(request.description()).isEqualTo("shop");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                           | url:required",
                "{\"url\":null}                                               | url:required",
                "{\"url\":7}                                                  | url:wrong_type",
                "{\"url\":{\"$ne\":1}}                                        | url:wrong_type",
                "{\"url\":\"http://example.com\"}                             | url:invalid",
                "{\"url\":\"https://a.co\",\"events\":\"transaction.paid\"}   | events:wrong_type",
                "{\"url\":\"https://a.co\",\"events\":{}}                     | events:wrong_type",
                "{\"url\":\"https://a.co\",\"events\":[1]}                    | events:wrong_type",
                "{\"url\":\"https://a.co\",\"events\":[null]}                 | events:wrong_type",
                "{\"url\":\"https://a.co\",\"events\":[\"paid\"]}             | events:invalid",
                "{\"url\":\"https://a.co\",\"headers\":\"a: b\"}                | headers:wrong_type",
                "{\"url\":\"https://a.co\",\"headers\":{\"webhook-id\":\"1\"}} | headers.webhook-id:invalid",
                "{\"url\":\"https://a.co\",\"secret\":7}                      | secret:wrong_type",
                "{\"url\":\"https://a.co\",\"secret\":\"c2VjcmV0\"}           | secret:invalid",
                "{\"url\":\"https://a.co\",\"secret\":\"whsec_c2VjcmV0\"}     | secret:invalid",
                "{\"url\":\"https://a.co\",\"description\":1}                 | description:wrong_type",
                "{\"url\":\"https://a.co\",\"description\":\"a\\u0000\"}      | description:invalid",
            })
    void invalidFieldsAreNamed(String json, String error) {
        assertThat(errors(json)).containsExactly(error);
    }

    @Test
    void aSecretMayBeImported() {
        String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

        assertThat(EndpointRequest.parse(
                                Bodies.parsed("{\"url\":\"https://a.co\",\"secret\":\"" + secret + "\"}"), urlRule)
                        .secret())
                .isEqualTo(new SigningSecret(secret));
        assertThat(EndpointRequest.parse(Bodies.parsed("{\"url\":\"https://a.co\",\"secret\":null}"), urlRule)
                        .secret())
                .isNull();
    }

    @Test
    void allErrorsAreNamedAtOnce() {
        assertThat(errors("{\"events\":[\"x\"],\"description\":\"" + "x".repeat(256) + "\"}"))
                .containsExactly("url:required", "events:invalid", "description:too_long");
    }

    private List<String> errors(String json) {
        return FieldErrors.of(() -> EndpointRequest.parse(Bodies.parsed(json), urlRule));
    }
}
