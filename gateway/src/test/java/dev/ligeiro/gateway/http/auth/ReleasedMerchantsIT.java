package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * Merchants and keys as version 0.1.0 has stored them, with a field of a newer version, are read. A renamed field would otherwise
 * read as absent: no fee, no limit.
 */
@ExtendWith(SharedGateway.class)
class ReleasedMerchantsIT {

    private static final Path FOLDER = Path.of("src", "test", "resources", "released", "0.1.0");

    /** The documents have its hash. Other tests use "A" for a key that does not exist. */
    private static final String KEY = "sk_test_" + "R".repeat(43);

    @Test
    void areRead(RunningGateway gateway) throws IOException {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            documents("merchants.jsonl").forEach(each -> stored.insert("merchants", each));
            documents("api_keys.jsonl").forEach(each -> stored.insert("api_keys", each));
        }
        Api merchant = gateway.api().withToken(KEY);

        assertThat(merchant.get(TestMerchant.ALL).expect(200).header("RateLimit-Policy"))
                .contains("q=2000;w=10");
        merchant.post(TestMerchant.CASHIN, "{}").expectProblem(403, "insufficient_scope");
        assertThat(merchant.get("/api/v1/platforms").expect(200).body())
                .contains("019cd827-d553-7abc-9def-0123456789a2", "\"web\"");
        List<JsonNode> keys = merchant.get("/api/v1/keys")
                .expect(200)
                .json()
                .path("keys")
                .valueStream()
                .toList();
        assertThat(keys)
                .extracting(key -> key.path("name").asString() + " "
                        + key.path("status").asString() + " "
                        + key.path("expires_at").asString())
                .contains("shop active 2099-12-31 21:00:00")
                .anyMatch(key -> key.contains(" revoked "));
    }

    private static List<Document> documents(String file) throws IOException {
        return Files.readAllLines(FOLDER.resolve(file)).stream()
                .map(line -> Document.parse(line).append("ofANewerVersion", List.of(1)))
                .toList();
    }
}
