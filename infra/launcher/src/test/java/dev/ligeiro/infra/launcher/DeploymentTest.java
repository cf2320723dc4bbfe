package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docker-compose.yml, infra/Dockerfile and the launcher use only settings that the services read, and their documented ports. */
class DeploymentTest {

    private static final Map<String, String> COMPOSE = Yaml.compose();

    @Test
    void composeStartsServicesBrokersAndMetrics() {
        assertThat(namesUnder("services."))
                .containsExactlyInAnyOrder(
                        "ingress",
                        "gateway",
                        "processor",
                        "webhook-dispatcher",
                        "desk",
                        "kafka",
                        "mongodb",
                        "prometheus",
                        "grafana");
        assertThat(COMPOSE).containsEntry("services.kafka.image", "apache/kafka:4.2.1");
        assertThat(COMPOSE).containsEntry("services.mongodb.image", "mongo:8.0.32");
    }

    /** Before, only libraries were scanned, so nobody heard of CVE-2025-14847 in the pinned MongoDB. */
    @Test
    void theScanKnowsEveryImageAndServer() throws Exception {
        Process scan = new ProcessBuilder("../scan", "list")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> listed = new String(scan.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(listed)
                .containsAll(COMPOSE.entrySet().stream()
                        .filter(entry -> entry.getKey().matches("services\\..*\\.image"))
                        .map(Map.Entry::getValue)
                        .filter(image -> !image.startsWith("ligeiro/"))
                        .toList())
                .contains("mongo 8.0.32", "kafka 4.2.1")
                .anyMatch(image -> image.contains("/eclipse-temurin:"));
    }

    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void composeSetsOnlySettingsOfTheService(ServiceKind kind) {
        assertThat(asEnvironment(Yaml.settingsOf(kind)))
                .containsAll(withoutUnderscores(namesUnder("services." + kind.module() + ".environment.")));
    }

    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void theLauncherSetsOnlySettingsOfTheService(ServiceKind kind) {
        Brokers brokers = new Brokers(List.of(), "m", "k", null);
        Set<String> set = new ServiceSettings(
                        OptionsTest.parse(), brokers, null, Path.of("/logs"), "token", "k1:key", "signing", Set.of())
                .of(kind, "name", 1).keySet().stream()
                        .filter(name -> name.startsWith("LIGEIRO_") || name.equals("SPRING_MONGODB_URI"))
                        .collect(Collectors.toSet());
        assertThat(asEnvironment(Yaml.settingsOf(kind))).containsAll(withoutUnderscores(set));
    }

    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void managementPortsAgreeEverywhere(ServiceKind kind) throws Exception {
        String port = Integer.toString(kind.managementPort(OptionsTest.parse()));
        String service = "services." + kind.module();
        String setting = kind == ServiceKind.DESK ? "server.port" : "management.server.port";
        String variable = setting.replace('.', '_').toUpperCase(Locale.ROOT);
        assertThat(COMPOSE).containsEntry(service + ".environment." + variable, port);
        assertThat(COMPOSE.get(service + ".healthcheck.test.3"))
                .contains(
                        "/dev/tcp/127.0.0.1/$${MANAGEMENT_SERVER_PORT:-$$SERVER_PORT}",
                        "GET /actuator/health/readiness ");
        assertThat(Yaml.prometheus())
                .containsEntry("scrape_configs." + scrapeJob(kind) + ".dns_sd_configs.0.port", port);
        assertThat(COMPOSE).containsEntry(service + ".build.args.SERVICE", kind.module());
        assertThat(Yaml.settingsOf(kind)).containsEntry(setting, port);
    }

    @Test
    void onlyTheApiIsOpenToOtherMachines() {
        assertThat(COMPOSE.entrySet().stream()
                        .filter(entry -> entry.getKey().matches("services\\..*\\.ports\\..*"))
                        .map(Map.Entry::getValue)
                        .filter(port -> !port.startsWith("127.0.0.1:")))
                .containsExactly("8080:8080");
    }

    /** With the fault, a client in the trusted networks chose its own address, so a key restricted to one worked from another. */
    @Test
    void onlyTheIngressSaysWhereARequestComesFrom() throws Exception {
        String ingress = COMPOSE.get("services.ingress.networks.default.ipv4_address");

        assertThat(COMPOSE)
                .containsEntry(
                        "services.gateway.environment.LIGEIRO_PROXIES_TRUSTED",
                        "${LIGEIRO_PROXIES_TRUSTED:-" + ingress + "}");
        assertThat(Files.readString(Path.of("..", "compose", "haproxy.cfg")))
                .doesNotContain("forwardfor")
                .containsPattern("bind :8080\n(.*\n)?  http-request set-header X-Forwarded-For %\\[src]\n");
    }

    /** A second container could not publish the same port, nor have the same name. One desk is enough. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DESK")
    void composeCanScaleAService(ServiceKind kind) throws Exception {
        String service = "services." + kind.module() + ".";
        assertThat(COMPOSE.keySet()).noneMatch(key -> key.matches(service + "(ports\\..*|container_name)"));
        assertThat(Files.readString(Path.of("..", "compose", "haproxy.cfg")))
                .contains(" 1-10 gateway:8080 check port 8081 ");
    }

    /** Environment variables are seen by all that may inspect a container. */
    @ParameterizedTest
    @EnumSource(ServiceKind.class)
    void composeHasSecretsAsFiles(ServiceKind kind) {
        assertThat(COMPOSE.keySet())
                .noneMatch(key -> key.matches("services\\..*\\.environment\\..*(TOKEN|SECRET|PASSWORD).*"));
        String service = "services." + kind.module() + ".";
        assertThat(Yaml.settingsOf(kind).keySet())
                .containsAll(COMPOSE.entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith(service + "secrets."))
                        .map(Map.Entry::getValue)
                        .toList());
    }

