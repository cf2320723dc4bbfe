package dev.ligeiro.infra.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With a shell that writes the draft in place of a JVM. */
class ClassArchiveIT {

    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    private final Path folder;
    private final ClassArchive archive;

    ClassArchiveIT(@TempDir Path folder) {
        this.folder = folder;
        this.archive = new ClassArchive(folder, "build", JAVA_HOME);
    }

    @ParameterizedTest
    @CsvSource({
        "exit 0, true",
        "exit 143, true",
        "kill -TERM $$, true",
        "kill -KILL $$, false",
        "exit 1, false",
        "exit 3, false",
    })
    void keepsTheDraftOfARunThatEndedRegularly(String end, boolean kept) throws Exception {
        String option = archive.option("child");
        run("echo classes > %s; %s".formatted(option.substring(option.indexOf('=') + 1), end));

        assertThat(archive.exists()).isEqualTo(kept);
        assertThat(drafts()).isEmpty();
    }

    @Test
    void isReadWhenItExists() throws Exception {
        assertThat(archive.readOption()).isEmpty();
        String option = archive.option("child");
        run("echo classes > " + option.substring(option.indexOf('=') + 1));

        assertThat(archive.readOption())
                .hasValueSatisfying(read ->
                        assertThat(archive.option("child")).isEqualTo(read).isNotEqualTo(option));
    }

    @Test
    void aCopiedFolderHasAnotherArchive(@TempDir Path copy) throws Exception {
        run("echo classes > " + archive.option("child").split("=")[1]);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        assertThat(new ClassArchive(copy, "build", JAVA_HOME).exists()).isFalse();
    }

    @Test
    void anotherJdkHasAnotherArchive(@TempDir Path jdk) {
        run("echo classes > " + archive.option("child").split("=")[1]);
        assertThat(archive.exists()).isTrue();
        assertThat(new ClassArchive(folder, "build", jdk).exists()).isFalse();
    }

    @Test
    void deletesTheDraftsOfKilledLaunchers() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.writeString(folder.resolve("build.jsa.child.%d.draft".formatted(dead.pid())), "a part");
        Path living = folder.resolve(
                "build.jsa.child.%d.draft".formatted(ProcessHandle.current().pid()));
        Files.writeString(living, "a part");

        archive.option("child");
        assertThat(drafts()).containsExactly(living);
    }

    private void run(String script) {
        ChildProcess child = ChildProcess.spawn("child", List.of("sh", "-c", script), Map.of(), folder.resolve("log"));
        archive.keepFrom(child);
        child.onExit().join();
    }

    private List<Path> drafts() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().contains(".draft")).toList();
        }
    }
}
