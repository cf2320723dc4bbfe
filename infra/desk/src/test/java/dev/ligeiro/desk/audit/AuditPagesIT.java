package dev.ligeiro.desk.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDesk.class)
class AuditPagesIT {

    private final RunningDesk desk;
    private final Visitor visitor;
    private final UUID merchant;
    private final String name = "Loja da Ana " + UUID.randomUUID().toString().substring(0, 6);

    AuditPagesIT(RunningDesk desk) {
        this.desk = desk;
        this.visitor = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
        this.merchant = UUID.fromString(
                desk.admin().post("/admin/merchants", Map.of("name", name)).text("id"));
    }

    /** Also of an entry that a gateway has written, before the desk took over. */
    @Test
    void theAuditIsToldInSentences() {
        UUID key = key("3E9z");
        AuditEntry entry = ofGateway("ana", "DELETE /admin/merchants/{id}/keys/{key_id}", "/keys/" + key, 204);
        desk.mongo().insert(entry);
        desk.mongo().insert(ofGateway("bia", "POST /admin/of-tomorrow", "/of-tomorrow", 403));

        String page =
                visitor.get("/console/audit?merchant=" + merchant).expect(200).body();

        assertThat(text(page))
                .contains(
                        "ana revoked key sk_test_3E9z of " + name,
                        "admin made the merchant " + name,
                        "bia did POST /admin/merchants/" + merchant + "/of-tomorrow refused (403)");
        assertThat(text(new Visitor(desk.url())
                        .speaking("pt")
                        .get("/console/audit")
                        .body()))
                .doesNotContain("sk_test_3E9z");
        assertThat(text(visitor.speaking("pt")
                        .get("/console/audit?merchant=" + merchant)
                        .body()))
                .contains("ana revogou a chave sk_test_3E9z de " + name);
        String one = visitor.get("/console/audit/" + entry.id()).expect(200).body();
        assertThat(one).contains("DELETE /admin/merchants/{id}/keys/{key_id}", "ticket-1");
    }

    @Test
    void theListIsNarrowedByPersonMerchantAndAction() {
        desk.admin()
                .withToken(RunningDesk.OPERATOR_TOKEN)
                .put("/admin/merchants/" + merchant + "/fees", Map.of())
                .expect(204);
        String number = desk.admin()
                .get("/admin/merchants/" + merchant)
                .json()
                .path("number")
                .asString();

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
                null);
    }

    private UUID key(String start) {
        Instant now = Instant.parse("2026-11-29T00:00:00Z");
        ApiKey key = new ApiKey(
                UuidV7.at(now.toEpochMilli()),
                ApiKey.hash(start + merchant),
                start,
                merchant,
                null,
                Mode.TEST,
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                now);
        desk.mongo().insert(key, CollectionNames.API_KEYS);
        return key.id();
    }

    private static String text(String page) {
        return page.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
    }
}