    /** The JVM ignores an AOT cache that was written with other options, without an error. */
    @Test
    void anImageWritesItsAotCacheWithTheOptionsOfItsStart() throws Exception {
        String file = Files.readString(Path.of("..", "Dockerfile")).replace("\\\n", "");
        List<String> training = options(file, "(?m)^RUN .*java (-Xlog.*)$");
        List<String> start = options(file, "(?m)^ENTRYPOINT \\[\"java\", (.*)]$");
        assertThat(training).contains("-XX:AOTCacheOutput=service.aot");
        assertThat(start).contains("-XX:AOTCache=service.aot");
        List<String> decisive = start.stream()
                .filter(option -> !option.matches("-Xms.*|-XX:(AOTCache=|MaxRAM|\\+ExitOn).*"))
                .toList();
        assertThat(decisive)
                .containsExactlyElementsOf(training.stream()
                        .filter(option -> !option.matches("-Xlog.*|-XX:AOTCacheOutput=.*|-Dspring.context.exit=.*"))
                        .toList());
        assertThat(ServiceKind.values())
                .as("infra/images train makes the cache with the launcher's options")
                .allSatisfy(kind ->
                        assertThat(kind.jvmOptions()).containsAll(decisive.subList(0, decisive.indexOf("-jar"))));
    }

    private static List<String> options(String dockerfile, String instruction) {
        Matcher found = Pattern.compile(instruction).matcher(dockerfile);
        assertThat(found.find()).as(instruction).isTrue();
        return List.of(found.group(1).replace("\"", "").split(",? +"));
    }

    private static int scrapeJob(ServiceKind kind) {
        Map<String, String> prometheus = Yaml.prometheus();
        int job = 0;
        while (!kind.module().equals(prometheus.get("scrape_configs." + job + ".job_name"))) {
            job++;
            assertThat(job).isLessThan(10);
        }
        return job;
    }

    private static Set<String> namesUnder(String prefix) {
        return COMPOSE.keySet().stream()
                .filter(key -> key.startsWith(prefix))
                .map(key -> key.substring(prefix.length()).split("\\.")[0])
                .collect(Collectors.toSet());
    }

    /** Spring Boot's relaxed binding ignores underscores: {@code LIGEIRO_PUBLICURL} sets {@code ligeiro.public-url} too. */
    private static Set<String> asEnvironment(Map<String, String> settings) {
        return settings.keySet().stream()
                .map(key -> key.replaceAll("[.-]", "").toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private static Set<String> withoutUnderscores(Set<String> names) {
        return names.stream().map(name -> name.replace("_", "")).collect(Collectors.toSet());
    }
}
