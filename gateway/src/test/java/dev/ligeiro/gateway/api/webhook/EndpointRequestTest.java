package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.FieldErrors;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class EndpointRequestTest {

    private static final UUID ID = Transactions.ID.value();
    private static final Instant BEFORE = Transactions.CREATED_AT;
    private static final Instant NOW = BEFORE.plusSeconds(60);

    private final EndpointUrl urlRule = new EndpointUrl(new EndpointUrl.EndpointProperties(List.of()));
    private final WebhookEndpoint endpoint = Endpoints.withHeaders(
            Endpoints.withEvents(
                    Endpoints.endpoint(ID, Transactions.TENANT, "https://shop.example/hooks"), Set.of(EventType.PAID)),
            Map.of("x-team", header("x-team", "payments"), "authorization", header("authorization", "Basic YTpi")));

    @Test
    void nullResetsOptionalFields() {
        WebhookEndpoint described = patched("{\"description\":\"shop\"}");

        WebhookEndpoint reset = EndpointRequest.change(
                        Bodies.fields("{\"description\":null,\"events\":null,\"headers\":null}"), urlRule)
                .applyTo(described, Endpoints.KEYS, NOW);

        assertThat(reset.description()).isNull();
        assertThat(reset.events()).containsOnlyKeys(EventType.STATUS_CHANGES.toArray(EventType[]::new));
        assertThat(reset.headers()).isEmpty();
    }

    @Test
    void headersAreMergedByTheirNames() {
        WebhookEndpoint changed = patched(
                "{\"headers\":{\"X-Team\":null,\"Authorization\":\"Basic bmV3\",\"X-New\":\"1\",\"x-none\":null}}");

        assertThat(changed.headers()).containsOnlyKeys("authorization", "x-new");
        assertThat(value(changed, "authorization")).isEqualTo("Basic bmV3");
        assertThat(value(changed, "x-new")).isEqualTo("1");
        assertThat(patched("{\"headers\":{}}").headers()).isEqualTo(endpoint.headers());
    }

    /** With the fault, the credentials of one server were sent to another one. */
    @ParameterizedTest
    @CsvSource({
        "https://shop.example/v2?a=1, true",
        "https://SHOP.example:443/hooks, true",
        "https://shop.example:8443/hooks, false",
        "http://shop.example/hooks, false",
        "http://shop.example:443/hooks, false",
        "https://shop.example.org/hooks, false",
        "https://www.shop.example/hooks, false"
    })
    void headersDoNotFollowTheUrlToAnotherServer(String url, boolean kept) {
        EndpointUrl anyUrl = new EndpointUrl(new EndpointUrl.EndpointProperties(List.of("127.0.0.1")));
        String patch = "{\"url\":\"" + url + "\"";
        Set<String> before = kept ? Set.of("x-team", "authorization") : Set.of();
        Set<String> withNew = kept ? Set.of("x-team", "authorization", "x-new") : Set.of("x-new");

        assertThat(EndpointRequest.change(Bodies.fields(patch + "}"), anyUrl)
                        .applyTo(endpoint, Endpoints.KEYS, NOW)
                        .headers()
                        .keySet())
                .isEqualTo(before);
        assertThat(EndpointRequest.change(Bodies.fields(patch + ",\"headers\":{\"x-new\":\"1\"}}"), anyUrl)
                        .applyTo(endpoint, Endpoints.KEYS, NOW)
                        .headers()
                        .keySet())
                .isEqualTo(withNew);
        assertThat(EndpointRequest.change(Bodies.fields(patch + ",\"headers\":null}"), anyUrl)
                        .applyTo(endpoint, Endpoints.KEYS, NOW)
                        .headers())
                .isEmpty();
    }

    /** Earlier events of a type do not go to an endpoint that adds it. */
    @Test
    void anAddedEventTypeIsSubscribedToFromNowOn() {
        WebhookEndpoint changed = patched("{\"events\":[\"transaction.paid\",\"transaction.refund\"]}");

        assertThat(changed.events()).isEqualTo(Map.of(EventType.PAID, BEFORE, EventType.REFUND, NOW));
        assertThat(patched("{\"url\":\"https://shop.example/v2\",\"enabled\":true}")
                        .events())
                .isEqualTo(endpoint.events());
    }

    @Test
    void thereAreAtMostTenHeadersAfterwards() {
        assertThat(patched(headers(8)).headers()).hasSize(10);
        assertThat(FieldErrors.of(() -> patched(headers(9)))).containsExactly("headers:invalid");
        assertThat(FieldErrors.of(() -> patched(headers(1_000)))).containsExactly("headers:invalid");
    }

    @Test
    void tooManyHeadersAreNamedWithAllOtherErrors() {
        String tooMany =
                headers(11).replace("\"x-0\"", "\"Host\"").replace("{\"headers", "{\"events\":[\"x\"],\"headers");

        assertThat(FieldErrors.of(() -> EndpointRequest.registration(Bodies.fields(tooMany), urlRule)))
                .containsExactly("url:required", "events:invalid", "headers.host:invalid", "headers:invalid");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // before, request, after; - is enabled
                "-,        true,  -,        before",
                "-,        false, MERCHANT, now",
                "MERCHANT, false, MERCHANT, before",
                "GONE,     false, GONE,     before",
                "FAILING,  true,  -,        now",
                "GONE,     true,  -,        now",
            })
    void enabledChangesTheStatusAndItsTime(DisabledReason before, boolean enabled, DisabledReason after, String since) {
        WebhookEndpoint given = Endpoints.withStatus(endpoint, new EndpointStatus(before, BEFORE));

        EndpointStatus status = EndpointRequest.change(Bodies.fields("{\"enabled\":" + enabled + "}"), urlRule)
                .applyTo(given, Endpoints.KEYS, NOW)
                .status();

        assertThat(status).isEqualTo(new EndpointStatus(after, since.equals("now") ? NOW : BEFORE));
    }

    private WebhookEndpoint patched(String json) {
        return EndpointRequest.change(Bodies.fields(json), urlRule).applyTo(endpoint, Endpoints.KEYS, NOW);
    }

    private static String headers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"x-" + i + "\":\"v\"")
                .collect(Collectors.joining(",", "{\"headers\":{", "}}"));
    }

    private static EncryptedText header(String name, String value) {
        return Endpoints.KEYS.encryptHeader(ID, name, value);
    }

    private static String value(WebhookEndpoint of, String name) {
        return Endpoints.KEYS.decryptHeader(
                ID, name, Objects.requireNonNull(of.headers().get(name)));
    }

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

    @Test
    void aReservedNameIsRefused() {
        assertThat(("Host Content-Type content-length Content-Encoding Connection Keep-Alive Transfer-Encoding TE"
                                + " Trailer Upgrade Expect Via Proxy-Authorization Webhook-Id webhook-signature webhook-anything"
                                + " User-Agent X-Forwarded-For Metadata-Flavor X-aws-ec2-metadata-token X-Google-Metadata-Request")
                        .split(" "))
                .allSatisfy(name -> assertThat(errors(JSON.createObjectNode().put(name, "x")))
                        .containsExactly("headers." + name.toLowerCase(Locale.ROOT) + ":invalid"));
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

    private @Nullable Map<String, Optional<String>> read(ObjectNode headers) {
        return EndpointRequest.change(new Fields(JSON.createObjectNode().set("headers", headers)), urlRule)
                .headers();
    }

    private List<String> errors(ObjectNode headers) {
        return FieldErrors.of(() -> read(headers));
    }

    @Test
    void thePreviousSecretSignsFor24Hours() {
        EncryptedText previous = endpoint.secrets().get(0).secret();

        WebhookEndpoint rotated = ChangeEndpoint.rotated(endpoint, secret("new"), NOW, (id, each) -> true);

        assertThat(rotated.secrets())
                .containsExactly(secret("new"), new EndpointSecret(previous, NOW.plus(Duration.ofHours(24))));
    }

    @Test
    void aSecondRotationKeepsTheTimeOfTheFirst() {
        EncryptedText first = endpoint.secrets().get(0).secret();

        WebhookEndpoint once = ChangeEndpoint.rotated(endpoint, secret("b"), NOW, (id, each) -> true);
        WebhookEndpoint twice = ChangeEndpoint.rotated(once, secret("c"), NOW.plusSeconds(60), (id, each) -> true);
        WebhookEndpoint later =
                ChangeEndpoint.rotated(twice, secret("d"), NOW.plus(Duration.ofHours(24)), (id, each) -> true);

        assertThat(twice.secrets()).contains(new EndpointSecret(first, NOW.plus(Duration.ofHours(24))));
        assertThat(later.secrets())
                .extracting(EndpointSecret::secret)
                .containsExactly(
                        secret("d").secret(), secret("c").secret(), secret("b").secret());
    }

    /** The operator has lost the key: the merchant repairs its endpoint by a rotation. */
    @Test
    void aSecretThatCannotBeReadIsDropped() {
        assertThat(ChangeEndpoint.rotated(endpoint, secret("new"), NOW, (id, each) -> false)
                        .secrets())
                .containsExactly(secret("new"));
    }

    private static EndpointSecret secret(String name) {
        return new EndpointSecret(new EncryptedText("k1:" + name), null);
    }
}
