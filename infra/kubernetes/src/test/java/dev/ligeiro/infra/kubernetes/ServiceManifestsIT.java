package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The Deployments and Services say what the services' code, docker-compose.yml and the README say. */
class ServiceManifestsIT {

    /** For the JVM's exit and the kubelet. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(5);

    private static final JsonNode COMPOSE = Yaml.file(Yaml.ROOT.resolve("docker-compose.yml"));

    private static final Pattern TLS = Pattern.compile(
            "SPRING_(KAFKA_SECURITY_PROTOCOL|KAFKA_PROPERTIES_SASL_(MECHANISM|JAAS_CONFIG)|(KAFKA|MONGODB)_SSL_(BUNDLE|ENABLED)|SSL_BUNDLE_PEM_"
                    + "(KAFKA|MONGODB)_(TRUSTSTORE|KEYSTORE)_(CERTIFICATE|PRIVATEKEY))");

    /** A row of the README's table of secrets. */
    private static final Pattern SECRET = Pattern.compile("(?m)^\\| `(ligeiro-[a-z-]+)` \\| `([\\w.-]+)` \\| ");

    static Stream<Arguments> servicesOfOverlays() {
        return Overlay.all()
                .flatMap(overlay -> Stream.of(Service.values()).map(service -> Arguments.of(service, overlay)));
    }

    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void setsOnlyWhatTheServiceReads(Service service, Overlay overlay) {
        assertThat(service.variables(overlay))
                .filteredOn(name -> name.matches("(LIGEIRO|SPRING|SERVER|MANAGEMENT)_.*"))
                .hasSizeGreaterThan(3)
                // Spring's own settings of TLS, which no application.yml repeats
                .allMatch(name -> service.reads(name) || TLS.matcher(name).matches());
    }

    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void setsWhatComposeSets(Service service, Overlay overlay) {
        Set<String> compose =
                new TreeSet<>(composed(service).path("environment").propertyNames());
        compose.remove("<<");
        // files with the names of settings, which are variables here
        compose.remove("SPRING_CONFIG_IMPORT");
        composed(service)
                .path("secrets")
                .forEach(secret ->
                        compose.add(secret.asString().toUpperCase(Locale.ROOT).replaceAll("[.-]", "_")));
        assertThat(service.variables(overlay)).containsAll(compose);
    }

    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void portsAndProbesAreThoseOfTheService(Service service, Overlay overlay) {
        JsonNode container = service.container(overlay);
        int management = service.managementPort();
        JsonNode port = named(container.path("ports"), "management");
        assertThat(port.path("containerPort").asInt()).isEqualTo(management);
        String variable = service == Service.DESK ? "SERVER_PORT" : "MANAGEMENT_SERVER_PORT";
        assertThat(named(container.path("env"), variable).path("value").asString())
                .isEqualTo(Integer.toString(management));
        assertThat(COMPOSE.at("/services/" + service.module() + "/healthcheck/test/3")
                        .asString())
                .contains("GET " + container.at("/readinessProbe/httpGet/path").asString() + " ");
        assertThat(container.at("/readinessProbe/httpGet/path").asString()).isEqualTo("/actuator/health/readiness");
        assertThat(service.setting("management.endpoint.health.group.readiness.include"))
                .contains("mongo");
        for (String probe : new String[] {"startupProbe", "livenessProbe"}) {
            assertThat(container.at("/" + probe + "/httpGet/path").asString()).isEqualTo("/actuator/health/liveness");
        }
        assertThat(service.setting("management.endpoint.health.probes.enabled")).isEqualTo("true");
        for (String probe : new String[] {"startupProbe", "livenessProbe", "readinessProbe"}) {
            assertThat(container.at("/" + probe + "/httpGet/port").asString()).isEqualTo("management");
        }
    }

    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void theGracePeriodIsLongerThanTheLongestStop(Service service, Overlay overlay) {
        Duration grace = Duration.ofSeconds(
                service.pod(overlay).path("terminationGracePeriodSeconds").asInt());
        assertThat(grace).isGreaterThanOrEqualTo(service.stopMax().plus(STOP_MARGIN));
        assertThat(Duration.parse(
                        "PT" + composed(service).path("stop_grace_period").asString()))
                .isGreaterThanOrEqualTo(service.stopMax().plus(STOP_MARGIN));
    }

    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void theImageIsThatOfComposeAndOfThisVersion(Service service, Overlay overlay) {
        String image = service.container(overlay).path("image").asString();
        assertThat(image)
                .isEqualTo(composed(service).path("image").asString() + ":" + System.getProperty("ligeiro.version"));
    }

