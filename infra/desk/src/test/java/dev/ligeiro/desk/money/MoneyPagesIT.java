package dev.ligeiro.desk.money;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.PlayedProcessor;
import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.desk.money.OpenDecisions.Choice;
import dev.ligeiro.desk.money.OpenDecisions.Decisions;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedDesk.class)
class MoneyPagesIT {

    private final RunningDesk desk;
    private final Visitor visitor;
    private final Stored stored;
    private final String merchant;
    private final String name = "Loja " + Long.toHexString(System.nanoTime());
    private final Tenant tenant;

    MoneyPagesIT(RunningDesk desk) {
        this.desk = desk;
        this.visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
        this.stored = Stored.of(desk, name);
        this.merchant = stored.merchantId().toString();
        this.tenant = stored.tenant(Mode.TEST);
    }

    @ParameterizedTest
    @CsvSource({
        "approvals, Aprovações",
        "unsettled, Resultados desconhecidos",
        "unmatched-payments, Pagamentos sem transação",
        "disputes?state=closed, Contestações",
        "breaks?state=closed, Divergências",
        "resolutions?state=proposed, Decisões",
        "stops, Paradas",
        "stops/cashouts?stopped=true, Parar saques",
        "stops/routes?stopped=true, Parar um banco"
    })
    void eachPageSpeaksPortuguese(String page, String title) {
        assertThat(visitor.speaking("pt-BR").get("/console/" + page).expect(200).body())
                .contains("<h1", title + "</h1>");
    }

    @Test
    void aWaitingCashoutIsApprovedFromItsList() {
        try (PlayedProcessor processor = new PlayedProcessor(stored)) {
            TransactionId id = stored.waiting(of(Transactions.cashout(new Amount(1_234_56))))
                    .id();
            String page = visitor.get("/console/approvals").expect(200).body();
            assertThat(page).contains(name, "R$\u00a01,234.56", "/console/do/approvals/reject");

            String approve = "/console/do/approvals/approve?transaction_id=" + id + "&back=/console/approvals";
            assertThat(visitor.send(approve, "reason", "a supplier").expect(422).body())
                    .contains("Enter a value");
            assertThat(visitor.send(approve, "reason", "a supplier", "amount", "1,234.00")
                            .expect(422)
                            .body())
                    .contains("Enter the amount that you decide about");

            CompletableFuture<Answer> sent = CompletableFuture.supplyAsync(
                    () -> visitor.send(approve, "reason", "a supplier", "amount", "1,234.56"));
            processor.make(id);

            assertThat(sent.join().expect(303).header("Location")).endsWith("/console/approvals");
            assertThat(visitor.get("/console/approvals").body()).doesNotContain(id.toString());
        }
    }

    /** Without a merchant, a stop would be one of all merchants. */
    @Test
    void aStopNamesItsMerchantOrAllOfThem() {
        String choose = visitor.get("/console/stops/cashouts?stopped=true&name=" + name.replace(' ', '+'))
                .expect(200)
                .body();
        String one = "/console/stops/cashouts?stopped=true&merchant=" + merchant;
        assertThat(choose).contains(one.replace("&", "&amp;"), "The cashouts of ALL merchants are denied");
        assertThat(visitor.get(one).body()).contains("Stop the cashouts: " + name);

        visitor.send("/console/stops/cashouts?stopped=true", "stopped", "true", "reason", "x")
                .expect(422);
        assertThat(desk.admin().get("/admin/cashouts-stop").body()).doesNotContain("\"merchant\":null");

        stop(one, "stopped", "true", "merchant", merchant, "rail", "simulator", "reason", "test of " + name);
        String stops = visitor.get("/console/stops").expect(200).body();
        assertThat(stops).contains("test of " + name, "Resume");
        String resume = href(stops, "/console/stops/cashouts\\?stopped=false[^\"]*" + merchant + "[^\"]*");
        assertThat(visitor.get(resume).body()).contains("Resume the cashouts: " + name, "value=\"simulator\"");
        stop(resume, "stopped", "false", "merchant", merchant, "rail", "simulator", "reason", "over");
        assertThat(visitor.get("/console/stops").body()).doesNotContain("test of " + name);
    }

