package dev.ligeiro.desk.key;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Asks the gateway for one-time links into the merchants' console, as a merchant's program does: with its key. */
@Component
class ConsoleLinks {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleLinks.class);
    private static final Duration TIME_MAX = Duration.ofSeconds(3);

    private final RestClient gateway;

    private record Link(@Nullable String url) {}

    ConsoleLinks(@Value("${ligeiro.gateway-url}") String gatewayUrl) {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(TIME_MAX).build());
        requests.setReadTimeout(TIME_MAX);
        this.gateway = RestClient.builder()
                .baseUrl(gatewayUrl)
                .requestFactory(requests)
                .build();
    }

    /** Null if the gateway does not answer: the merchant can make one with the key at any time. */
    @Nullable
    String make(String key) {
        try {
            Link link = gateway.post()
                    .uri("/api/v1/console-sessions")
                    .headers(headers -> headers.setBearerAuth(key))
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(Map.of())
                    .retrieve()
                    .body(Link.class);
            return link == null ? null : link.url();
        } catch (RestClientException refusedOrAway) {
            LOG.atWarn()
                    .addKeyValue("event.action", "console_link_not_made")
                    .addKeyValue("cause", refusedOrAway.getClass().getSimpleName())
                    .log("The gateway gave a new merchant no link to the console");
            return null;
        }
    }
}
