package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.DemoEnv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The last tests of the shared system: it is stopped, and started again. */
@Order(11)
@Isolated("it stops the system")
@Timeout(900)
class StopAndStartIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    /** A service that a busy machine does not stop within this time is killed, and then writes no class archive. */
    private static final Duration KILLED_AFTER = Duration.ofSeconds(40);

    private static final SharedSystem LIGEIRO = SharedSystem.running();

    @BeforeEach
    void start() {
        SharedSystem.running();
    }

    @AfterAll
    static void stop() {
        if (LIGEIRO.isRunning()) {
            LIGEIRO.stop();
        }
    }

    @Test
    void aStopEndsAllProcesses() {
        DemoEnv.Pids pids = LIGEIRO.environment().pids();
        assertThat(LIGEIRO.stop())
                .as("the launcher's exit status, within 150 s")
                .isEqualTo("exit code 0");
        assertThat(pids.all()).hasSize(6).noneMatch(StopAndStartIT::isRunning);
    }

    @Test
    @Tag("nightly")
    void aStartFindsTheStoredDataAndTheClassesOfTheEarlierRun() {
        DemoEnv before = LIGEIRO.environment();
        EndToEndMerchant merchant = LIGEIRO.demoMerchant();
        ShownTransaction created = merchant.createCashin(merchant.cashin("10.00"));
        long begunNanos = System.nanoTime();
        LIGEIRO.stop();
        boolean noneWasKilled = System.nanoTime() - begunNanos < KILLED_AFTER.toNanos();
        DemoEnv after = SharedSystem.running().environment();
        assertThat(after.apiKey()).isEqualTo(before.apiKey());
        assertThat(after.platformId()).isEqualTo(before.platformId());
        assertThat(after.adminToken()).isEqualTo(before.adminToken());
        assertThat(after.baseUrl()).isEqualTo(before.baseUrl());
        assertThat(after.mongodbUri()).isEqualTo(before.mongodbUri());
        assertThat(after.pids().all()).doesNotContainAnyElementsOf(before.pids().all());
        assertThat(servicePids(after)).hasSize(3);
        if (noneWasKilled) {
            assertThat(servicePids(after)).allSatisfy(pid -> assertThat(mappedFiles(pid))
                    .as("mapped files, among them the class archive that the first stop wrote")
                    .containsPattern("/target/extracted/\\w+/[a-z-]+-[0-9a-f]{8}\\.jsa\n"));
        }
        assertThat(merchant.show(created.id()).json()).isEqualTo(created.json());
        merchant.pay(created.id());
        await().atMost(SOON).until(() -> merchant.show(created.id()).status().equals("paid"));
    }

    private static List<Long> servicePids(DemoEnv env) {
        return Stream.of(
                        env.pids().gateway(), env.pids().processor(), env.pids().webhookDispatcher())
                .flatMap(List::stream)
                .toList();
    }

    private static String mappedFiles(long pid) {
        try {
            return Files.readString(Path.of("/proc/%d/maps".formatted(pid)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
