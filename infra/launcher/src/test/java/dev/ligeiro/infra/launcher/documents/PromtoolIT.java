package dev.ligeiro.infra.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prometheus's own checks. Where no promtool or amtool can be had, {@code infra/prometheus/run} fails and says what to install. */
class PromtoolIT {

    private static final Path FOLDER = Checkout.ROOT.resolve("infra/prometheus");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check config prometheus.yml",
                "check config local.yml",
                "check rules alerts.yml",
                "test rules alerts_test.yml"
            })
    void prometheusAccepts(String arguments) throws IOException, InterruptedException {
        run("promtool", arguments);
    }

    @Test
    void alertmanagerAcceptsTheExample() throws IOException, InterruptedException {
        run("amtool", "check-config ../kubernetes/components/monitoring/alertmanager.yml");
    }

    private static void run(String program, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("./run", program));
        command.addAll(List.of(arguments.split(" ")));
        Process process = new ProcessBuilder(command)
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
