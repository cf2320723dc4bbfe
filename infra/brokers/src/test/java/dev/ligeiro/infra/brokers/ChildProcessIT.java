package dev.ligeiro.infra.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessIT {

    /** Prints its niceness and its pid. */
    private static final List<String> TELL = List.of("sh", "-c", "nice; echo $$");

    @Test
    void inTheBackgroundIsFiveNicerAndKeepsItsPid(@TempDir Path folder) throws Exception {
        int usual = Integer.parseInt(run(folder.resolve("usual")).get(0));
        Path log = folder.resolve("background");
        ChildProcess child = ChildProcess.spawn("background", ChildProcess.inTheBackground(TELL), Map.of(), log);
        child.onExit().get();

        assertThat(Files.readAllLines(log))
                .containsExactly(Integer.toString(Math.min(19, usual + 5)), Long.toString(child.pid()));
    }

    private static List<String> run(Path log) throws Exception {
        ChildProcess.spawn("usual", TELL, Map.of(), log).onExit().get();
        return Files.readAllLines(log);
    }
}
