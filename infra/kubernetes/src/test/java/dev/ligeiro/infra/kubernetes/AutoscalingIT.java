package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.Topics;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The scalers ask for groups, topics and metrics that exist. */
class AutoscalingIT {

    private static final Pattern METRIC = Pattern.compile("ligeiro_\\w+");

    private final Overlay overlay = Overlay.of(Overlay.STRIMZI_MCK);

    @ParameterizedTest
    @CsvSource({"PROCESSOR, " + Topics.COMMANDS, "WEBHOOK_DISPATCHER, " + Topics.EVENTS})
    void aConsumerScalesByTheLagOfItsGroup(Service service, String topic) {
        JsonNode scaled = overlay.only("ScaledObject", service.module()).path("spec");
        JsonNode lag = scaled.at("/triggers/0/metadata");
        assertThat(lag.path("topic").asString()).isEqualTo(topic);
        assertThat(lag.path("consumerGroup").asString()).isEqualTo(service.setting("spring.kafka.consumer.group-id"));
        assertThat(lag.path("bootstrapServers").asString())
                .isEqualTo(service.configured(overlay, "SPRING_KAFKA_BOOTSTRAP_SERVERS")
                        .replace(":", ".ligeiro:"));
        assertThat(scaled.path("maxReplicaCount").asInt())
                .isLessThanOrEqualTo(
                        Integer.parseInt(Service.PROCESSOR.configured(overlay, "LIGEIRO_KAFKA_PARTITIONS")));
    }

    /** Due work alone waits in Kafka with this many commands at most, which one processor decides in a moment. */
    @Test
    void dueWorkAloneStartsNoProcessor() {
        JsonNode lag = overlay.only("ScaledObject", "processor").at("/spec/triggers/0/metadata/lagThreshold");
        assertThat(lag.asInt()).isGreaterThan(Integer.parseInt(Service.PROCESSOR.setting("ligeiro.due.ahead-max")));
    }

    /** A test of the dispatcher compares the list with the metrics of a running one. */
    @Test
    void theDispatchersQueryNamesADocumentedMetric() {
        JsonNode query = overlay.only("ScaledObject", "webhook-dispatcher").at("/spec/triggers/1/metadata/query");
        String documented = Yaml.text(Yaml.ROOT.resolve("infra/prometheus/METRICS.md"));
        assertThat(METRIC.matcher(query.asString()).results())
                .singleElement()
                .satisfies(metric -> assertThat(documented).contains("| `" + metric.group() + "{state}` |"));
        assertThat(documented).contains("`due`: waits for a dispatcher or is worked on");
    }

    @Test
    void aDispatcherClaimsMoreLanesThanTheThreshold() {
        JsonNode threshold =
                overlay.only("ScaledObject", "webhook-dispatcher").at("/spec/triggers/1/metadata/threshold");
        assertThat(threshold.asInt())
                .isLessThanOrEqualTo(
                        Integer.parseInt(Service.WEBHOOK_DISPATCHER.setting("ligeiro.webhook.lane.claimed-max")));
    }

    @Test
    void theScalersNameTheDeployments() {
        assertThat(overlay.kind("ScaledObject"))
                .extracting(scaled -> scaled.at("/spec/scaleTargetRef/name").asString())
                .containsExactlyInAnyOrder("processor", "webhook-dispatcher");
        assertThat(overlay.only("HorizontalPodAutoscaler", "gateway")
                        .at("/spec/scaleTargetRef/name")
                        .asString())
                .isEqualTo("gateway");
        // a number here would undo the autoscaler's at each apply
        assertThat(overlay.kind("Deployment")).allSatisfy(deployment -> assertThat(
                        deployment.at("/spec/replicas").isMissingNode())
                .isTrue());
    }
}
