package dev.ligeiro.infra.launcher.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Profiles, {@code …_ENABLED} switches and the exposure of endpoints can be set at the start of the built jar, as Spring Boot's
 * reference says. The tests share one gateway, without brokers.
 */
class SpringSettingsIT {

    private static ChildProcess gateway;
    private static Api management;

    @BeforeAll
    static void startGateway(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("application-staging.yml"), "info.stage: from the profile's file");
        int port = Ports.freeInARow(2);
        List<String> command = List.of(
                java(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                ServiceJars.of(ServiceKind.GATEWAY, ProjectRoot.find()).toString());
        Map<String, String> environment = Map.of(
                "LIGEIRO_WEBHOOK_SECRET_KEYS", "k1:" + Base64.getEncoder().encodeToString(new byte[32]),
                "SERVER_PORT", Integer.toString(port),
                "MANAGEMENT_SERVER_PORT", Integer.toString(port + 1),
                "SPRING_PROFILES_ACTIVE", "staging",
                "SPRING_CONFIG_ADDITIONAL_LOCATION", folder + "/",
                "MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE", "health,info",
                "MANAGEMENT_INFO_ENV_ENABLED", "true",
                "MANAGEMENT_ENDPOINT_HEALTH_SHOWCOMPONENTS", "always",
                "MANAGEMENT_HEALTH_DISKSPACE_ENABLED", "false");
        gateway = ChildProcess.spawn("gateway", command, environment, folder.resolve("gateway.out"));
        management = new Api("http://127.0.0.1:" + (port + 1), null);
        await().atMost(Duration.ofMinutes(2)).until(() -> !gateway.isAlive() || Ports.answers(port + 1));
        assertThat(gateway.isAlive()).as(gateway::failureSummary).isTrue();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    @AfterAll
    static void stopGateway() {
        gateway.stop(Duration.ofSeconds(30));
    }

    @Test
    void aProfileSelectsItsFileAndASwitchAddsABean() {
        assertThat(get("/info").expect(200).json().path("stage").asString()).isEqualTo("from the profile's file");
    }

    @Test
    void theExposureOfEndpointsIsSetAtTheStart() {
        assertThat(get("/prometheus").status()).isEqualTo(404);
    }

    @Test
    void aSwitchRemovesABean() {
        assertThat(get("/health/ping").status()).isEqualTo(200);
        assertThat(get("/health/diskSpace").status()).isEqualTo(404);
    }

    private static Answer get(String path) {
        return management.get("/actuator" + path);
    }
}
