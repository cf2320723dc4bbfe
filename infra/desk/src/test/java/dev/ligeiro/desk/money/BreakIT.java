package dev.ligeiro.desk.money;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.StoredTransactions;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.BreakKind;
import dev.ligeiro.store.CollectionNames;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class BreakIT {

    private static final String REASON = "{\"reason\":\"a test payment of the bank\"}";

    private final RunningDesk desk;
    private final StoredTransactions stored;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final String rail = "bank-" + Long.toHexString(System.nanoTime());

    BreakIT(RunningDesk desk) {
        this.desk = desk;
        this.stored = new StoredTransactions(desk);
    }

    @ParameterizedTest
    @ValueSource(strings = {"page=1", "kind=x", "state=x", "after=1-x", "rail=a&rail=b"})
    void aMalformedParameterIsRefused(String query) {
        desk.admin().get("/admin/breaks?" + query).expectProblem(422, "validation_failed");
    }

    @Test
    void breaksAreListedTheOldestFirstPageByPage() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            ids.add(store(i == 3 ? BreakKind.TWICE : BreakKind.AMOUNT, now.minusSeconds(1_000 - i / 2)));
        }

        JsonNode first = list("");
        JsonNode second = list("&after=" + first.path("next_cursor").asString());

        List<String> found = new ArrayList<>();
        first.path("breaks").forEach(item -> found.add(item.path("id").asString()));
        second.path("breaks").forEach(item -> found.add(item.path("id").asString()));
        assertThat(found).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(second.path("next_cursor").isNull()).isTrue();
        assertThat(list("&kind=twice").path("breaks")).hasSize(1);
        assertThat(list("&state=closed").path("breaks")).isEmpty();
        JsonNode item = first.path("breaks").path(0);
        assertThat(item.path("age_seconds").asLong()).isGreaterThanOrEqualTo(1_000);
        assertThat(item.path("our_amount").asString()).isEqualTo("-7.05");
        assertThat(item.path("their_amount").isNull()).isTrue();
        assertThat(item.path("rail_id").asString()).isEqualTo("E1");
        assertThat(item.path("transaction_id").asString()).isEqualTo(Transactions.ID.toString());
        assertThat(item.path("merchant_number").asLong()).isEqualTo(7);
        assertThat(item.path("mode").asString()).isEqualTo("test");
        assertThat(item.path("day").asString()).isEqualTo("2026-11-27");
    }

    @Test
    void anOperatorClosesABreakOnceWithAReason() {
        String id = store(BreakKind.MISSING_HERE, now.minus(Duration.ofHours(3)));
        String path = "/admin/breaks/" + id + "/close";

        desk.admin().post(path, "{}").expectProblem(422, "validation_failed");
        JsonNode closed = desk.admin().post(path, REASON).expect(200).json();
        desk.admin().post(path, REASON).expectProblem(404, "not_found");
        desk.admin()
                .post("/admin/breaks/" + UUID.randomUUID() + "/close", REASON)
                .expectProblem(404, "not_found");
        desk.admin().post("/admin/breaks/x/close", REASON).expectProblem(404, "not_found");

        assertThat(closed.path("closed_by").asString()).isNotEmpty();
        assertThat(closed.path("reason").asString()).isEqualTo("a test payment of the bank");
        assertThat(list("").path("breaks")).isEmpty();
        JsonNode listed = list("&state=closed").path("breaks").path(0);
        assertThat(listed.path("closed_at")).isEqualTo(closed.path("closed_at"));
    }

    private JsonNode list(String more) {
        return desk.admin().get("/admin/breaks?rail=" + rail + more).expect(200).json();
    }

    private String store(BreakKind kind, Instant since) {
        UUID id = UUID.randomUUID();
        stored.insert(
                CollectionNames.BREAKS,
                new Document(BreakFields.ID, id)
                        .append(BreakFields.RAIL, rail)
                        .append(BreakFields.DAY, "2026-11-27")
                        .append(BreakFields.KIND, kind.code())
                        .append(BreakFields.RAIL_ID, "E1")
                        .append(BreakFields.OURS, -705L)
                        .append(BreakFields.TRANSACTION_ID, Transactions.ID.value())
                        .append(BreakFields.TENANT, 14L)
                        .append(BreakFields.SINCE, Date.from(since))
                        .append(BreakFields.OPEN, true));
        return id.toString();
    }
}
