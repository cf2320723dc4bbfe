package dev.ligeiro.desk.console;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jackson.JacksonComponent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** The HTTP client of the {@link GatewayApi}. */
@Configuration
class GatewayClient {

    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
    /** A page shows the rest without what takes longer. */
    private static final Duration READ_MAX = Duration.ofSeconds(5);
    /** Longer than the gateway's own limit of a change, 20 s, so that its answer is seen. */
    private static final Duration CHANGE_MAX = Duration.ofSeconds(25);

    @Bean
    RestClient gateway(@Value("${ligeiro.gateway-url}") String url, JsonMapper json) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_MAX)
                .build();
        JdkClientHttpRequestFactory reads = new JdkClientHttpRequestFactory(client);
        reads.setReadTimeout(READ_MAX);
        JdkClientHttpRequestFactory changes = new JdkClientHttpRequestFactory(client);
        changes.setReadTimeout(CHANGE_MAX);
        return RestClient.builder()
                .baseUrl(url)
                .requestFactory(
                        (uri, method) -> (method.equals(HttpMethod.GET) ? reads : changes).createRequest(uri, method))
                .configureMessageConverters(converters ->
                        converters.registerDefaults().withJsonConverter(new JacksonJsonHttpMessageConverter(json)))
                .defaultRequest(request -> request.headers(GatewayClient::identify))
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {
                    throw problem(response, json);
                })
                .build();
    }

    @Bean
    GatewayApi api(RestClient gateway) {
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(gateway))
                .build()
                .createClient(GatewayApi.class);
    }

    /** With the session of the person, and the person's address: a key may work from some networks only. */
    private static void identify(HttpHeaders headers) {
        Visitor visitor = Visitor.of(SecurityContextHolder.getContext().getAuthentication());
        if (visitor != null) {
            headers.setBearerAuth(visitor.token());
        }
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes page) {
            headers.set("X-Forwarded-For", page.getRequest().getRemoteAddr());
        }
    }

    private static ApiProblem problem(ClientHttpResponse response, JsonMapper json) throws IOException {
        ApiProblem.Body body;
        try {
            body = json.readValue(response.getBody(), ApiProblem.Body.class);
        } catch (JacksonException noProblem) {
            // a proxy between the two has answered
            body = new ApiProblem.Body("", null);
        }
        return new ApiProblem(response.getStatusCode(), body);
    }

    /** Sends a file of the API on as it comes. */
    static void download(RestClient gateway, String path, String type, Filters filters, HttpServletResponse response) {
        gateway.get()
                .uri(path, uri -> {
                    filters.given().keySet().forEach(name -> uri.queryParam(name, "{" + name + "}"));
                    return uri.build(filters.given());
                })
                .header(HttpHeaders.ACCEPT, type)
                .exchange((request, file) -> {
                    if (file.getStatusCode().isError()) {
                        throw new ApiProblem(file.getStatusCode(), new ApiProblem.Body("", null));
                    }
                    HttpHeaders headers = file.getHeaders();
                    response.setContentType(String.valueOf(headers.getContentType()));
                    response.setHeader(
                            HttpHeaders.CONTENT_DISPOSITION, headers.getFirst(HttpHeaders.CONTENT_DISPOSITION));
                    try (InputStream bytes = file.getBody()) {
                        return bytes.transferTo(response.getOutputStream());
                    }
                });
    }

    /** Times are local ones of the installation's zone, or RFC 3339; an empty one is none. */
    @JacksonComponent
    static final class Times extends ValueDeserializer<Instant> {

        private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

        private final ZoneId zone;

        Times(@Value("${ligeiro.time-zone}") ZoneId zone) {
            this.zone = zone;
        }

        @Override
        public @Nullable Instant deserialize(JsonParser parser, DeserializationContext context) {
            String text = parser.getString();
            if (text.isEmpty()) {
                return null;
            }
            return text.indexOf('T') > 0
                    ? Instant.parse(text)
                    : LocalDateTime.parse(text, LOCAL).atZone(zone).toInstant();
        }
    }
}
