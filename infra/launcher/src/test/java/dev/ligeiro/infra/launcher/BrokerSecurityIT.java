package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrokerSecurityIT {

    private final Home home;

    BrokerSecurityIT(@TempDir Path folder) {
        this.home = Home.at(folder);
    }

    @ParameterizedTest
    @EnumSource
    void aServiceGetsTheSettingsOfTheOverlay(ServiceKind kind) {
        List<String> ofOverlay = Yaml.overlay().values().stream()
                .filter(value -> value.matches("SPRING_.*=.*"))
                .map(setting -> setting.split("=")[0])
                .filter(name -> !name.equals("SPRING_KAFKA_BOOTSTRAP_SERVERS"))
                .toList();
        assertThat(BrokerSecurity.in(home).settings(kind))
                .containsOnlyKeys(ofOverlay)
                .values()
                .filteredOn(value -> value.startsWith("file:"))
                .allSatisfy(file ->
                        assertThat(Path.of(file.replaceFirst("^file:", ""))).exists());
    }

    @Test
    void aLaterStartHasTheSameSecretsForItsOwnerOnly() throws IOException {
        BrokerSecurity.in(home);
        List<String> first = files();
        BrokerSecurity.in(home);
        assertThat(files()).isEqualTo(first);
        assertThat(Files.getPosixFilePermissions(home.brokerSecurity())).hasSize(3);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(home.brokerSecurity())) {
            return files.filter(file -> !file.toString().endsWith(".properties"))
                    .sorted()
                    .map(BrokerSecurityIT::text)
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return file + Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
