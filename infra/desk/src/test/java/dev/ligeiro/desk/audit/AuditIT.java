package dev.ligeiro.desk.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class AuditIT {

    private static final String ONE = "/admin/merchants/{merchantId}";

    private final RunningDesk desk;
    private final Api admin;
    private final Stored stored;
    private final UUID merchant;
    private final Visitor visitor;
    private final String name = "Loja da Ana " + UUID.randomUUID().toString().substring(0, 6);

    AuditIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.stored = Stored.of(desk, name);
        this.merchant = stored.merchantId();
        this.visitor = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
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
        assertThat(entry.path("merchant_id").asString()).isEqualTo(merchant.toString());
        assertThat(entry.path("merchant_number").asLong()).isPositive();
        assertThat(entry.path("merchant_name").asString()).isEqualTo(name);
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
        Transaction read = stored.insert(Transactions.cashin(new Amount(10_00)));
        String path = "/admin/transactions/" + read.id();
        for (int i = 0; i < 3; i++) {
            admin.get(path).expect(200);
        }
        visitor.get("/console/transactions/" + read.id()).expect(200);

        assertThat(entries("?action=GET%20/admin/transactions/%7Bid%7D"))
                .filteredOn(entry -> entry.path("path").asString().equals(path))
                .extracting(entry -> entry.path("operator").asString() + " "
                        + entry.path("status").asInt())
                .containsExactly("reader 200", "admin 200");
    }

    /** It shows personal data that pages mask. */
    @Test
    void aBundleLeavesAnEntry() {
        Transaction read = stored.insert(Transactions.cashin(new Amount(10_00)));
        String path = "/transactions/" + read.id() + "/bundle";
        admin.get("/admin" + path).expect(200);
        admin.withToken(RunningDesk.OPERATOR_TOKEN).get("/admin" + path).expect(403);
        Visitor.signedIn(desk, RunningDesk.MONEY_TOKEN).get("/console" + path).expect(200);

        assertThat(entries("?action=GET%20/admin/transactions/%7Bid%7D/bundle"))
                .filteredOn(entry -> entry.path("path").asString().equals("/admin" + path))
                .extracting(entry -> entry.path("operator").asString() + " "
                        + entry.path("status").asInt())
                .containsExactlyInAnyOrder("treasurer 200", "operator 403", "admin 200");
    }

    private List<JsonNode> entries(String query) {
        List<JsonNode> entries = new ArrayList<>();
        admin.get("/admin/audit" + query).expect(200).json().path("audit").forEach(entries::add);
        return entries;
    }

    /** Also of an entry that a gateway has written, before the desk took over. */
    @Test
    void theAuditIsToldInSentences() {
        Answer made = admin.post("/admin/merchants/" + merchant + "/keys", Map.of("mode", "test"))
                .expect(201);
        String key = made.text("prefix");
        AuditEntry entry =
                ofGateway("ana", "DELETE /admin/merchants/{id}/keys/{key_id}", "/keys/" + made.text("id"), 204);
        desk.mongo().insert(entry);
        desk.mongo().insert(ofGateway("bia", "POST /admin/of-tomorrow", "/of-tomorrow", 403));

        String page =
                visitor.get("/console/audit?merchant=" + merchant).expect(200).body();

        assertThat(text(page))
                .contains(
                        "ana revoked key " + key + " of " + name,
                        "admin made the merchant " + name,
                        "bia did POST /admin/merchants/" + merchant + "/of-tomorrow refused (403)");
        assertThat(text(new Visitor(desk.url())
                        .speaking("pt")
                        .get("/console/audit")
                        .body()))
                .doesNotContain(key);
        assertThat(text(visitor.speaking("pt")
                        .get("/console/audit?merchant=" + merchant)
                        .body()))
                .contains("ana revogou a chave " + key + " de " + name);
        String one = visitor.get("/console/audit/" + entry.id()).expect(200).body();
        assertThat(one).contains("DELETE /admin/merchants/{id}/keys/{key_id}", "ticket-1");
    }

    @Test
    void theListIsNarrowedByPersonMerchantAndAction() {
        desk.admin()
                .withToken(RunningDesk.OPERATOR_TOKEN)
                .put("/admin/merchants/" + merchant + "/fees", Map.of())
                .expect(204);
        long number = stored.tenant(Mode.TEST).merchantNumber();

        assertThat(visitor.get("/console/audit?operator=operator&merchant=" + number)
                        .expect(200)
                        .body())
                .contains("changed the fees of " + name)
                .doesNotContain("made the merchant " + name);
        assertThat(visitor.get("/console/audit?merchant=" + name.replace(" ", "%20")
                                + "&action=POST+/admin/merchants&day=")
                        .expect(200)
                        .body())
                .contains("made the merchant " + name)
                .doesNotContain("changed the fees of " + name);
        assertThat(visitor.get("/console/audit?merchant=nobody-is-named-so")
                        .expect(200)
                        .body())
                .contains("No merchant is named so.");
    }

    private AuditEntry ofGateway(String who, String action, String path, int status) {
        Instant now = desk.clock().instant().truncatedTo(ChronoUnit.MILLIS);
        return new AuditEntry(
                UuidV7.at(now.toEpochMilli()),
                now,
                who,
                action,
                "/admin/merchants/" + merchant + path,
                null,
                null,
                status,
                "ticket-1",
                merchant,
                null,
                null,
                null,
                null);
    }

    private static String text(String page) {
        return page.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
    }

    /** The reader may change nothing, so each change is refused, by its role or by its body. */
    @Test
    void eachChangeLeavesAnEntry() {
        Api reader = desk.admin().withToken(RunningDesk.READER_TOKEN);
        List<String> without = new ArrayList<>();
        desk.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .values()
                .forEach(handler -> {
                    AuditRequests.Route route = AuditRequests.Route.of(handler.getMethod(), handler.getBeanType());
                    if (route != null && route.isChange()) {
                        String path = route.path()
                                .replaceAll("\\{[a-zA-Z]+}", UUID.randomUUID().toString());
                        String requestId = UUID.randomUUID().toString();
                        int status = Api.send(reader.json(route.method().name(), path, "{}")
                                        .header("X-Request-Id", requestId))
                                .status();
                        AuditEntry entry = desk.mongo()
                                .findOne(Query.query(Criteria.where("requestId").is(requestId)), AuditEntry.class);
                        assertThat(status).as(route.action()).isBetween(400, 499);
                        if (entry == null
                                || !entry.action().equals(route.action())
                                || !Integer.valueOf(status).equals(entry.status())) {
                            without.add(route.action() + " " + status + " " + entry);
                        }
                    }
                });

        assertThat(without).isEmpty();
    }
}
