package dev.ligeiro.infra.launcher.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.documents.RunbookPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the commands of the runbooks and of operations.md against the shared system, each page in a shell of its own: the blocks {@code sh local}
 * as they are, and the lines of {@code infra/admin} in the blocks {@code sh change} as dry runs. The names that a reader sets are those of a
 * case that the test makes: a merchant with an endpoint, a key and a cashin.
 */
@Order(6)
@Timeout(300)
@Tag("nightly")
class RunbookIT {

    private static final Path ROOT = ProjectRoot.find();
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final SharedSystem LIGEIRO = SharedSystem.running();

    private static final Map<String, String> CASE = new HashMap<>();

    /** Subscribed to what does not happen here, so that no other test meets an endpoint that fails. */
    private static final String ENDPOINT =
            "{\"url\":\"http://127.0.0.1:9/\",\"events\":[\"transaction.refund_failed\"]}";

    private final Path folder;

    RunbookIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    static void makeTheCase() {
        DemoEnv environment = LIGEIRO.environment();
        EndToEndMerchant merchant = LIGEIRO.demoMerchant();
        String transaction = merchant.createCashin(merchant.cashin("10.00")).id();
        AdminApi admin = AdminApi.of(environment);
        String found = "/admin/transactions/" + transaction;
        String owner = admin.api().get(found).expect(200).text("merchant_id");
        admin.api().post("/admin/books/rebuild", "{}").expectSuccess(); // a page shows how far the latest one is
        CASE.put("MERCHANT", owner);
        CASE.put(
                "KEY",
                admin.api()
                        .get("/admin/merchants/" + owner + "/keys")
                        .expect(200)
                        .json()
                        .at("/keys/0/id")
                        .asString());
        CASE.put("LEAKED", environment.apiKey());
        CASE.put(
                "ENDPOINT",
                merchant.api().post("/api/v1/webhooks", ENDPOINT).expect(201).text("id"));
        CASE.put("ID", transaction);
        CASE.put("E2E_ID", admin.api().get(found).expect(200).text("e2e_id"));
        CASE.put("REFUND", UUID.randomUUID().toString());
        CASE.put("PAYMENT", "simulator/" + CASE.get("E2E_ID"));
        CASE.put("RESOLUTION", UUID.randomUUID().toString());
        CASE.put("BREAK", UUID.randomUUID().toString());
        CASE.put("TOPIC", "transaction-events");
        CASE.put("LETTER", deadLetter(environment, admin));
    }

    /** The id of an event that the dispatcher cannot read. */
    private static String deadLetter(DemoEnv environment, AdminApi admin) {
        try (KafkaProducer<byte[], byte[]> kafka = new KafkaProducer<>(
                Map.of("bootstrap.servers", environment.kafkaBootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            kafka.send(new ProducerRecord<>("transaction-events", "no event".getBytes(UTF_8)));
        }
        return await().until(
                        () -> admin.api()
                                // 503 while Kafka is slow on a busy machine
                                .get("/admin/dead-letters?topic=transaction-events")
                                .json()
                                .at("/dead_letters/0/id")
                                .asString(""),
                        id -> !id.isEmpty());
    }

    static Stream<Path> pages() {
        return Stream.concat(Stream.of(Path.of("infra/docs/operations.md")), RunbookPage.paths());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandOfThePageWorks(Path page) throws IOException {
        Files.createSymbolicLink(folder.resolve(".ligeiro"), LIGEIRO.home());
        Files.createSymbolicLink(folder.resolve("infra"), ROOT.resolve("infra"));
        List<String> commands = RunbookPage.read(page).commands();
        if (commands.isEmpty()) {
            return;
        }
        String functions = RunbookPage.readme().commands().stream().collect(Collectors.joining("\n"));
        Path script = Files.writeString(
                folder.resolve("commands.sh"),
                "set -eu\n" + functions + "\nset -x\n" + String.join("\n", commands) + "\n");
        Path output = folder.resolve("output");

        ChildProcess shell = ChildProcess.spawn(
                "shell",
                List.of("bash", "-c", "cd \"$0\" && exec bash \"$1\"", folder.toString(), script.toString()),
                CASE,
                output);
        try {
            assertThat(shell.endsWithin(SOON)).as(shell::failureSummary).isTrue();
            assertThat(shell.exitStatus()).as(Files.readString(output)).isEqualTo("exit code 0");
        } finally {
            shell.kill();
        }
    }
}
