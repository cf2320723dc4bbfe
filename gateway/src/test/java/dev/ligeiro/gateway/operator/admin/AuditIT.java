package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class AuditIT {

    private static final String ONE = "/admin/merchants/{id}";

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    AuditIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    /** The fixture has made the merchant, a platform and a key. */
    @Test
    void everyChangeOfAMerchantLeavesAnEntry() {
        String one = "/admin/merchants/" + merchant.id();
        gateway.admin().get(one).expect(200);
        gateway.admin().put(one + "/limits", "{\"reads_per_second\":0}").expect(422);
        Answer revoked = merchant.newKey("{\"mode\":\"test\"}");
        gateway.admin().delete(one + "/keys/" + revoked.text("id")).expect(204);

        assertThat(entries("?merchant=" + merchant.id()))
                .extracting(entry -> entry.path("operator").asString() + " "
                        + entry.path("action").asString() + " "
                        + entry.path("status").asInt())
                .containsExactly(
                        "admin DELETE " + ONE + "/keys/{key_id} 204",
                        "admin POST " + ONE + "/keys 201",
                        "admin PUT " + ONE + "/limits 422",
                        "admin POST " + ONE + "/keys 201",
                        "admin POST " + ONE + "/platforms 201",
                        "admin POST /admin/merchants 201");
    }

    @Test
    void anEntryNamesTheRequestAndWhatItMade() {
        String path = "/admin/merchants/" + merchant.id() + "/keys";

        Answer made = Api.send(gateway.admin()
                        .json("POST", path, "{\"mode\":\"test\",\"name\":\"shop\"}")
                        .header("X-Request-Id", "ticket-4711"))
                .expect(201);

        JsonNode entry = entries("?merchant=" + merchant.id()).get(0);
        assertThat(entry.path("path").asString()).isEqualTo(path);
        assertThat(entry.path("body").asString()).isEqualTo("{\"mode\":\"test\",\"name\":\"shop\"}");
        assertThat(entry.path("created").asString()).isEqualTo(path + "/" + made.text("id"));
        assertThat(entry.path("request_id").asString()).isEqualTo("ticket-4711");
        assertThat(entry.path("at").asString()).isNotEmpty();
        assertThat(entry.path("merchant_id").asString()).isEqualTo(merchant.id());
        assertThat(entry.path("merchant_number").asLong()).isPositive();
        assertThat(entry.path("merchant_name").asString()).isEqualTo("Café do Zé");
    }

    @Test
    void refusedChangesWrongTokensAndReadsOfOneTransactionLeaveEntries() {
        String one = "/admin/merchants/" + merchant.id();
        gateway.admin().put(one + "/limits", "[]").expect(400);
        String transaction = "/admin/transactions/" + merchant.created(merchant.cashin());
        Api wrong = gateway.admin().withToken("not-the-token-of-anybody");
        for (int i = 0; i < 5; i++) {
            gateway.admin().get(transaction).expect(200);
            // 429 where other tests have sent wrong tokens in this minute
            assertThat(wrong.get(transaction).status()).isIn(401, 429);
        }

        assertThat(entries("?merchant=" + merchant.id()).get(0).path("action").asString())
                .isEqualTo("PUT " + ONE + "/limits");
        List<JsonNode> reads = entries("").stream()
                .filter(entry -> entry.path("path").asString().equals(transaction))
                .toList();
        assertThat(reads)
                .filteredOn(entry -> entry.path("operator").asString().equals("admin"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.path("status").asInt()).isEqualTo(200));
        List<JsonNode> wrongTokens = entries("").stream()
                .filter(entry -> entry.path("action").asString().equals("wrong token"))
                .toList();
        assertThat(wrongTokens)
                .filteredOn(entry -> entry.path("path").asString().equals(transaction))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(wrongTokens).first().satisfies(entry -> {
            assertThat(entry.path("operator").asString()).isEqualTo("127.0.0.1");
            assertThat(entry.path("status").asInt()).isEqualTo(401);
        });
    }

    /** A list would be as large as 100 guards. */
    @Test
    void aLongBodyIsCutInListsOnly() {
        String keys = IntStream.range(0, 200)
                .mapToObj(i -> "\"" + new UUID(i, i) + "\"")
                .collect(Collectors.joining(","));
        String guard = "{\"mode\":\"test\",\"allowed_keys\":[" + keys + "]}";
        gateway.admin()
                .put("/admin/merchants/" + merchant.id() + "/guard", guard)
                .expect(200);

        JsonNode entry = entries("?merchant=" + merchant.id()).get(0);

        assertThat(entry.path("body").asString()).hasSize(4_097).endsWith("…");
        String one = "/admin/audit/" + entry.path("id").asString();
        assertThat(gateway.admin().get(one).expect(200).text("body")).isEqualTo(guard);
        gateway.admin().get("/admin/audit/" + UUID.randomUUID()).expectProblem(404, "not_found");
    }

    @Test
    void theOperatorsOtherCommandsLeaveEntriesToo() {
        gateway.admin()
                .post("/admin/webhook-secrets/encrypt-again", "{\"after\":\"x\"}")
                .expect(422);

        assertThat(entries("").get(0).path("action").asString()).isEqualTo("POST /admin/webhook-secrets/encrypt-again");
    }

    @Test
    void aKeyIsNotInItsEntry() {
        try (TransactionDocuments stored = new TransactionDocuments(gateway.database())) {
            assertThat(stored.all(AuditEntry.COLLECTION)).isNotEmpty().allSatisfy(entry -> assertThat(entry.toJson())
                    .doesNotContain("sk_test_"));
        }
    }

    private List<JsonNode> entries(String query) {
        List<JsonNode> entries = new ArrayList<>();
        gateway.admin()
                .get("/admin/audit" + query)
                .expect(200)
                .json()
                .path("audit")
                .forEach(entries::add);
        return entries;
    }
}
