package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.testing.webhook.WebhookReceiver;
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

/** Live mode, which leads to the bank of {@code infra/run --bank}. No other test that runs each day uses it. */
@Order(3)
@Timeout(600)
class LiveModeIT {

    private static final Duration SOON = Duration.ofSeconds(120);
    private static final String PATH = "/";
    private static final JsonMapper JSON = new JsonMapper();

    private final SharedSystem ligeiro = SharedSystem.running();

    @Test
    void thePrintedCommandsMoveMoneyAtTheBank(@TempDir Path folder) throws IOException {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            run(folder, commands().replace("http://127.0.0.1:9000/", receiver.url(PATH)));

            await().atMost(SOON).untilAsserted(() -> assertThat(changes(receiver))
                    .contains("cashin paid 10.00", "cashout paid 5.00", "cashin refund 10.00"));
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(ledger())
                .containsExactlyInAnyOrder("in 10.00", "out 5.00", "refund 10.00"));
    }

    /** Those for live mode, with the line that reads demo.env. */
    private String commands() {
        List<String> lines = ligeiro.output()
                .lines()
                .dropWhile(line -> !line.startsWith("Live mode"))
                .filter(line -> line.startsWith("  "))
                .map(String::strip)
                .toList();
        assertThat(lines).hasSizeGreaterThan(5);
        return ". %s%n%s%n".formatted(ligeiro.home().resolve("demo.env"), String.join("\n", lines));
    }

    private static void run(Path folder, String commands) throws IOException {
        Path script = Files.writeString(folder.resolve("live.sh"), commands);
        ChildProcess shell = ChildProcess.spawn(
                "shell",
                List.of("bash", "-euc", "cd \"$0\" && . \"$1\"", folder.toString(), script.toString()),
                Map.of(),
                folder.resolve("live.out"));
        try {
            assertThat(shell.endsWithin(SOON)).as(shell::failureSummary).isTrue();
            assertThat(shell.exitStatus()).as(shell::failureSummary).isEqualTo("exit code 0");
        } finally {
            shell.kill();
        }
    }

    private static List<String> changes(WebhookReceiver receiver) {
        return receiver.received(PATH).stream()
                .map(request -> JSON.readTree(request.body()).required("data"))
                .map(data -> "%s %s %s"
                        .formatted(
                                data.required("operation").asString(),
                                data.required("status").asString(),
                                data.required("amount").asString()))
                .toList();
    }

    /** What the bank has moved. */
    private List<String> ledger() {
        JsonNode entries = new Api(ligeiro.environment().bankControlUrl(), null)
                .get("/ledger")
                .expect(200)
                .json()
                .required("entries");
        return entries.valueStream()
                .map(entry -> entry.required("direction").asString() + " "
                        + entry.required("amount").asString())
                .toList();
    }
}