    private void stop(String path, String... fields) {
        visitor.sendTo("/console/stops/cashouts", path, fields).expect(302);
    }

    @Test
    void aFrozenMerchantIsUnfrozenFromTheStops() {
        desk.admin()
                .post("/admin/merchants/" + merchant + "/freeze", Map.of("reason", "a stolen key"))
                .expect(200);

        String unfreeze = href(
                visitor.get("/console/stops").expect(200).body(),
                "/console/do/merchants/unfreeze[^\"]*" + merchant + "[^\"]*");
        assertThat(visitor.get(unfreeze).expect(200).body()).contains(name);
        visitor.send(unfreeze, "reason", "the key is revoked").expect(303);

        assertThat(visitor.get("/console/stops").body()).doesNotContain("a stolen key");
    }

    @Test
    void anUnmatchedPaymentOffersTheDecisionsThatFitIt() {
        Transaction cashin =
                stored.insert(of(Transactions.cashin(new Amount(700))).accept());
        Transaction cashout =
                stored.insert(of(Transactions.cashout(new Amount(700))).accept());
        String paid = stored.unmatched(cashin.id(), 700L);
        stored.unmatched(cashout.id(), 700L);

        List<Choice> ofCashin = decisions(cashin).unmatched().get(0).choices();
        assertThat(ofCashin).extracting(choice -> choice.decision().code()).containsExactly("assign", "credit", "keep");
        assertThat(decisions(cashout).unmatched().get(0).choices())
                .extracting(choice -> choice.decision().code())
                .containsExactly("credit", "keep");

        String form = visitor.get(link(ofCashin.get(0))).expect(200).body();
        assertThat(form)
                .contains("The payment pays a cashin", paid, "name=\"reason\"")
                .doesNotContain("name=\"e2e_id\"", "name=\"transaction\"", "name=\"refund\"", "name=\"decision\"");
        visitor.send(link(ofCashin.get(0)), "reason", "the payer says so").expect(303);
        assertThat(decisions(cashin).proposed()).singleElement().satisfies(proposed -> {
            assertThat(proposed.unmatchedPayment()).isEqualTo(paid);
            assertThat(proposed.transaction()).isEqualTo(cashin.id().value());
        });
    }

    /** The merchant gets the money. */
    @Test
    void aPaymentIsCreditedByTypingItsAmount() {
        Transaction cashin =
                stored.insert(of(Transactions.cashin(new Amount(700))).accept());
        stored.unmatched(cashin.id(), 650L);
        String credit = link(decisions(cashin).unmatched().get(0).choices().get(1));

        assertThat(visitor.get(credit).expect(200).body()).contains("name=\"amount\"");
        visitor.send(credit, "reason", "the payer says so").expect(422);
        visitor.send(credit, "reason", "the payer says so", "amount", "7.00").expect(422);
        visitor.send(credit, "reason", "the payer says so", "amount", "6.50").expect(303);
    }

    @Test
    void anUnknownCashoutIsDecidedOnceTheRailHasHadItsTime() {
        Transaction young = unknown(Duration.ofHours(1));
        Transaction old = unknown(Duration.ofDays(2));

        assertThat(decisions(young).unknown().get(0).choices()).isEmpty();
        List<Choice> choices = decisions(old).unknown().get(0).choices();
        assertThat(choices).extracting(choice -> choice.decision().code()).containsExactly("paid", "denied");
        assertThat(visitor.get(link(choices.get(0))).body())
                .contains("name=\"e2e_id\"", "name=\"paid_at\"", "name=\"reason\"")
                .doesNotContain("name=\"unmatched_payment\"");
        assertThat(visitor.get(link(choices.get(1))).body()).doesNotContain("name=\"e2e_id\"", "name=\"paid_at\"");
    }

