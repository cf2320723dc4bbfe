package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Each manifest is one that Kubernetes and the operators accept. */
class SchemaIT {

    /** The oldest version that README.md names, and the newest one that the schemas have. */
    @ParameterizedTest
    @ValueSource(strings = {"1.30.0", "1.37.0"})
    void everyManifestIsValid(String version) {
        Schemas schemas = new Schemas(version);
        SoftAssertions softly = new SoftAssertions();
        Overlay.all()
                .forEach(overlay -> overlay.manifests().forEach(manifest -> softly.assertThat(schemas.faults(manifest))
                        .as("%s: %s %s", overlay, manifest.path("kind").asString(), Overlay.nameOf(manifest))
                        .isEmpty()));
        softly.assertAll();
    }

    /** A component is rendered, and so validated, as a part of overlays. */
    @Test
    void anOverlayHasEachComponent() {
        String overlays = Overlay.names("overlays").stream()
                .map(name -> Yaml.text(Path.of("overlays", name, "kustomization.yaml")))
                .collect(Collectors.joining());
        assertThat(Overlay.names("components")).isNotEmpty().allSatisfy(name -> assertThat(overlays)
                .contains("- ../../components/" + name + "\n"));
    }

    @Test
    void anUnknownFieldIsAFault() {
        Schemas schemas = new Schemas("1.37.0");
        Overlay overlay = Overlay.of(Overlay.STRIMZI_MCK);
        for (String kind :
                new String[] {"Deployment", "ScaledObject", "Kafka", "KafkaUser", "MongoDBCommunity", "PodMonitor"}) {
            ObjectNode wrong =
                    (ObjectNode) overlay.kind(kind).findFirst().orElseThrow().deepCopy();
            wrong.withObject("spec").put("replica", 3);
            assertThat(schemas.faults(wrong))
                    .as(kind)
                    .singleElement()
                    .asString()
                    .contains("replica");
        }
    }
}
