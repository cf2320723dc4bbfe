package dev.ligeiro.infra.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.infra.loadtest.report.RunResult;
import dev.ligeiro.infra.loadtest.report.ScenarioResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole system under a small load: what is answered must be right and complete, however slow the machine. */
class LoadTestIT {

    private static final Path ROOT = ProjectRoot.find();

    /**
     * Tells infra/run that everything is built: this build has just done it, while a jar that needed no change may still be older
     * than a pom.xml, and a build within this one would take its files away.
     */
    @BeforeAll
    static void everythingIsBuilt() throws IOException {
        Path marker = ROOT.resolve("infra/standalone/target/built");
        if (!Files.exists(marker)) {
            Files.createFile(marker);
        }
        Files.setLastModifiedTime(marker, FileTime.from(Instant.now()));
    }

    @Test
    @Timeout(300)
    void everyTransactionIsStoredOnceAndAnnouncedToTheLetter(@TempDir Path out) {
        Options options = CommandLine.parse(
                out, "--scenario=create,pay", "--warm=0", "--settle=0", "--seconds=3", "--rate=60", "--connections=8");

        RunResult result = new LoadTest(options, ROOT, "LoadTestIT").run();

        assertThat(result.scenarios())
                .flatExtracting(scenario -> scenario.audit().faults())
                .isEmpty();
        assertThat(result.valid()).isTrue();
        ScenarioResult pay = result.scenarios().get(1);
        assertThat(pay.audit().created()).isGreaterThan(100);
        assertThat(pay.audit().stored()).isEqualTo(pay.audit().created());
        assertThat(pay.audit().webhooks()).isGreaterThan(100);
        assertThat(List.of("loadtest.json", "loadtest.svg"))
                .allSatisfy(file -> assertThat(out.resolve(file)).isNotEmptyFile());
    }
}