    private Decisions decisions(Transaction transaction) {
        return desk.bean(OpenDecisions.class).of(transaction.id().value());
    }

    private static String link(Choice choice) {
        StringBuilder link = new StringBuilder("/console/do/resolutions/propose?back=/console/resolutions");
        for (int i = 0; i < choice.values().size(); i += 2) {
            link.append('&')
                    .append(choice.values().get(i))
                    .append('=')
                    .append(choice.values().get(i + 1));
        }
        return link.toString();
    }

    private Transaction unknown(Duration age) {
        return stored.insert(Stored.unknown(Instant.now().minus(age)));
    }

    private Transaction of(Transaction transaction) {
        return Transactions.like(transaction).tenant(tenant).build();
    }

    @Test
    void disputesAreListedByStateWithAWayFromAttention() {
        Transaction cashin = stored.insert(of(Transactions.cashin(new Amount(700))));
        stored.insert(CollectionNames.DISPUTES, dispute("known", cashin).document());
        stored.insert(CollectionNames.DISPUTES, dispute("unknown", null).document());

        assertThat(visitor.get("/console").expect(200).body())
                .contains("href=\"/console/disputes\"", "href=\"/console/disputes?state=unmatched\"");
        assertThat(visitor.get("/console/disputes").expect(200).body())
                .contains(
                        name,
                        "/console/transactions/" + cashin.id(),
                        "claim-known-" + merchant,
                        "R$\u00a07.00",
                        "golpe")
                .doesNotContain("claim-unknown-" + merchant);
        assertThat(visitor.get("/console/disputes?state=unmatched").expect(200).body())
                .contains("claim-unknown-" + merchant, "NOVA")
                .doesNotContain("claim-known-" + merchant);
    }

    /** @param of null for a claim that no transaction can take, in a status that is not known */
    private StoredDispute dispute(String claim, @Nullable Transaction of) {
        String railId = "claim-" + claim + "-" + merchant;
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return new StoredDispute(
                Dispute.id("efi", railId),
                "efi",
                railId,
                null,
                "E1",
                of == null ? null : tenant,
                of == null ? null : of.id(),
                new Amount(700),
                "Solicitação de devolução",
                "golpe",
                of == null ? null : Dispute.Status.OPEN,
                of == null ? "NOVA" : "EM_ANALISE",
                now,
                now.plus(Duration.ofHours(1)),
                null,
                null,
                null);
    }

    @Test
    void aDamagedPaymentIsLeftOutOfTheList() {
        Transaction cashin = stored.insert(of(Transactions.cashin(new Amount(700))));
        String whole = stored.unmatched(cashin.id(), 700L);
        String damaged = "simulator/E-damaged-" + TransactionId.at(Instant.now());
        stored.insert(
                CollectionNames.UNMATCHED_PAYMENTS,
                new Document("_id", damaged)
                        .append("rail", "simulator")
                        .append("transactionId", cashin.id().value())
                        .append("at", new Date()));

        assertThat(desk.admin()
                        .get("/admin/unmatched-payments?e2e_id=" + whole.substring(whole.indexOf('/') + 1))
                        .expect(200)
                        .json()
                        .path("unmatched_payments"))
                .hasSize(1);
        assertThat(desk.admin()
                        .get("/admin/unmatched-payments?e2e_id=" + damaged.substring(damaged.indexOf('/') + 1))
                        .expect(200)
                        .json()
                        .path("unmatched_payments"))
                .isEmpty();
        assertThat(decisions(cashin).unmatched()).hasSize(1);
    }

    private static String href(String page, String pattern) {
        Matcher found = Pattern.compile("href=\"(" + pattern + ")\"").matcher(page);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1).replace("&amp;", "&");
    }
}
