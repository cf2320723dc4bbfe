package dev.ligeiro.desk.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.StoredTransactions;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pages of merchants and their keys. */
@ExtendWith(SharedDesk.class)
class KeyPagesIT {

    private static final Pattern KEY = Pattern.compile("sk_test_[A-Za-z0-9_-]{43}");

    private final RunningDesk desk;
    private final Api admin;
    private final Visitor visitor;
    private final String name = "Loja " + UUID.randomUUID();
    private final Answer merchant;
    private final String page;

    KeyPagesIT(RunningDesk desk) {
        this.desk = desk;
        this.admin = desk.admin();
        this.visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
        this.merchant = admin.post("/admin/merchants", Map.of("name", name)).expect(201);
        this.page = "/console/merchants/" + merchant.text("id");
    }

    private Answer key(String body) {
        return admin.post(merchant.header("Location") + "/keys", body).expect(201);
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
        admin.put(merchant.header("Location") + "/fees", "{\"cashin\":{\"percent\":\"1.25\",\"fixed\":\"0.10\"}}")
                .expect(204);
        admin.put(merchant.header("Location") + "/limits", "{\"cashout\":{\"amount_max\":\"500.00\"}}")
                .expect(204);
        Answer platform =
                admin.post(merchant.header("Location") + "/platforms", "{\"name\":\"web\",\"mode\":\"test\"}");
        Answer key = key("{\"mode\":\"live\",\"name\":\"Till 7\"}");
        admin.post(merchant.header("Location") + "/freeze", "{\"reason\":\"a leaked key\"}")
                .expect(200);

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
                        "merchants/unfreeze?merchant_id=" + merchant.text("id"),
                        "merchants/set-fees?merchant_id=",
                        "keys/make?merchant_id=")
                .doesNotContain("merchants/freeze?", key.text("key"));
        assertThat(portuguese).contains("Tarifas", "Chaves de API", "1,2500\u00a0% + R$\u00a00,10");
        assertThat(read).contains("Till 7").doesNotContain("/console/do/");
    }

    @Test
    void aKeysPageTellsWhatItHasDone() {
        Answer key = key("{\"mode\":\"test\",\"name\":\"leaked\"}");
        TransactionId id = TransactionId.at(Instant.parse("2026-03-10T14:30:00Z"));
        new StoredTransactions(desk)
                .insert(Transactions.like(Transactions.cashin(id, new Amount(1_000)))
                        .tenant(Tenant.of(merchant.json().path("number").asLong(), Mode.TEST))
                        .createdAs(id)
                        .history(History.begin(
                                id.createdAt(),
                                new ChangeRef(
                                        UUID.randomUUID(), null, new Requester(UUID.fromString(key.text("id")), null))))
                        .build());

        String shown =
                visitor.get("/console/keys/" + key.text("id")).expect(200).body();

        assertThat(shown)
                .contains(
                        "Created a transaction",
                        "/console/transactions/" + id,
                        "10 Mar 2026, 11:30",
                        name,
                        "keys/revoke?merchant_id=" + merchant.text("id"))
                .doesNotContain(key.text("key"));
        String transactions = page + "/transactions?mode=test&operation=&status=";
        assertThat(visitor.get(transactions + "pending").expect(200).body())
                .contains("/console/transactions/" + id, "R$\u00a010.00", "order-" + id);
        assertThat(visitor.get(transactions + "paid").body()).contains("No transaction.");
        assertThat(visitor.get(page + "/transactions").body()).contains("No transaction.");
        visitor.get("/console/keys/" + UUID.randomUUID()).expect(404);
        visitor.send("/console/do/keys/revoke?merchant_id=" + merchant.text("id") + "&key_id=" + key.text("id")
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
}
