package dev.ligeiro.desk.audit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.StoredTransactions;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Transaction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class AuditIT {

    private static final String ONE = "/admin/merchants/{merchantId}";

    private final RunningDesk desk;
    private final Api admin;
    private String merchant = "";

    AuditIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
    }

    @BeforeEach
    void makeAMerchant() {
        merchant = admin.post("/admin/merchants", Map.of("name", "Loja da Ana"))
                .expect(201)
                .json()
                .path("id")
                .asString();
    }

    @Test
    void everyChangeOfAMerchantLeavesAnEntryRefusedOnesToo() {
        String one = "/admin/merchants/" + merchant;
        admin.get(one).expect(200);
        admin.put(one + "/limits", "{\"reads_per_second\":0}").expect(422);
        admin.put(one + "/limits", "[]").expect(400);
        admin.withToken(RunningDesk.READER_TOKEN).put(one + "/fees", Map.of()).expect(403);
        admin.withToken(RunningDesk.OPERATOR_TOKEN).put(one + "/fees", Map.of()).expect(204);

        assertThat(entries("?merchant=" + merchant))
                .extracting(entry -> entry.path("operator").asString() + " "
                        + entry.path("action").asString() + " "
                        + entry.path("status").asInt())
                .containsExactly(
                        "operator PUT " + ONE + "/fees 204",
                        "reader PUT " + ONE + "/fees 403",
                        "admin PUT " + ONE + "/limits 400",
                        "admin PUT " + ONE + "/limits 422",
                        "admin POST /admin/merchants 201");
    }

    @Test
    void anEntryNamesTheRequestAndWhatItMade() {
        String path = "/admin/merchants/" + merchant + "/platforms";

        Answer made = Api.send(admin.json("POST", path, "{\"name\":\" shop \",\"mode\":\"test\"}")
                        .header("X-Request-Id", "ticket-4711"))
                .expect(201);

        JsonNode entry = entries("?merchant=" + merchant).get(0);
        assertThat(entry.path("path").asString()).isEqualTo(path);
        assertThat(entry.path("body").asString()).isEqualTo("{\"name\":\"shop\",\"mode\":\"test\"}");
        assertThat(entry.path("created").asString())
                .isEqualTo(path + "/" + made.json().path("id").asString());
        assertThat(entry.path("request_id").asString()).isEqualTo("ticket-4711");
        assertThat(entry.path("at").asString()).isNotEmpty();
        assertThat(entry.path("merchant_id").asString()).isEqualTo(merchant);
        assertThat(entry.path("merchant_number").asLong()).isPositive();
        assertThat(entry.path("merchant_name").asString()).isEqualTo("Loja da Ana");
        assertThat(admin.get("/admin/audit/" + entry.path("id").asString())
                        .expect(200)
                        .json()
                        .path("request_id")
                        .asString())
                .isEqualTo("ticket-4711");
        admin.get("/admin/audit/" + UUID.randomUUID()).expect(404);
    }

    @Test
    void theListIsNarrowedByPersonActionAndDay() {
        String one = "/admin/merchants/" + merchant;
        admin.withToken(RunningDesk.OPERATOR_TOKEN).put(one + "/fees", Map.of()).expect(204);
        String day = desk.clock()
                .instant()
                .atZone(ZoneId.of("America/Sao_Paulo"))
                .toLocalDate()
                .toString();
        String all = "?merchant=" + merchant;

        assertThat(entries(all)).hasSize(2);
        assertThat(entries(all + "&operator=operator")).hasSize(1);
        assertThat(entries(all + "&action=PUT%20/admin/merchants/%7Bid%7D/fees&day=" + day))
                .hasSize(1);
        assertThat(entries(all + "&day=2020-01-31")).isEmpty();
        admin.get("/admin/audit?day=yesterday").expect(422);
    }

    @Test
    void wrongTokensOfOneAddressAreOneEntryAMinute() {
        Api wrong = admin.withToken("not-the-token-of-anybody");
        for (int i = 0; i < 5; i++) {
            // 429 where other tests have sent wrong tokens in this minute
            assertThat(wrong.get("/admin/merchants").status()).isIn(401, 429);
        }

        assertThat(entries("?action=wrong%20token&operator=127.0.0.1"))
                .isNotEmpty()
                .filteredOn(entry -> entry.path("path").asString().equals("/admin/merchants"))
                .hasSizeLessThanOrEqualTo(1);
    }

    /** By a program and in the console. */
    @Test
    void readsOfOneTransactionLeaveOneEntryInAQuarterOfAnHour() {
        Transaction stored = Transactions.cashin(new Amount(10_00));
        new StoredTransactions(desk).insert(stored);
        String path = "/admin/transactions/" + stored.id();
        for (int i = 0; i < 3; i++) {
            admin.get(path).expect(200);
        }
        Visitor.signedIn(desk, RunningDesk.READER_TOKEN)
                .get("/console/transactions/" + stored.id())
                .expect(200);

        assertThat(entries("?action=GET%20/admin/transactions/%7Bid%7D"))
                .filteredOn(entry -> entry.path("path").asString().equals(path))
                .extracting(entry -> entry.path("operator").asString() + " "
                        + entry.path("status").asInt())
                .containsExactly("reader 200", "admin 200");
    }

    /** As {@code infra/admin audit verify} does it. */
    @Test
    void theChainIsProvenAndAChangeOfAnEntryIsNoticed() {
        String one = "/admin/merchants/" + merchant;
        admin.put(one + "/fees", Map.of()).expect(204);
        assertThat(faults()).isEmpty();

        UUID id = UUID.fromString(
                entries("?merchant=" + merchant).get(0).path("id").asString());
        change(id, "operator", "nobody");
        assertThat(faults()).containsExactly("changed " + id);
        change(id, "operator", "admin");
        assertThat(faults()).isEmpty();

        Document entry = desk.mongo().findById(id, Document.class, CollectionNames.ADMIN_AUDIT);
        desk.mongo().remove(Query.query(Criteria.where("_id").is(id)), CollectionNames.ADMIN_AUDIT);
        admin.put(one + "/fees", Map.of()).expect(204);
        assertThat(faults()).isNotEmpty();
        desk.mongo().insert(requireNonNull(entry), CollectionNames.ADMIN_AUDIT);
        assertThat(faults()).isEmpty();
    }

    private void change(UUID id, String field, String value) {
        desk.mongo()
                .updateFirst(
                        Query.query(Criteria.where("_id").is(id)),
                        new Update().set(field, value),
                        CollectionNames.ADMIN_AUDIT);
    }

    private List<String> faults() {
        Map<String, JsonNode> links = new HashMap<>();
        List<String> faults = new ArrayList<>();
        for (JsonNode entry : all("/admin/audit/links", "links")) {
            for (String each : List.of("begun", "ended")) {
                JsonNode link = entry.path(each);
                if (link.isObject()) {
                    String hash = sha256(link.path("previous").asString()
                            + link.path("digest").asString());
                    if (!hash.equals(link.path("hash").asString())) {
                        faults.add("changed " + entry.path("id").asString());
                    }
                    links.put(
                            link.path("chain").asString() + link.path("number").asLong(), link);
                }
            }
        }
        links.values().stream().filter(link -> link.path("number").asLong() > 1).forEach(link -> {
            JsonNode before = links.get(
                    link.path("chain").asString() + (link.path("number").asLong() - 1));
            if (before == null || !before.path("hash").equals(link.path("previous"))) {
                faults.add("removed before " + link.path("number").asLong());
            }
        });
        return faults;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private List<JsonNode> all(String path, String name) {
        List<JsonNode> items = new ArrayList<>();
        String after = "";
        while (true) {
            JsonNode page = admin.get(path + after).expect(200).json();
            page.path(name).forEach(items::add);
            if (page.path("next_cursor").isNull()) {
                return items;
            }
            after = "?after=" + page.path("next_cursor").asString();
        }
    }

    private List<JsonNode> entries(String query) {
        List<JsonNode> entries = new ArrayList<>();
        admin.get("/admin/audit" + query).expect(200).json().path("audit").forEach(entries::add);
        return entries;
    }
}
