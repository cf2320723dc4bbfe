package dev.ligeiro.desk.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.infra.client.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

/**
 * Merchants and keys as version 0.1.0 has stored them, with a field of a newer version, are read. A renamed field would otherwise read as
 * absent: no fee, no limit.
 */
@ExtendWith(SharedDesk.class)
class ReleasedDocumentsIT {

    private static final Path FOLDER = Path.of("..", "..", "gateway", "src", "test", "resources", "released", "0.1.0");
    private static final String MERCHANT = "/admin/merchants/019cd827-d553-7abc-9def-0123456789a1";

    @Test
    void areRead(RunningDesk desk) throws IOException {
        insert(desk, "merchants");
        insert(desk, "api_keys");
        Api admin = desk.admin();

        assertThat(admin.get(MERCHANT).expect(200).json())
                .isEqualTo(
                        new JsonMapper()
                                .readTree(
                                        """
                        {"id":"019cd827-d553-7abc-9def-0123456789a1","number":900001,"name":"Loja da Ana","city":"RECIFE",
                        "fees":{"cashin":{"percent":"1.2500","fixed":"0.10"},"cashout":{"percent":"0.0000","fixed":"0.99"}},
                        "commission_returns":false,"payer_must_match":false,"refund_payer_mismatch":false,"payer_visible":false,"limits":{"cashin":{"amount_min":"1.00","amount_max":"500.00"},"cashout":{"amount_min":null,"amount_max":"200.00"},
                        "reads_per_second":200,"writes_per_second":500},
                        "expires_in":900,"retention_days":null,"created_at":"2026-03-10T14:30:15.123Z"}
                        """));
        assertThat(admin.get(MERCHANT + "/platforms").expect(200).body())
                .contains("019cd827-d553-7abc-9def-0123456789a2", "\"web\"", "\"test\"");
        assertThat(admin.get(MERCHANT + "/keys").expect(200).body())
                .contains(
                        "\"shop\"",
                        "\"active\"",
                        "\"expires_at\":\"2100-01-01T00:00:00Z\"",
                        "\"last_used_at\":\"2026-03-10T14:30:16.123Z\"",
                        "\"revoked\"",
                        "\"revoked_at\":\"2026-03-10T14:30:15.999Z\"");
    }

    private static void insert(RunningDesk desk, String collection) throws IOException {
        for (String line : Files.readAllLines(FOLDER.resolve(collection + ".jsonl"))) {
            desk.mongo()
                    .getCollection(collection)
                    .insertOne(Document.parse(line).append("ofANewerVersion", List.of(1)));
        }
    }
}