    /** The rules of the pod security standard "restricted", and more. */
    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void aPodHasNoRightsAndWritesOnlyToTmp(Service service, Overlay overlay) {
        JsonNode pod = service.pod(overlay);
        assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(pod.path("serviceAccountName").asString()).isEqualTo(service.module());
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/seccompProfile/type").asString()).isEqualTo("RuntimeDefault");
        JsonNode container = service.container(overlay);
        assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
                .isFalse();
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(container.at("/securityContext/capabilities/drop/0").asString())
                .isEqualTo("ALL");
        assertThat(container.path("volumeMounts"))
                .filteredOn(mount -> !mount.path("readOnly").asBoolean(false))
                .singleElement()
                .satisfies(
                        mount -> assertThat(mount.path("mountPath").asString()).isEqualTo("/tmp"));
        assertThat(Yaml.text(Yaml.ROOT.resolve("infra/Dockerfile")))
                .contains("USER " + pod.at("/securityContext/runAsUser").asString() + "\n");
    }

    /** Labels, selectors and disruption budgets name the same pods. */
    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void everyObjectSelectsThePodsOfTheService(Service service, Overlay overlay) {
        JsonNode labels = service.deployment(overlay).at("/spec/template/metadata/labels");
        assertThat(labels.path("app.kubernetes.io/name").asString()).isEqualTo(service.module());
        assertThat(labels.path("app.kubernetes.io/part-of").asString()).isEqualTo("ligeiro");
        String selector = "{\"app.kubernetes.io/name\":\"" + service.module() + "\"}";
        assertThat(service.deployment(overlay).at("/spec/selector/matchLabels")).hasToString(selector);
        assertThat(overlay.only("Service", service.module()).at("/spec/selector"))
                .hasToString(selector);
        assertThat(overlay.only("PodDisruptionBudget", service.module()).at("/spec/selector/matchLabels"))
                .hasToString(selector);
        assertThat(service.pod(overlay).path("topologySpreadConstraints"))
                .allSatisfy(spread ->
                        assertThat(spread.at("/labelSelector/matchLabels")).hasToString(selector));
    }

    @ParameterizedTest
    @MethodSource("servicesOfOverlays")
    void secretsComeByReferenceAndAreListed(Service service, Overlay overlay) {
        Set<String> listed = SECRET.matcher(Yaml.text(Path.of("README.md")))
                .results()
                .map(row -> row.group(1) + "/" + row.group(2))
                .collect(Collectors.toSet());
        for (JsonNode variable : service.container(overlay).path("env")) {
            JsonNode reference = variable.at("/valueFrom/secretKeyRef");
            if (variable.path("name").asString().matches(".*(KEYS|TOKEN|URI|PASSWORD|JAAS).*")) {
                assertThat(reference.isMissingNode()).as(variable.toString()).isFalse();
                assertThat(listed)
                        .contains(reference.path("name").asString() + "/"
                                + reference.path("key").asString());
            } else {
                assertThat(reference.isMissingNode()).as(variable.toString()).isTrue();
            }
        }
        assertThat(overlay.kind("Secret")).isEmpty();
    }

    private static JsonNode composed(Service service) {
        JsonNode composed = COMPOSE.at("/services/" + service.module());
        assertThat(composed.isObject()).isTrue();
        return composed;
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode item : list) {
            if (item.path("name").asString().equals(name)) {
                return item;
            }
        }
        throw new AssertionError("no " + name + " in " + list);
    }
}
