package dev.ligeiro.infra.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessIT {

    private static final List<String> PRINT_NICENESS_AND_PID = List.of("sh", "-c", "nice; echo $$");

    @Test
    void lowerPriorityAddsFiveToTheNicenessAndKeepsThePid(@TempDir Path folder) throws Exception {
        int normal = Integer.parseInt(run(folder.resolve("normal")).get(0));
        Path log = folder.resolve("background");
        ChildProcess child =
                ChildProcess.spawn("background", ChildProcess.withLowerPriority(PRINT_NICENESS_AND_PID), Map.of(), log);
        child.onExit().get();

        assertThat(Files.readAllLines(log))
                .containsExactly(Integer.toString(Math.min(19, normal + 5)), Long.toString(child.pid()));
    }

    private static List<String> run(Path log) throws Exception {
        ChildProcess.spawn("normal", PRINT_NICENESS_AND_PID, Map.of(), log)
                .onExit()
                .get();
        return Files.readAllLines(log);
    }
}
