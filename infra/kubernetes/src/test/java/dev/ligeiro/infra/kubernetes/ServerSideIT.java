package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Each manifest is one that a kube-apiserver with the CRDs of the operators accepts: a dry run of server-side apply. */
class ServerSideIT {

    /** Strimzi's kinds: their CRDs are made with Java 21, and left out on a machine without it. */
    private static final Set<String> UNDEFINED =
            new TreeSet<>(Set.of("Kafka", "KafkaNodePool", "KafkaTopic", "KafkaUser"));

    private static ApiServer server;

    @BeforeAll
    static void start() throws IOException {
        server = ApiServer.startOrSkip();
        for (String file : Script.run("crds").split("\n")) {
            for (JsonNode definition : Yaml.documents(Yaml.text(Path.of(file)))) {
                server.define(definition);
                UNDEFINED.remove(definition.at("/spec/names/kind").asString());
            }
        }
        if (!UNDEFINED.isEmpty()) {
            System.err.println(
                    "NO JDK of version 21 or later on this machine: the server does not validate " + UNDEFINED);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void everyManifestIsAccepted() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (Overlay overlay : Overlay.all().toList()) {
            server.apply(overlay.only("Namespace", "ligeiro"));
            for (JsonNode manifest : overlay.manifests()) {
                String kind = manifest.path("kind").asString();
                if (!UNDEFINED.contains(kind)) {
                    softly.assertThat(server.faults(manifest))
                            .as("%s: %s %s", overlay, kind, Overlay.nameOf(manifest))
                            .isEmpty();
                }
            }
        }
        softly.assertAll();
    }

    /** The server and its schemas are at work. */
    @ParameterizedTest
    @CsvSource({
        "Deployment, replica, 3, field not declared in schema",
        "Deployment, paused, maybe, expected boolean",
        "ScaledObject, replica, 3, field not declared in schema",
        "ScaledObject, minReplicaCount, one, expected numeric",
    })
    void aWrongFieldIsRefused(String kind, String field, String value, String message) throws IOException {
        Overlay overlay = Overlay.of(Overlay.STRIMZI_MCK);
        server.apply(overlay.only("Namespace", "ligeiro"));
        ObjectNode wrong =
                (ObjectNode) overlay.kind(kind).findFirst().orElseThrow().deepCopy();
        wrong.withObject("spec").put(field, value);
        assertThat(server.faults(wrong)).singleElement().asString().contains(field, message);
    }
}
