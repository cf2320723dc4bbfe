package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
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
class ReleasedAdminDocumentsIT {

    private static final Path FOLDER = Path.of("src", "test", "resources", "released", "0.1.0");
    private static final String MERCHANT = "/admin/merchants/019cd827-d553-7abc-9def-0123456789a1";

    /** The documents have its hash. Other tests use "A" for a key that does not exist. */
    private static final String KEY = "sk_test_" + "R".repeat(43);

    @Test
    void areRead(RunningGateway gateway) throws IOException {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            documents("merchants.jsonl").forEach(each -> stored.insert("merchants", each));
            documents("api_keys.jsonl").forEach(each -> stored.insert("api_keys", each));
        }
        Api admin = gateway.admin();

        assertThat(admin.get(MERCHANT).expect(200).json())
                .isEqualTo(
                        Bodies.parsed(
                                """
                        {"id":"019cd827-d553-7abc-9def-0123456789a1","number":900001,"name":"Loja da Ana","city":"RECIFE",
                        "fees":{"cashin":{"percent":"1.2500","fixed":"0.10"},"cashout":{"percent":"0.0000","fixed":"0.99"}},
                        "commission_returns":false,"limits":{"cashin":{"amount_min":"1.00","amount_max":"500.00"},"cashout":{"amount_min":null,"amount_max":"200.00"},
                        "reads_per_second":200,"writes_per_second":500},
                        "expires_in":900,"created_at":"2026-03-10T14:30:15.123Z"}
                        """));
        assertThat(admin.get(MERCHANT + "/platforms").expect(200).body())
                .contains("019cd827-d553-7abc-9def-0123456789a2", "\"web\"", "\"test\"");
        JsonNode keys = admin.get(MERCHANT + "/keys").expect(200).json().path("keys");
        assertThat(keys).hasSize(2);
        assertThat(keys.toString())
                .contains(
                        "\"shop\"",
                        "\"active\"",
                        "\"expires_at\":\"2100-01-01T00:00:00Z\"",
                        "\"last_used_at\":\"2026-03-10T14:30:16.123Z\"",
                        "\"revoked\"",
                        "\"revoked_at\":\"2026-03-10T14:30:15.999Z\"");
        Api merchant = gateway.api().withToken(KEY);
        merchant.get(TestMerchant.ALL).expect(200);
        merchant.post("/api/v1/transaction/pix/cashin", "{}").expectProblem(403, "insufficient_scope");
    }

    private static List<Document> documents(String file) throws IOException {
        return Files.readAllLines(FOLDER.resolve(file)).stream()
                .map(line -> Document.parse(line).append("ofANewerVersion", List.of(1)))
                .toList();
    }
}
