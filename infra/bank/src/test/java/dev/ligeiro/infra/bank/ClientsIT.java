package dev.ligeiro.infra.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.testing.packages.PackageFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Clients that nobody here wrote: they say whether the bank speaks as a bank does. */
@Timeout(900) // the first run downloads Node.js
class ClientsIT {

    private static final Path SOURCES = Path.of("src/test/resources/clients").toAbsolutePath();
    private static final JsonMapper JSON = new JsonMapper();

    private static Bank bank;
    private static PackageFolder packages;

    @BeforeAll
    static void start(@TempDir Path home) throws IOException {
        packages = PackageFolder.of("bank-clients", List.of(SOURCES.resolve("requirements.txt")), SOURCES);
        bank = Bank.start(new BankSettings(home).settlesAfter(Duration.ofMillis(300)));
    }

    @AfterAll
    static void stop() {
        bank.close();
    }

    @Test
    void pypixApiRunsTheLifeOfAChargeAndARefund(@TempDir Path folder) throws IOException {
        Path calls = folder.resolve("calls.jsonl");
        ObjectNode place = JSON.createObjectNode()
                .put("pix_url", bank.pixUrl())
                .put("token_url", bank.tokenUrl())
                .put("control_url", bank.controlUrl())
                .put("cert", bank.customersCertificate().certificate().toString())
                .put("key", bank.customersCertificate().key().toString())
                .put("client_id", bank.clientId())
                .put("client_secret", bank.clientSecret())
                .put("pix_key", bank.pixKey())
                .put("txid", Customer.id())
                .put("calls", calls.toString());
        Map<String, String> environment = Map.of(
                "BANK", place.toString(),
                "REQUESTS_CA_BUNDLE", bank.ca().toString(),
                "PYTHONPATH", packages.python().toString(),
                "PYTHONDONTWRITEBYTECODE", "1");
        List<String> life = List.of("python3", SOURCES.resolve("life.py").toString());
        assertThat(PackageFolder.run(life, packages.path(), environment)).endsWith("done\n");
        List<String> lines = Files.readAllLines(calls);
        assertThat(lines).hasSizeGreaterThan(20);
        for (String line : lines) {
            JsonNode call = JSON.readTree(line);
            URI url = URI.create(call.path("url").asString(""));
            if (!url.getPath().equals("/oauth/token")) {
                assertThat(faults(call, url)).as(line).isEmpty();
            }
        }
    }

    private static List<String> faults(JsonNode call, URI url) {
        return OfficialSpecification.get()
                .faults(
                        call.path("method").asString(""),
                        url.getPath().substring("/api/v2".length()),
                        ApiCall.parse(url.getRawQuery()),
                        call.path("request").asString(""),
                        call.path("status").asInt(),
                        call.path("type").isNull() ? null : call.path("type").asString(""),
                        call.path("response").asString(""));
    }

    @Test
    void efisOwnSchemasAcceptTheSends() throws IOException {
        Customer customer = Customer.of(bank);
        customer.put("/webhook/" + bank.pixKey(), "{\"webhookUrl\":\"https://localhost:1/\"}");
        String id = Customer.id();
        Customer.Heard sent = customer.sendPix(id, "7.00", "{\"chave\":\"52998224725\",\"cpf\":\"52998224725\"}");
        await().untilAsserted(
                        () -> assertThat(customer.getSent(id).text("status")).isEqualTo("REALIZADO"));
        ObjectNode heard = JSON.createObjectNode();
        heard.set("PixSendResponseSchema", sent.body());
        heard.set("PixSendDetailIdResponseSchema", customer.getSent(id).body());
        heard.set(
                "PixSendListResponseSchema",
                get(customer, "/v2/gn/pix/enviados?inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z"));
        heard.set("PixSendBodySchema", JSON.readTree(sent.request()));
        // in the folder where it finds its packages
        Path script = Files.copy(
                SOURCES.resolve("schemas.mjs"),
                packages.nodeFolder().resolve("schemas.mjs"),
                StandardCopyOption.REPLACE_EXISTING);
        String said = PackageFolder.run(
                List.of(packages.node().toString(), script.toString()),
                packages.path(),
                Map.of("HEARD", heard.toString()));
        assertThat(said).endsWith("4 accepted\n");
    }

    private static JsonNode get(Customer customer, String path) {
        return customer.callUnjudged("GET", bank.baseUrl() + path, "").body();
    }
}
