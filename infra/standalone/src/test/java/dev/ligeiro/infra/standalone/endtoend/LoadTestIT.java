package dev.ligeiro.infra.standalone.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A small load by {@code infra/loadtest/run}: its audit must pass on any machine, however slow. */
@Order(6)
@Timeout(300)
class LoadTestIT {

    private static final Path RUN = ProjectRoot.find().resolve("infra/loadtest/run");
    private static final Duration DONE_WITHIN = Duration.ofMinutes(4);

    private final Ligeiro ligeiro = Ligeiro.running();

    @Test
    void everyTransactionIsStoredOnceAndItsWebhooksArrive(@TempDir Path out) throws IOException {
        List<String> command = List.of(
                RUN.toString(),
                "--attach",
                "--home=" + ligeiro.home(),
                "--scenario=create,pay",
                "--warm=0",
                "--settle=0",
                "--seconds=3",
                "--rate=60",
                "--connections=8",
                "--out=" + out);
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));
        ChildProcess loadTest =
                ChildProcess.spawn("infra/loadtest/run", command, environment, out.resolve("loadtest.out"));
        try {
            assertThat(loadTest.endsWithin(DONE_WITHIN))
                    .as(loadTest::failureSummary)
                    .isTrue();
        } finally {
            loadTest.kill();
        }
        assertThat(loadTest.ending()).as(loadTest::failureSummary).isEqualTo("exit code 0");

        JsonNode report = new JsonMapper().readTree(Files.readString(out.resolve("loadtest.json")));
        assertThat(report.required("valid").asBoolean()).isTrue();
        JsonNode scenarios = report.required("scenarios");
        assertThat(scenarios.size()).isEqualTo(2);
        scenarios.forEach(scenario ->
                assertThat(scenario.required("audit").required("faults").size()).isZero());
        JsonNode pay = scenarios.required(1).required("audit");
        assertThat(pay.required("created").asInt()).isGreaterThan(100);
        assertThat(pay.required("stored").asInt())
                .isEqualTo(pay.required("created").asInt());
        assertThat(pay.required("webhooks").asInt()).isGreaterThan(100);
    }
}
