package dev.ligeiro.gateway.http.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.gateway.http.RouteTable;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import java.net.URI;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.util.UriComponentsBuilder;

class ConsoleHtmlTest {

    private final ConsoleHtml html = new ConsoleHtml(new Templates());

    /** The hash that browsers compare, of the published package htmx.org 2.0.8. */
    @Test
    void htmxIsThePublishedFile() throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(PageFile.bytes("/console/" + ConsoleHtml.HTMX));

        assertThat("sha256-" + Base64.getEncoder().encodeToString(hash)).isEqualTo(ConsoleHtml.HTMX_INTEGRITY);
        assertThat(new String(PageFile.bytes("/console/htmx-LICENSE.txt"), UTF_8))
                .contains("Zero-Clause BSD");
    }

    @ParameterizedTest
    @CsvSource({
        "/console/transactions?page=2, /console/transactions?page=2",
        "/console,                     /console",
        "/consoles,                    /console",
        "//elsewhere.example,          /console",
        "https://elsewhere.example,    /console",
        "'/console/a b',               /console",
        "/console/a?b={c},             /console",
        "/console/a%,                  /console",
        "/api/v1,                      /console"
    })
    void aChangeOfTheLanguageReturnsToTheConsoleOnly(String back, String location) {
        MockServerHttpResponse response = get("/console/language?to=en&back={back}", back);

        assertThat(response.getStatusCode()).isEqualTo(HttpStatus.SEE_OTHER);
        assertThat(response.getHeaders().getFirst("Location")).isEqualTo(location);
        assertThat(response.getCookies().get("ligeiro_language"))
                .singleElement()
                .extracting(HttpCookie::getValue)
                .isEqualTo("en");
    }

    @Test
    void aChangeOfTheLanguageReturnsToTheWholeQuery() {
        String path = "/console/transactions?status=paid&reference=a%26b&page=2";
        ConsoleFrame frame =
                new ConsoleFrame(Language.ENGLISH, "console", "", "/console", path, List.of(), null, null, null);

        String link = frame.languageLink();

        assertThat(get(URI.create(link)).getHeaders().getFirst("Location")).isEqualTo(path);
    }

    @Test
    void anUnknownLanguageIsNotFound() {
        assertThat(get("/console/language?to={to}", "en; Path=/").getStatusCode())
                .isEqualTo(HttpStatus.NOT_FOUND);
    }

    @ParameterizedTest
    @CsvSource({
        "https://pix.example.com,  true",
        "http://10.0.0.1:8080,     true",
        "https://evil.example,     false",
        "https://pix.example.com.evil.example, false",
        "null,                     false",
        "'',                       false",
        ",                         false"
    })
    void formsComeFromTheSameOrigin(@Nullable String origin, boolean isAccepted) {
        MockServerHttpRequest.BaseBuilder<?> request =
                MockServerHttpRequest.post("http://10.0.0.1:8080/console").header("Host", "10.0.0.1:8080");
        if (origin != null) {
            request.header("Origin", origin);
        }
        ServerRequest form = ServerRequest.create(
                MockServerWebExchange.from(request.build()),
                HandlerStrategies.withDefaults().messageReaders());

        if (isAccepted) {
            SameOrigin.require(form, "https://pix.example.com");
        } else {
            assertThatThrownBy(() -> SameOrigin.require(form, "")).isInstanceOf(Problem.class);
            assertThatThrownBy(() -> SameOrigin.require(form, "https://pix.example.com"))
                    .isInstanceOf(Problem.class);
        }
    }

    @Test
    void bothLanguagesHaveTheSameTexts() {
        assertThat(ResourceBundle.getBundle("console.pt").keySet())
                .isEqualTo(ResourceBundle.getBundle("console.en").keySet());
    }

    private MockServerHttpResponse get(String template, Object... variables) {
        return get(UriComponentsBuilder.fromUriString("http://localhost" + template)
                .encode()
                .buildAndExpand(variables)
                .toUri());
    }

    private MockServerHttpResponse get(URI uri) {
        MockServerHttpResponse response = new MockServerHttpResponse();
        RouteTable.handler(html.routes("/console"), new ProblemHandler())
                .handle(MockServerHttpRequest.method(HttpMethod.GET, uri).build(), response)
                .block();
        return response;
    }
}
