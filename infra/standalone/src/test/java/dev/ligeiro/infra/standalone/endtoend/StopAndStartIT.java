package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopAndStartIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Ligeiro ligeiro = Ligeiro.running();

    @Test
    void stoppingEndsAllThatWasStartedAndStartingFindsAllThatWasThere() throws IOException {
        Environment before = ligeiro.environment();
        Merchant merchant = ligeiro.demoMerchant();
        Shown created = merchant.create(Merchant.CASHIN, merchant.cashin("10.00"));

        assertThat(ligeiro.stop()).as("within the time it has, in good order").isEqualTo("exit code 0");
        assertThat(stillRunning(before.allPids())).isEmpty();

        ligeiro.start();
        Environment after = ligeiro.environment();
        for (String kept : List.of("API_KEY", "PLATFORM_ID", "ADMIN_TOKEN", "BASE_URL", "MONGODB_URI")) {
            assertThat(after.get(kept)).as(kept).isEqualTo(before.get(kept));
        }
        for (String service : Environment.SERVICES) {
            assertThat(mappedFiles(after.pid(service)))
                    .as("the archive of classes that the first stop has written")
                    .containsPattern("/target/extracted/\\w+/[a-z-]+-jdk-.*\\.(aot|jsa)\n");
        }
        assertThat(after.allPids()).doesNotContainAnyElementsOf(before.allPids());
        assertThat(merchant.show(created.id()).json()).isEqualTo(created.json());
        merchant.pay(created.id());
        await().atMost(SOON).until(() -> merchant.show(created.id()).status().equals("paid"));
    }

    private static String mappedFiles(long pid) throws IOException {
        return Files.readString(Path.of("/proc/%d/maps".formatted(pid)));
    }

    private static List<Long> stillRunning(List<Long> pids) {
        return pids.stream()
                .filter(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent())
                .toList();
    }
}
