package dev.ligeiro.desk.attention;

import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** The active alerts of the Alertmanager at {@code ligeiro.alertmanager-url}, if it is set. */
@Component
public class Alerts {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final int SHOWN_MAX = 100;

    private final boolean isSet;
    private final Recent<List<Alert>> alerts;

    Alerts(@Value("${ligeiro.alertmanager-url}") String url) {
        this.isSet = !url.isBlank();
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build());
        requests.setReadTimeout(ANSWER_MAX);
        RestClient client =
                RestClient.builder().baseUrl(url).requestFactory(requests).build();
        this.alerts = new Recent<>(() -> Stream.of(client.get()
                        .uri("/api/v2/alerts?active=true&silenced=false&inhibited=false")
                        .retrieve()
                        .requiredBody(Alert[].class))
                .sorted(Comparator.comparing(Alert::startsAt).reversed())
                .limit(SHOWN_MAX)
                .toList());
    }

    /** An alert as Alertmanager has it. */
    public record Alert(Map<String, String> labels, Map<String, String> annotations, Instant startsAt) {

        public String name() {
            return labels.getOrDefault("alertname", "?");
        }

        public String severity() {
            return labels.getOrDefault("severity", "");
        }

        public String summary() {
            return annotations.getOrDefault("summary", annotations.getOrDefault("description", ""));
        }
    }

    boolean isSet() {
        return isSet;
    }

    /** The newest first, at most 100; null if no address is set or nobody answers there. */
    @Nullable
    List<Alert> active() {
        return isSet ? alerts.get() : null;
    }
}
