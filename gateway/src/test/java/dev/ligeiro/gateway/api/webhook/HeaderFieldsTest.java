package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.gateway.http.request.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class HeaderFieldsTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void namesAreInLowerCaseAndValuesAsGiven() {
        ObjectNode headers = JSON.createObjectNode()
                .put("X-Team", "Payments: 1, \"2\" ~")
                .put("AUTHORIZATION", "Basic YTpi")
                .put("cookie", "a=b; c=d")
                .putNull("x-removed");

        assertThat(read(headers))
                .isEqualTo(Map.of(
                        "x-team", Optional.of("Payments: 1, \"2\" ~"),
                        "authorization", Optional.of("Basic YTpi"),
                        "cookie", Optional.of("a=b; c=d"),
                        "x-removed", Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "Content-Type",
                "content-length",
                "Content-Encoding",
                "Connection",
                "Keep-Alive",
                "Transfer-Encoding",
                "TE",
                "Trailer",
                "Upgrade",
                "Expect",
                "Via",
                "Proxy-Authorization",
                "Webhook-Id",
                "webhook-signature",
                "webhook-anything",
                "User-Agent",
                "X-Forwarded-For",
                "Metadata-Flavor",
                "X-aws-ec2-metadata-token",
                "X-Google-Metadata-Request"
            })
    void aReservedNameIsRefused(String name) {
        assertThat(errors(JSON.createObjectNode().put(name, "x")))
                .containsExactly("headers." + name.toLowerCase(Locale.ROOT) + ":invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a:b", "a\r\nb", "a\n", "x-é", "x-\u212a", "a(b)", "a\u0000", "a/b", "{}"})
    void aNameIsAToken(String name) {
        assertThat(errors(JSON.createObjectNode().put(name, "x"))).containsExactly("headers:invalid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " a",
                "a ",
                "a\r\nX-Injected: 1",
                "a\nb",
                "a\rb",
                "a\tb",
                "a\u0000",
                "a\u007f",
                "a\u0085b",
                "a\u2028b",
                "é"
            })
    void aValueIsPrintableAscii(String value) {
        assertThat(errors(JSON.createObjectNode().put("x-a", value))).containsExactly("headers.x-a:invalid");
    }

    @Test
    void sizesAreBounded() {
        assertThat(errors(JSON.createObjectNode().put("a".repeat(64), "x".repeat(1_000))))
                .isEmpty();
        assertThat(errors(JSON.createObjectNode().put("a".repeat(65), "x"))).containsExactly("headers:invalid");
        assertThat(errors(JSON.createObjectNode().put("x-a", "x".repeat(1_001))))
                .containsExactly("headers.x-a:invalid");
    }

    private static Map<String, Optional<String>> read(ObjectNode headers) {
        Fields fields = new Fields(JSON.createObjectNode().set("headers", headers));
        Map<String, Optional<String>> read = HeaderFields.read(fields);
        fields.orThrow();
        return read;
    }

    private static List<String> errors(ObjectNode headers) {
        return FieldErrors.of(() -> read(headers));
    }
}
