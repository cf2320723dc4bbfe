package dev.ligeiro.desk.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.key.KeyStore.KeyUse;
import dev.ligeiro.desk.transaction.TransactionStore;
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
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EndpointChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The pages of merchants and their keys, and what a key has done. */
@ExtendWith(SharedDesk.class)
class KeyPagesIT {

    private static final int TRANSACTIONS_MAX = 3;
    private static final Pattern KEY = Pattern.compile("sk_test_[A-Za-z0-9_-]{43}");

    private final RunningDesk desk;
    private final Api admin;
    private final Visitor visitor;
    private final String name = "Loja " + UUID.randomUUID();
    private final Stored stored;
    private final String one;
    private final String page;
    private long second = Instant.parse("2026-03-10T14:30:00Z").getEpochSecond();

    KeyPagesIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
        this.stored = Stored.of(desk, name);
        this.one = "/admin/merchants/" + stored.merchantId();
        this.page = "/console/merchants/" + stored.merchantId();
    }

    private Answer key(String body) {
        return admin.post(one + "/keys", body).expect(201);
    }

    private UUID key() {
        return UUID.fromString(key("{\"mode\":\"test\"}").text("id"));
    }

    @Test
    void aMerchantIsFoundByTheBeginningOfItsName() {
        String list = visitor.get("/console/merchants?name=" + name.replace(" ", "+"))
                .expect(200)
                .body();

        assertThat(list).contains("href=\"" + page + "\"", name).doesNotContain("No merchant.");
        assertThat(visitor.get("/console/merchants?name=nobody-is-called-so").body())
                .contains("No merchant.");
    }

    @Test
    void aMerchantsPageShowsWhatHoldsForItAndWhatTheOperatorMayDo() {
        admin.put(one + "/fees", "{\"cashin\":{\"percent\":\"1.25\",\"fixed\":\"0.10\"}}")
                .expect(204);
        admin.put(one + "/limits", "{\"cashout\":{\"amount_max\":\"500.00\"}}").expect(204);
        Answer platform = admin.post(one + "/platforms", "{\"name\":\"web\",\"mode\":\"test\"}");
        Answer key = key("{\"mode\":\"live\",\"name\":\"Till 7\"}");
        admin.post(one + "/freeze", "{\"reason\":\"a leaked key\"}").expect(200);

        String shown = visitor.get(page).expect(200).body();
        String portuguese = visitor.speaking("pt-BR").get(page + "?lang=pt-BR").body();
        String read = Visitor.signedIn(desk, RunningDesk.READER_TOKEN).get(page).body();

        assertThat(shown)
                .contains(
                        "1.2500\u00a0% + R$\u00a00.10",
                        " … R$\u00a0500.00",
                        platform.text("id"),
                        "/console/keys/" + key.text("id"),
                        "by admin: a leaked key",
                        "merchants/unfreeze?merchant_id=" + stored.merchantId(),
                        "merchants/set-fees?merchant_id=",
                        "keys/make?merchant_id=")
                .doesNotContain("merchants/freeze?", key.text("key"));
        assertThat(portuguese).contains("Tarifas", "Chaves de API", "1,2500\u00a0% + R$\u00a00,10");
        assertThat(read).contains("Till 7").doesNotContain("/console/do/");
    }

    @Test
    void aKeysPageTellsWhatItHasDone() {
        Answer key = key("{\"mode\":\"test\",\"name\":\"leaked\"}");
        TransactionId id = stored(UUID.fromString(key.text("id")));

        String shown =
                visitor.get("/console/keys/" + key.text("id")).expect(200).body();

        assertThat(shown)
                .contains(
                        "Created a transaction",
                        "/console/transactions/" + id,
                        "10 Mar 2026, 11:30",
                        name,
                        "keys/revoke?merchant_id=" + stored.merchantId())
                .doesNotContain(key.text("key"));
        String transactions = page + "/transactions?mode=test&operation=&status=";
        assertThat(visitor.get(transactions + "pending").expect(200).body())
                .contains("/console/transactions/" + id, "R$\u00a010.00", "order-" + id);
        assertThat(visitor.get(transactions + "paid").body()).contains("No transaction.");
        assertThat(visitor.get(page + "/transactions").body()).contains("No transaction.");
        visitor.get("/console/keys/" + UUID.randomUUID()).expect(404);
        visitor.send("/console/do/keys/revoke?merchant_id=" + stored.merchantId() + "&key_id=" + key.text("id")
                        + "&back=/console/keys/" + key.text("id"))
                .expect(303);
        assertThat(visitor.get("/console/keys/" + key.text("id")).body())
                .contains("The key is revoked.")
                .doesNotContain("/console/do/keys/");
    }

    @Test
    void onboardingIsOneForm() {
        Answer sent = visitor.send(
                "/console/do/onboarding/begin?back=/console/merchants/%7Bid%7D",
                "name", "Café do Zé", "platform", "web", "mode", "test");

        String once = sent.expect(200).body();
        Matcher key = KEY.matcher(once);
        assertThat(key.find()).isTrue();
        Answer found = admin.post("/admin/keys/find", Map.of("key", key.group()));
        String made = found.json().at("/keys/0/merchant_id").asString();
        assertThat(once).contains("/console/merchants/" + made);
        assertThat(visitor.get("/console/merchants/" + made).expect(200).body())
                .contains("Café do Zé", "web")
                .doesNotContain(key.group());
    }

    private Instant next() {
        return Instant.ofEpochSecond(second++);
    }

    /** Stores a transaction that {@code by} has created. */
    private TransactionId stored(UUID by, Entry... later) {
        TransactionId id = TransactionId.at(next());
        History begun = History.begin(id.createdAt(), change(new Requester(by, null)));
        stored.insert(Transactions.like(Transactions.cashin(id, new Amount(1_000)))
                .tenant(stored.tenant(Mode.TEST))
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
        UUID key = key();
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
        UUID key = key();
        List<UUID> expected = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            if (i % 4 == 0) {
                expected.add(0, stored(key).value());
            } else {
                stored(UUID.randomUUID());
            }
        }
        KeyStore store = new KeyStore(desk.mongo(), new TransactionStore(desk.mongo(), TRANSACTIONS_MAX));
        List<UUID> found = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        @Nullable String after = null;
        do {
            Slice<KeyUse> page =
                    store.uses(stored.tenant(Mode.TEST), key, after == null ? null : UUID.fromString(after));
            page.items().forEach(use -> found.add(use.transactionId()));
            sizes.add(page.items().size());
            after = page.next();
        } while (after != null);

        assertThat(found).isEqualTo(expected);
        assertThat(sizes).containsExactly(1, 0, 1);
    }

    @Test
    void theUsesOfAnUnknownKeyAreNotFound() {
        UUID key = key();
        admin.get("/admin/keys/" + UUID.randomUUID() + "/uses").expectProblem(404, "not_found");
        admin.get("/admin/keys/x/uses").expectProblem(404, "not_found");
        admin.get("/admin/keys/" + key + "/uses?after=x").expectProblem(422, "validation_failed");
        admin.withToken(RunningDesk.READER_TOKEN)
                .get("/admin/keys/" + key + "/uses")
                .expect(200);
    }
}
