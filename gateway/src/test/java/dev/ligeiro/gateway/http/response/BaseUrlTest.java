package dev.ligeiro.gateway.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.GatewayProperties;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.ServerRequest;

class BaseUrlTest {

    private static String of(@Nullable String configured, String requested) {
        BaseUrl baseUrl = new BaseUrl(
                new GatewayProperties(configured, ZoneId.of("UTC"), BigDecimal.ONE, Duration.ofHours(1), "99999999"),
                8080);
        MockServerHttpRequest request = MockServerHttpRequest.method(HttpMethod.GET, URI.create(requested + "/a?b=c"))
                .build();
        return baseUrl.of(ServerRequest.create(MockServerWebExchange.from(request), List.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080,     http://localhost:8080",
        "https://pix.example.com,   https://pix.example.com",
        "http://my_host:8080,       http://my_host:8080",
        "http://[::1]:80,           http://[::1]:80",
        "http://10.0.0.1,           http://10.0.0.1",
        "http://user@example.com,   http://localhost:8080",
        "http://a~b,                http://localhost:8080",
        "http://a:999999,           http://localhost:8080",
    })
    void withoutAPublicUrlItIsAValidHostOfTheRequest(String requested, String expected) {
        assertThat(of(null, requested)).isEqualTo(expected);
    }

    @Test
    void theHostOfTheRequestNeverReplacesThePublicUrl() {
        assertThat(of("https://pix.example.com", "http://evil.example")).isEqualTo("https://pix.example.com");
    }
}
