package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.launcher.endtoend.SharedSystem.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Order(4)
class RefusedStartIT {

    private static final List<String> PROGRAMS_OF_RUN =
            List.of("awk", "bash", "cksum", "df", "dirname", "find", "head", "readlink", "sed", "uname");

    private final SharedSystem ligeiro = SharedSystem.running();
    private final Path folder;

    RefusedStartIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void refusesAHomeInUse() {
        assertThat(refusal(Map.of(), "--home=" + ligeiro.home()))
                .startsWith("ligeiro: %s is in use by the launcher with pid ".formatted(ligeiro.home()))
                .endsWith(": stop that one, or choose another --home");
        assertThat(ligeiro.isRunning()).isTrue();
    }

    /** With a PATH that has only the programs that infra/run needs: no mongod and no pip. */
    @Test
    void withoutAMongodTheMessageSaysHowToGetOne() throws IOException {
        Path path = Files.createDirectory(folder.resolve("bin"));
        for (String program : PROGRAMS_OF_RUN) {
            Files.createSymbolicLink(path.resolve(program), onThePath(program));
        }
        Map<String, String> bare = Map.of(
                "JAVA_HOME", System.getProperty("java.home"),
                "PATH", path.toString(),
                "XDG_CACHE_HOME", folder.resolve("nowhere").toString(),
                "LIGEIRO_MONGOD", "");
        List<String> options = new ArrayList<>(FreePorts.find().options());
        options.add("--home=" + folder);
        assertThat(refusal(bare, options.toArray(String[]::new)))
                .contains("no usable mongod", "pip3: not installed", "LIGEIRO_MONGOD=/path/to/mongod");
    }

    @Test
    void refusesAJavaHomeWithoutJava() throws IOException {
        assertThat(refusal(Map.of("JAVA_HOME", folder.toString())))
                .isEqualTo("ligeiro: JAVA_HOME=%s has no bin/java: point it to a JDK 17 or newer".formatted(folder));
    }

    @ParameterizedTest
    @CsvSource({
        "echo '    java.specification.version = 11' >&2, 11",
        "echo '    java.specification.version = 1.8' >&2, 1.8",
        "exit 1, unknown",
    })
    void refusesAJavaThatIsTooOld(String script, String version) throws IOException {
        Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n" + script + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        assertThat(refusal(Map.of("JAVA_HOME", folder.toString())))
                .isEqualTo("ligeiro: %s is Java %s (expected: 17 or newer)".formatted(java, version));
    }

    @Test
    void refusesAnotherPlatform() throws IOException {
        Path uname = Files.createDirectories(folder.resolve("path")).resolve("uname");
        Files.writeString(uname, "#!/bin/sh\n[ $1 = -s ] && echo Darwin || echo arm64\n");
        assertThat(uname.toFile().setExecutable(true)).isTrue();
        assertThat(refusal(Map.of("PATH", uname.getParent() + ":" + System.getenv("PATH"))))
                .startsWith("ligeiro: this is Darwin arm64 (expected: Linux x86_64)");
    }

    private static Path onThePath(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private String refusal(Map<String, String> environment, String... options) {
        Launcher launcher = Launcher.start(folder.resolve("launcher.out"), environment, List.of(options))
                .awaitEnd();
        assertThat(launcher.exitStatus()).isEqualTo("exit code 1");
        return launcher.output().strip();
    }
}
