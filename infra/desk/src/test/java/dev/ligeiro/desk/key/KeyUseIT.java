package dev.ligeiro.desk.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.StoredTransactions;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.key.KeyUseStore.KeyUse;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EndpointChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class KeyUseIT {

    private static final int TRANSACTIONS_MAX = 3;

    private final RunningDesk desk;
    private final Api admin;
    private final Tenant tenant;
    private final UUID key;
    private final StoredTransactions transactions;
    private long second = Instant.parse("2026-03-10T14:30:00Z").getEpochSecond();

    KeyUseIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        Answer merchant =
                admin.post("/admin/merchants", "{\"name\":\"Loja da Ana\"}").expect(201);
        this.tenant = Tenant.of(merchant.json().path("number").asLong(), Mode.TEST);
        this.key = UUID.fromString(admin.post(merchant.header("Location") + "/keys", "{\"mode\":\"test\"}")
                .expect(201)
                .text("id"));
        this.transactions = new StoredTransactions(desk);
    }

    private Instant next() {
        return Instant.ofEpochSecond(second++);
    }

    /** Stores a transaction that {@code by} has created. */
    private TransactionId stored(UUID by, Entry... later) {
        TransactionId id = TransactionId.at(next());
        History begun = History.begin(id.createdAt(), change(new Requester(by, null)));
        transactions.insert(Transactions.like(Transactions.cashin(id, new Amount(1_000)))
                .tenant(tenant)
                .createdAs(id)
                .history(begun.with(List.of(later)))
                .build());
        return id;
    }

    private static ChangeRef change(Requester by) {
        return new ChangeRef(UUID.randomUUID(), null, by);
    }

    @Test
    void aKeyTellsWhatItHasDoneWithTransactionsAndEndpoints() {
        UUID session = UUID.randomUUID();
        UUID endpoint = UUID.randomUUID();
        TransactionId id = stored(
                key,
                new Entry.StatusChanged(
                        Status.CANCELED, next(), Source.MERCHANT, null, null, change(new Requester(key, session))));
        stored(UUID.randomUUID());
        Instant at = next();
        desk.mongo()
                .insert(
                        new EndpointChange(UuidV7.at(at.toEpochMilli()), at, "patch", endpoint, key, null),
                        CollectionNames.ENDPOINT_CHANGES);

        Answer answer = admin.get("/admin/keys/" + key + "/uses").expect(200);
        JsonNode uses = answer.json().path("uses");

        assertThat(uses.valueStream().map(use -> use.path("what").asString()))
                .containsExactly("webhook_patch", "cancel", "create");
        assertThat(uses.path(0).toString())
                .isEqualTo(
                        "{\"at\":\"%s\",\"what\":\"webhook_patch\",\"detail\":null,\"transaction_id\":null,\"endpoint_id\":\"%s\",\"session\":null}"
                                .formatted(at, endpoint));
        assertThat(uses.path(1).path("detail").asString()).isEqualTo("canceled");
        assertThat(uses.path(1).path("session").asString()).isEqualTo(session.toString());
        assertThat(uses.path(2).path("transaction_id").asString()).isEqualTo(id.toString());
        assertThat(answer.json().path("next_cursor").isNull()).isTrue();
    }

    /** Of seven transactions the key has made the first and the fifth. */
    @Test
    void aPageThatReadsNoFurtherNamesTheNextOne() {
        List<UUID> expected = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            if (i % 4 == 0) {
                expected.add(0, stored(key).value());
            } else {
                stored(UUID.randomUUID());
            }
        }
        KeyUseStore store = new KeyUseStore(desk.mongo(), new TransactionWalkStore(desk.mongo(), TRANSACTIONS_MAX));
        List<UUID> found = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        @Nullable String after = null;
        do {
            Slice<KeyUse> page = store.newest(tenant, key, after == null ? null : UUID.fromString(after));
            page.items().forEach(use -> found.add(use.transactionId()));
            sizes.add(page.items().size());
            after = page.next();
        } while (after != null);

        assertThat(found).isEqualTo(expected);
        assertThat(sizes).containsExactly(1, 0, 1);
    }

    @Test
    void anUnknownKeyIsNotFound() {
        admin.get("/admin/keys/" + UUID.randomUUID() + "/uses").expectProblem(404, "not_found");
        admin.get("/admin/keys/x/uses").expectProblem(404, "not_found");
        admin.get("/admin/keys/" + key + "/uses?after=x").expectProblem(422, "validation_failed");
        admin.withToken(RunningDesk.READER_TOKEN)
                .get("/admin/keys/" + key + "/uses")
                .expect(200);
    }
}
