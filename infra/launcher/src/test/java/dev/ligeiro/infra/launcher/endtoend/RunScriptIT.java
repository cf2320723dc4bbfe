package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Order(5)
class RunScriptIT {

    private static final Path RUN = ProjectRoot.find().resolve("infra/run");

    private final Path javaHome;

    RunScriptIT(@TempDir Path javaHome) {
        this.javaHome = javaHome;
    }

    @Test
    void refusesAJavaHomeWithoutJava() throws IOException {
        assertThat(refusal())
                .isEqualTo(
                        "ligeiro: JAVA_HOME=%s has no bin/java: point it to a JDK 17 or newer%n".formatted(javaHome));
    }

    @ParameterizedTest
    @CsvSource({
        "echo '    java.specification.version = 11' >&2, 11",
        "echo '    java.specification.version = 1.8' >&2, 1.8",
        "exit 1, unknown",
    })
    void refusesAJavaThatIsTooOld(String script, String version) throws IOException {
        Path java = Files.createDirectories(javaHome.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n" + script + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        assertThat(refusal()).isEqualTo("ligeiro: %s is Java %s (expected: 17 or newer)%n".formatted(java, version));
    }

    @Test
    void refusesAnotherPlatform() throws IOException {
        Path uname = Files.createDirectories(javaHome.resolve("path")).resolve("uname");
        Files.writeString(uname, "#!/bin/sh\n[ $1 = -s ] && echo Darwin || echo arm64\n");
        assertThat(uname.toFile().setExecutable(true)).isTrue();
        assertThat(refusal(Map.of("PATH", uname.getParent() + ":" + System.getenv("PATH"))))
                .startsWith("ligeiro: this is Darwin arm64 (expected: Linux x86_64)");
    }

    private String refusal() throws IOException {
        return refusal(Map.of("JAVA_HOME", javaHome.toString()));
    }

    private String refusal(Map<String, String> environment) throws IOException {
        Path output = javaHome.resolve("run.out");
        ChildProcess run = ChildProcess.spawn("run", List.of(RUN.toString()), environment, output);
        assertThat(run.onExit().join().exitValue()).isEqualTo(1);
        return Files.readString(output);
    }
}
