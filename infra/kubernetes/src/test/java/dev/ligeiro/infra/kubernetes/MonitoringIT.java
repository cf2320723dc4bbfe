package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The cluster's alerts and boards are those of {@code infra/prometheus} and {@code infra/grafana}. */
class MonitoringIT {

    private static final Path INFRA = Yaml.ROOT.resolve("infra");

    private final Overlay overlay = Overlay.of(Overlay.STRIMZI_MCK);

    /** On a failure, run {@code infra/kubernetes/manifests alerts}. */
    @Test
    void theRuleHasTheAlerts() {
        String alerts = Yaml.text(INFRA.resolve("prometheus/alerts.yml"))
                .replace("{{ $externalLabels.runbooks }}", "https://runbooks.example.com");
        assertThat(overlay.only("PrometheusRule", "ligeiro").path("spec"))
                .isEqualTo(Yaml.documents(alerts).get(0));
    }

    @Test
    void eachBoardIsAConfigMapForGrafanasSidecar() throws IOException {
        Map<String, String> files;
        try (Stream<Path> boards = Files.list(INFRA.resolve("grafana/dashboards"))) {
            files = boards.filter(file -> file.toString().endsWith(".json"))
                    .collect(Collectors.toMap(file -> file.getFileName().toString(), Yaml::text));
        }
        assertThat(overlay.kind("ConfigMap")
                        .filter(map -> map.at("/metadata/labels/grafana_dashboard")
                                .asString("")
                                .equals("1"))
                        .flatMap(map -> map.path("data").properties().stream())
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().asString())))
                .isEqualTo(files);
    }

    /** One place has the address of the runbooks, and no cluster gets that config map. */
    @Test
    void theAddressOfTheRunbooksIsNotApplied() {
        assertThat(overlay.kind("ConfigMap").map(Overlay::nameOf)).doesNotContain("runbooks");
    }

    /** Several installations may share a Prometheus. */
    @Test
    void theDispatchersScalerAsksForItsOwnNamespace() {
        JsonNode query = overlay.only("ScaledObject", "webhook-dispatcher").at("/spec/triggers/1/metadata/query");
        assertThat(query.asString()).contains("namespace=\"ligeiro\"");
    }
}
