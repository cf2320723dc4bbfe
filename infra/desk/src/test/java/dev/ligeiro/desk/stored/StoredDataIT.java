package dev.ligeiro.desk.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ErasureFields;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class StoredDataIT {

    private static final String ERASURES = "/admin/erasures";
    private static final String TAX_ID = "52998224725";
    private static final String PROPOSAL = "{\"tax_id\":\"529.982.247-25\",\"reason\":\"ticket 7\"}";

    private final RunningDesk desk;
    private final Api admin;
    private final Api treasurer;
    private final Api operator;
    private final Api reader;

    StoredDataIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.treasurer = admin.withToken(RunningDesk.MONEY_TOKEN);
        this.operator = admin.withToken(RunningDesk.OPERATOR_TOKEN);
        this.reader = admin.withToken(RunningDesk.READER_TOKEN);
    }

    @Test
    void aPersonIsErasedByTwoOperatorsAndTheAuditDoesNotKnowWho() {
        desk.mongo().remove(new Query(), CollectionNames.ERASURES);
        assertThat(admin.post(ERASURES, "{\"tax_id\":\"529.982.247-24\",\"reason\":\"x\"}")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("tax_id:invalid");
        assertThat(admin.post(ERASURES, "{}")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactlyInAnyOrder("tax_id:required", "reason:required");
        admin.put(
                        "/admin/merchants/" + Stored.of(desk, "Loja da Ana").merchantId() + "/guard",
                        "{\"mode\":\"test\",\"allowed_documents\":[\"529.982.247-25\"]}")
                .expect(200);
        operator.post(ERASURES, PROPOSAL).expectProblem(403, "insufficient_role");
        JsonNode proposed = admin.post(ERASURES, PROPOSAL).expect(201).json();
        String one = ERASURES + "/" + proposed.path("id").asString();
        assertThat(proposed.path("tax_id").asString()).isEqualTo("***725");

        treasurer.post(ERASURES, PROPOSAL).expectProblem(409, "resolution_open");
        admin.post(one + "/confirm", "{\"tax_id\":\"" + TAX_ID + "\"}").expectProblem(403, "second_operator_needed");
        assertThat(treasurer
                        .post(one + "/confirm", "{\"tax_id\":\"11144477735\"}")
                        .expectProblem(422, "validation_failed")
                        .fieldErrors())
                .containsExactly("tax_id:invalid");
        assertThat(treasurer
                        .post(one + "/confirm", "{\"tax_id\":\"" + TAX_ID + "\"}")
                        .expect(200)
                        .text("state"))
                .isEqualTo("confirmed");
        treasurer.post(one + "/confirm", "{\"tax_id\":\"" + TAX_ID + "\"}").expectProblem(409, "not_resolvable");
        admin.post(one + "/withdraw", "{\"reason\":\"late\"}").expectProblem(409, "not_resolvable");

        List<Document> audited = desk.mongo().find(new Query(), Document.class, CollectionNames.ADMIN_AUDIT);
        assertThat(audited)
                .hasSizeGreaterThan(5)
                .noneMatch(entry ->
                        entry.toJson().contains(TAX_ID) || entry.toJson().contains("982.247"));
        // what the chain was made of is still proven
        assertThat(audited)
                .filteredOn(entry -> String.valueOf(entry.get("body")).contains("\"allowed_documents\":[\"***\"]"))
                .isNotEmpty()
                .allMatch(StoredDataIT::isProven);

        Instant until = Instant.parse("2026-12-24T00:00:00Z");
        found(UUID.fromString(proposed.path("id").asString()), until);

        JsonNode shown = reader.get(one).expect(200).json();
        assertThat(shown.path("state").asString()).isEqualTo("found");
        assertThat(shown.path("tax_id").isNull()).isTrue();
        assertThat(shown.path("found").asLong()).isEqualTo(3);
        assertThat(shown.path("erased").asLong()).isEqualTo(1);
        assertThat(shown.path("held").toString())
                .isEqualTo("[{\"reason\":\"refund_window\",\"count\":2,\"until\":\"2026-12-24T00:00:00Z\"}]");
        assertThat(admin.get(ERASURES + "?state=found").expect(200).json().path("erasures"))
                .containsExactly(shown);
        assertThat(Visitor.signedIn(desk, RunningDesk.MONEY_TOKEN)
                        .speaking("en")
                        .get("/console/stored-data")
                        .body())
                .contains("1 of 3 erased", "2 wait: can be refunded, until", "ticket 7");
        // nor can one operator use it to remove somebody else from the audit
        String guard = "/admin/merchants/" + Stored.of(desk, "Loja da Eva").merchantId() + "/guard";
        admin.put(guard, "{\"mode\":\"test\",\"allowed_documents\":[\"11144477735\"]}")
                .expect(200);
        treasurer.post(one + "/confirm", "{\"tax_id\":\"11144477735\"}").expectProblem(409, "not_resolvable");
        assertThat(desk.mongo().find(new Query(), Document.class, CollectionNames.ADMIN_AUDIT))
                .anyMatch(entry -> String.valueOf(entry.get("body")).contains("11144477735"));
        // the same person again: nothing is open
        admin.post(ERASURES, PROPOSAL).expect(201);
    }

    /** With the fault, small letters and other white space stayed. */
    @Test
    void theAuditForgetsATaxIdInEachFormThatIsRead() {
        admin.put(
                        "/admin/merchants/" + Stored.of(desk, "Loja da Lia").merchantId() + "/guard",
                        "{\"mode\":\"test\",\"allowed_documents\":[\"12.abc.345/01de-35\",\"12\u00a0ABC 345 01DE35\"]}")
                .expect(200);
        String one = ERASURES + "/"
                + admin.post(ERASURES, "{\"tax_id\":\"12ABC34501DE35\",\"reason\":\"x\"}")
                        .expect(201)
                        .text("id");

        treasurer.post(one + "/confirm", "{\"tax_id\":\"12abc34501de35\"}").expect(200);

        assertThat(desk.mongo().find(new Query(), Document.class, CollectionNames.ADMIN_AUDIT))
                .extracting(entry -> String.valueOf(entry.get("body")))
                .anyMatch(body -> body.contains("\"allowed_documents\":[\"***\",\"***\"]"))
                .noneMatch(body -> body.contains("abc.345") || body.contains("01DE35"));
    }

    private static boolean isProven(Document entry) {
        Document link = entry.get("begun", Document.class);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((link.getString("previous") + entry.getString("digest")).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).equals(link.getString("hash"));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** As a processor does. */
    private void found(UUID erasure, Instant until) {
        desk.mongo()
                .updateFirst(
                        Query.query(Criteria.where(ErasureFields.ID).is(erasure)),
                        new Update()
                                .set(ErasureFields.STATE, "found")
                                .set(ErasureFields.FOUND, 3L)
                                .unset(ErasureFields.OPEN),
                        CollectionNames.ERASURES);
        for (int days = 0; days < 2; days++) {
            desk.mongo()
                    .insert(
                            new Document(RedactionFields.ID, UUID.randomUUID())
                                    .append(RedactionFields.TENANT, 14L)
                                    .append(RedactionFields.REASON, "refund_window")
                                    .append(RedactionFields.UNTIL, Date.from(until.minusSeconds(days)))
                                    .append(RedactionFields.ERASURES, List.of(erasure)),
                            CollectionNames.REDACTIONS);
        }
    }

    @Test
    void aWithdrawnErasureForgetsThePerson() {
        JsonNode proposed = admin.post(ERASURES, "{\"tax_id\":\"11144477735\",\"reason\":\"x\"}")
                .expect(201)
                .json();

        JsonNode withdrawn = treasurer
                .post(ERASURES + "/" + proposed.path("id").asString() + "/withdraw", "{\"reason\":\"wrong person\"}")
                .expect(200)
                .json();

        assertThat(withdrawn.path("state").asString()).isEqualTo("withdrawn");
        assertThat(desk.mongo().find(new Query(), Document.class, CollectionNames.ERASURES))
                .noneMatch(stored -> stored.toJson().contains("11144477735"));
        admin.get(ERASURES + "/" + UUID.randomUUID()).expectProblem(404, "not_found");
    }

    @Test
    void theRemovalIsPausedAndGoesOn() {
        reader.post("/admin/retention/pause", "{\"reason\":\"x\"}").expectProblem(403, "insufficient_role");
        assertThat(operator.post("/admin/retention/pause", "{\"reason\":\"a restore\"}")
                        .expect(200)
                        .json()
                        .path("paused")
                        .asBoolean())
                .isTrue();
        assertThat(Visitor.signedIn(desk, RunningDesk.OPERATOR_TOKEN)
                        .speaking("en")
                        .get("/console/stored-data")
                        .body())
                .contains("<dd>paused</dd>", "/console/do/retention/resume");

        operator.post("/admin/retention/resume", "{\"reason\":\"restored\"}").expect(200);

        JsonNode shown = reader.get("/admin/retention").expect(200).json();
        assertThat(shown.path("paused").asBoolean()).isFalse();
        assertThat(shown.path("redacted").asLong()).isZero();
    }

    @Test
    void anArchivedMonthIsBroughtBackAndArchivedAgain() {
        desk.mongo()
                .save(
                        new Document(ArchiveFields.ID, "2019-07")
                                .append(ArchiveFields.STATE, "archived")
                                .append(ArchiveFields.GENERATION, 1)
                                .append(ArchiveFields.PART, 2)
                                .append(ArchiveFields.PARTS, 2)
                                .append(ArchiveFields.TRANSACTIONS, 51_000L)
                                .append(ArchiveFields.BYTES, 7_000_000L)
                                .append(ArchiveFields.REMOVED_AT, new Date()),
                        CollectionNames.ARCHIVED_MONTHS);
        desk.mongo()
                .save(
                        new Document(ArchiveFields.ID, "2019-08")
                                .append(ArchiveFields.STATE, "waiting")
                                .append(ArchiveFields.GENERATION, 1)
                                .append(ArchiveFields.REASON, "unsettled")
                                .append(ArchiveFields.PART, 0),
                        CollectionNames.ARCHIVED_MONTHS);
        reader.get("/admin/transactions/" + TransactionId.at(Instant.parse("2019-07-31T23:00:00Z")))
                .expectProblem(410, "transaction_archived");
        assertThat(Visitor.signedIn(desk, RunningDesk.OPERATOR_TOKEN)
                        .speaking("en")
                        .get("/console/stored-data")
                        .body())
                .contains("51,000", "unsettled", "/console/do/archive/restore?month=2019-07");
        reader.post("/admin/archive/2019-07/restore", "{\"reason\":\"x\"}").expectProblem(403, "insufficient_role");
        operator.post("/admin/archive/2019-06/restore", "{\"reason\":\"x\"}").expectProblem(404, "not_found");
        operator.post("/admin/archive/2019-08/restore", "{\"reason\":\"x\"}").expectProblem(409, "not_resolvable");

        assertThat(operator.post("/admin/archive/2019-07/restore", "{\"reason\":\"an audit\"}")
                        .expect(200)
                        .text("state"))
                .isEqualTo("restoring");
        reader.get("/admin/transactions/" + TransactionId.at(Instant.parse("2019-07-31T23:00:00Z")))
                .expectProblem(410, "transaction_archived");

        desk.mongo()
                .updateFirst(
                        new Query(Criteria.where(ArchiveFields.ID).is("2019-07")),
                        new Update().set(ArchiveFields.STATE, "restored"),
                        CollectionNames.ARCHIVED_MONTHS);
        operator.post("/admin/archive/2019-07/archive", "{\"reason\":\"done\"}").expect(200);
        operator.post("/admin/archive/pause", "{\"reason\":\"load\"}").expect(200);
        JsonNode shown = reader.get("/admin/archive").expect(200).json();
        assertThat(shown.path("paused").asBoolean()).isTrue();
        assertThat(shown.path("months").valueStream().map(month -> month.path("state")
                        .asString()))
                .containsExactly("waiting", "waiting");
        operator.post("/admin/archive/resume", "{\"reason\":\"x\"}").expect(200);
        desk.mongo().remove(new Query(), CollectionNames.ARCHIVED_MONTHS);
    }

    @Test
    void theSizesOfCollectionsAreShown() {
        desk.mongo().save(new Document("_id", "sizes"), CollectionNames.COUNTERS);

        JsonNode sizes = reader.get("/admin/sizes").expect(200).json();

        assertThat(sizes.path("collections").valueStream())
                .anyMatch(size -> size.path("collection").asString().equals(CollectionNames.COUNTERS)
                        && size.path("documents").asLong() > 0
                        && size.path("storage_bytes").asLong() > 0
                        && size.path("index_bytes").asLong() > 0);
        assertThat(sizes.path("created_daily").isNumber()).isTrue();
        assertThat(sizes.path("disk_bytes").asLong()).isPositive();
        assertThat(Visitor.signedIn(desk, RunningDesk.READER_TOKEN)
                        .speaking("pt")
                        .get("/console/stored-data")
                        .body())
                .contains("Dados guardados", "<code>counters</code>");
    }
}
