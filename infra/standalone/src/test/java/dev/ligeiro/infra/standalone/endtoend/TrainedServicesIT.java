package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A launcher whose training fails goes on without: nobody else would notice. */
class TrainedServicesIT {

    private final Ligeiro ligeiro = Ligeiro.running();

    @ParameterizedTest
    @CsvSource({"GATEWAY_PID, gateway", "PROCESSOR_PID, processor", "WEBHOOK_DISPATCHER_PID, webhook-dispatcher"})
    void startFromArchives(String variable, String module) throws IOException {
        for (long pid : ligeiro.environment().pids(variable)) {
            assertThat(Files.readString(Path.of("/proc/%d/maps".formatted(pid))))
                    .as("the archive is not only named but mapped")
                    .containsPattern("/%s/target/unpacked/\\w+/jdk-.*\\.(aot|jsa)\n".formatted(module));
        }
    }

    @Test
    void theTrainingLeavesNothingBehind() {
        assertThat(ligeiro.home().resolve("training")).doesNotExist();
    }
}
