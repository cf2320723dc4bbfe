package dev.ligeiro.infra.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.launcher.Home.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeIT {

    private final Home home;

    HomeIT(@TempDir Path folder) {
        home = Home.at(folder.resolve("a home"));
    }

    @Test
    void keepsItsSecretsForItsOwnerOnly() throws IOException {
        requireKept(home::adminToken, "[A-Za-z0-9_-]{43}", "admin-token");
        requireKept(home::webhookSecretKeys, "k1:[A-Za-z0-9+/]{43}=", "webhook-secret-keys");
        requireKept(home::bundleSigningKey, "MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43}", "bundle-signing-key");
        requireKept(home::demoWebhookSecret, "whsec_[A-Za-z0-9+/]{43}=", "demo-webhook-secret");
        assertThat(modeOf(home.folder())).isEqualTo("rwx------");
    }

    private void requireKept(Supplier<String> secret, String form, String file) throws IOException {
        String created = secret.get();
        assertThat(created).matches(form);
        assertThat(secret.get()).isEqualTo(created);
        assertThat(modeOf(home.folder().resolve(file))).isEqualTo("rw-------");
    }

    @Test
    void aPrivateFileIsReplacedAndLeavesNoDraft() throws IOException {
        PrivateFile.write(home.demoEnv(), "old");
        PrivateFile.write(home.demoEnv(), "new");
        assertThat(home.demoEnv()).hasContent("new");
        assertThat(modeOf(home.demoEnv())).isEqualTo("rw-------");
        try (var files = Files.list(home.folder())) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("demo.env", "logs");
        }
    }

    @Test
    void aFailedWriteLeavesNoDraft() throws IOException {
        Files.createDirectories(home.demoEnv().resolve("a folder in the way"));
        assertThatThrownBy(() -> PrivateFile.write(home.demoEnv(), "new"))
                .isInstanceOf(CannotStartException.class)
                .hasMessageStartingWith(home.demoEnv() + " cannot be written: ");
        assertThat(home.folder()).isDirectoryNotContaining("glob:**.draft");
    }

    /** One member alone has not all that the others have acknowledged. */
    @Test
    void aReplicaSetKeepsItsNumberOfMembers() throws IOException {
        List<Path> three = home.ofMembers("mongod", 3, "--mongodb-members");
        assertThat(three)
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("mongod", "mongod-2", "mongod-3");
        for (Path each : three) {
            Files.createDirectories(each);
        }
        assertThat(home.ofMembers("mongod", 3, "--mongodb-members")).isEqualTo(three);
        assertThatThrownBy(() -> home.ofMembers("mongod", 1, "--mongodb-members"))
                .isInstanceOf(CannotStartException.class)
                .hasMessage(
                        "--mongodb-members: 1 (expected: 3, as when %s was created; or choose another --home)",
                        home.folder());
    }

    @Test
    void stopsTheProcessesOfAKilledLauncher() {
        ChildProcess left = sleeper();
        new PidFile(home.pids()).record("gateway-1", left);
        assertThat(PidFile.orphans(home.pids())).containsOnlyKeys("gateway-1");
        PidFile.stopOrphans(home.pids());
        // Java notices the end of its own child a moment later
        assertThat(left.endsWithin(Duration.ofSeconds(10))).isTrue();
        assertThat(PidFile.orphans(home.pids())).isEmpty();
    }

    /** One after the other they would take 24 s. */
    @Test
    void orphansThatHangAreKilledAtTheSameTime() {
        PidFile pids = new PidFile(home.pids());
        List<ChildProcess> hanging =
                IntStream.rangeClosed(1, 8).mapToObj(this::hanging).toList();
        hanging.forEach(child -> pids.record(child.name(), child));
        Instant begun = Instant.now();
        PidFile.stopOrphans(home.pids(), Duration.ofSeconds(3));
        assertThat(Duration.between(begun, Instant.now())).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(20));
        assertThat(hanging).allMatch(child -> child.endsWithin(Duration.ofSeconds(10)));
    }

    /** A process that ignores SIGTERM. */
    private ChildProcess hanging(int number) {
        String name = "processor-" + number;
        Path ready = home.logs().resolve(name + ".ready");
        ChildProcess child = ChildProcess.spawn(
                name,
                List.of("sh", "-c", "trap '' TERM; touch \"$0\"; exec sleep 600", ready.toString()),
                Map.of(),
                home.logs().resolve(name + ".log"));
        await().until(() -> Files.exists(ready));
        return child;
    }

    @Test
    void doesNotStopALaterProcessWithTheSamePid() throws IOException {
        ChildProcess later = sleeper();
        try {
            Files.writeString(
                    home.pids(),
                    "gateway-1 %d %d%n"
                            .formatted(
                                    later.pid(),
                                    Instant.now().minusSeconds(3600).toEpochMilli()));
            assertThat(PidFile.orphans(home.pids())).isEmpty();
        } finally {
            later.kill();
        }
    }

    @Test
    void listsPidsInTheOrderOfTheInstances() {
        PidFile pids = new PidFile(home.pids());
        List<ChildProcess> children = List.of(sleeper(), sleeper(), sleeper());
        try {
            pids.record("gateway-10", children.get(0));
            pids.record("gateway-2", children.get(1));
            pids.record("kafka", children.get(2));
            assertThat(pids.of("gateway"))
                    .containsExactly(children.get(1).pid(), children.get(0).pid());
            assertThat(pids.of("kafka")).containsExactly(children.get(2).pid());
            assertThat(pids.of("mongod")).isEmpty();
        } finally {
            children.forEach(ChildProcess::kill);
        }
    }

    private ChildProcess sleeper() {
        return ChildProcess.spawn(
                "sleeper", List.of("sleep", "600"), Map.of(), home.logs().resolve("sleeper.log"));
    }

    private static String modeOf(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
