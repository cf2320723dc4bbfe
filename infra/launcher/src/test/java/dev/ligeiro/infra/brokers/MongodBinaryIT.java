package dev.ligeiro.infra.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.infra.brokers.MongodBinary.NoMongodException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With scripts that answer {@code --version} as a mongod does. */
class MongodBinaryIT {

    private final Path folder;

    MongodBinaryIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void ligeiroMongodIsTakenFirst() throws IOException {
        Path named = mongod("named", "7.0.2");
        mongod("path", "8.0.1");
        assertThat(locate(Map.of("LIGEIRO_MONGOD", named.toString(), "PATH", folder + "/path")))
                .isEqualTo(named);
    }

    @Test
    void refusesALigeiroMongodThatDoesNotRun() {
        assertThatThrownBy(() -> locate(Map.of("LIGEIRO_MONGOD", "/nowhere/mongod")))
                .isInstanceOf(NoMongodException.class)
                .hasMessageContaining("LIGEIRO_MONGOD=/nowhere/mongod is no mongod of version 6.0 or later");
    }

    @Test
    void takesTheFirstOnThePathThatIsNewEnough() throws IOException {
        mongod("old", "4.4.29");
        Path fit = mongod("fit", "6.0.5");
        assertThat(locate(Map.of("PATH", folder + "/none:" + folder + "/old:" + folder + "/fit")))
                .isEqualTo(fit);
    }

    @Test
    void takesTheCachedOneWithoutADownload() throws IOException {
        Path cached = mongod("cache/ligeiro", "6.0.5");
        Files.move(cached, cached.resolveSibling("mongod-6.0.5"));
        assertThat(locate(Map.of("PATH", "", "XDG_CACHE_HOME", folder + "/cache")))
                .isEqualTo(cached.resolveSibling("mongod-6.0.5"));
    }

    private Path mongod(String subfolder, String version) throws IOException {
        Path program = Files.createDirectories(folder.resolve(subfolder)).resolve("mongod");
        Files.writeString(program, "#!/bin/sh\necho 'db version v" + version + "'\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private static Path locate(Map<String, String> environment) {
        return new MongodBinary(environment, line -> {
                    throw new AssertionError("unexpected download: " + line);
                })
                .locate();
    }
}
