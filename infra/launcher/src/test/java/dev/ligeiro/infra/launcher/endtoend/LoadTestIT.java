package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs {@code infra/loadtest/run} with a small load, which is possible on a slow machine too. The audit must pass. The tests run at the
 * same time: each has merchants of its own, and its process mostly starts and waits.
 */
@Order(3)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
@Tag("nightly")
class LoadTestIT {

    private static final Path RUN = ProjectRoot.find().resolve("infra/loadtest/run");
    private static final Duration DONE_WITHIN = Duration.ofMinutes(4);

    private final SharedSystem ligeiro = SharedSystem.running();

    /** {@code mixed} has all kinds of calls but filtered lists; failing endpoints stand beside the second window of {@code pay}. */
    @Test
    void everyTransactionIsStoredOnceAndItsWebhooksArrive(@TempDir Path out) throws IOException {
        run(
                out,
                "--attach",
                "--home=" + ligeiro.home(),
                "--scenario=pay,mixed",
                "--first=1",
                "--warm=0",
                "--settle=0",
                "--seconds=1",
                "--rate=60",
                "--failing=3",
                "--connections=8",
                "--out=" + out);

        JsonNode scenarios = new JsonMapper()
                .readTree(Files.readString(out.resolve("loadtest.json")))
                .required("scenarios");
        assertThat(scenarios.size()).isEqualTo(2);
        scenarios.forEach(scenario ->
                assertThat(scenario.required("audit").required("faults").size()).isZero());
        assertThat(scenarios
                        .required(0)
                        .required("steps")
                        .required(1)
                        .required("label")
                        .asString())
                .isEqualTo("beside 3 failing, open");
        JsonNode mixed = scenarios.required(1).required("audit");
        assertThat(mixed.required("created").asInt()).isGreaterThan(100);
        assertThat(mixed.required("stored").asInt())
                .isEqualTo(mixed.required("created").asInt());
        assertThat(mixed.required("webhooks").asInt()).isGreaterThan(50);
    }

    /** Each total is compared with a count over the stored documents. */
    @Test
    void listsAreExact(@TempDir Path out) throws IOException {
        run(
                out,
                "--attach",
                "--home=" + ligeiro.home(),
                "--scenario=list",
                "--first=1",
                "--warm=0",
                "--settle=0",
                "--seconds=1",
                "--rate=10",
                "--stored=2000",
                "--connections=4",
                "--out=" + out);
    }

    private static void run(Path out, String... arguments) throws IOException {
        requireBuiltLoadTest();
        List<String> command = new ArrayList<>(List.of(RUN.toString()));
        command.addAll(List.of(arguments));
        Map<String, String> environment = new HashMap<>(SharedSystem.ONE_COMPILER);
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        ChildProcess loadTest =
                ChildProcess.spawn("infra/loadtest/run", command, environment, out.resolve("loadtest.out"));
        try {
            assertThat(loadTest.endsWithin(DONE_WITHIN))
                    .as(loadTest::failureSummary)
                    .isTrue();
        } finally {
            loadTest.kill();
        }
        assertThat(loadTest.exitStatus()).as(loadTest::failureSummary).isEqualTo("exit code 0");
    }

    /**
     * Prevents a build by {@code infra/loadtest/run}, which would replace files of this build. The script builds when its jar is
     * missing or older than a source.
     */
    private static void requireBuiltLoadTest() throws IOException {
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(RUN.resolveSibling("target"), "loadtest-[0-9]*.jar")) {
            Path jar = jars.iterator().next();
            Files.setLastModifiedTime(jar, FileTime.from(Instant.now()));
        } catch (NoSuchFileException | NoSuchElementException e) {
            throw new AssertionError(
                    "infra/loadtest is not built: run `mvn -pl infra/loadtest,infra/launcher -am verify`", e);
        }
    }
}
