package dev.ligeiro.desk.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.message.EventId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The box of every page: one exact hit leads on. */
@ExtendWith(SharedDesk.class)
class SearchPagesIT {

    private final RunningDesk desk;
    private final Stored stored;
    private final Visitor visitor;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    SearchPagesIT(RunningDesk desk) {
        this.desk = desk;
        this.stored = Stored.of(desk, "Livraria da Bia");
        this.visitor = Visitor.signedIn(desk, RunningDesk.ADMIN_TOKEN);
    }

    private Transaction paid(String document) {
        Transaction transaction = Transactions.like(Transactions.cashin(TransactionId.at(now), new Amount(123_45)))
                .tenant(stored.tenant(Mode.TEST))
                .payer(new Party("Bia Souza", "bia@example.com", "+5511987654321", document))
                .build()
                .moveTo(Status.PAID, now, Source.RAIL);
        stored.insert(transaction);
        return transaction;
    }

    /** What was entered goes into the body, and the answer leads to the result. */
    private String found(String text) {
        Answer entered = entered(text);
        String location = entered.expect(302).header("Location");
        return location.contains("/console/search?q=")
                ? visitor.get(path(location)).header("Location")
                : location;
    }

    private Answer entered(String text) {
        Matcher csrf = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"")
                .matcher(visitor.get("/console/search").expect(200).body());
        assertThat(csrf.find()).isTrue();
        return visitor.post("/console/search", Map.of("_csrf", csrf.group(1), "q", text));
    }

    private static String path(String location) {
        return location.substring(location.indexOf("/console"));
    }

    @Test
    void idsLeadToTheirPages() {
        RefundId refund = RefundId.at(now);
        Transaction transaction = paid("52998224725")
                .with(new Entry.RefundRequested(refund, new Amount(1_00), Source.MERCHANT, null, null, now, null));
        stored.insert(transaction);
        stored.insert(
                CollectionNames.POSTINGS,
                new Document(PostingFields.ID, "refund_" + refund)
                        .append(
                                PostingFields.TRANSACTION_ID,
                                TransactionCodec.binary(transaction.id().value())));
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://bia.example/");
        String page = "/console/transactions/" + transaction.id();

        assertThat(found(transaction.id().toString())).endsWith(page);
        assertThat(found(" " + transaction.terms().reference() + " ")).endsWith(page);
        assertThat(found(new EventId(transaction.id(), 2).toString())).endsWith(page);
        assertThat(found(refund.toString())).endsWith(page);
        assertThat(found(stored.merchantId().toString())).endsWith("/console/merchants/" + stored.merchantId());
        assertThat(found(endpoint.id().toString())).endsWith("/endpoints/" + endpoint.id());
        assertThat(visitor.get("/console/search?q=" + UUID.randomUUID())
                        .expect(200)
                        .body())
                .contains("Nothing has been found.");
    }

    @Test
    void aKeyIsFoundByItsBeginningAndAWholeOneOnlyInABody() {
        String key = ApiKey.generate(Mode.TEST);
        ApiKey stored = new ApiKey(
                UUID.randomUUID(),
                ApiKey.hash(key),
                ApiKey.start(key),
                this.stored.merchantId(),
                "shop",
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
        desk.mongo().insert(stored, CollectionNames.API_KEYS);

        assertThat(found(stored.prefix())).endsWith("/console/keys/" + stored.id());
        assertThat(entered(key).expect(302).header("Location"))
                .endsWith("/console/keys/" + stored.id())
                .doesNotContain(key);
        Answer inAddress = visitor.get("/console/search?q=" + key).expect(302);
        assertThat(visitor.get(path(inAddress.header("Location"))).expect(200).body())
                .contains("must not be in an address")
                .doesNotContain(key);
        assertThat(entered(ApiKey.generate(Mode.LIVE)).expect(200).body()).contains("There is no such key.");
    }

    /** Did this payer pay: the document, the transaction. */
    @Test
    void aPayersTransactionsAreListedAndEachShowsWhatHappened() {
        Transaction transaction = paid("11144477735");
        paid("11144477735");
        WebhookEndpoint endpoint = stored.endpoint(Mode.TEST, "https://bia.example/");
        DeliveryId delivery = new DeliveryId(endpoint.id(), new EventId(transaction.id(), 2));
        stored.insert(Deliveries.delivery(delivery, DeliveryStatus.EXHAUSTED));
        String page = "/console/transactions/" + transaction.id();

        String list =
                visitor.get("/console/search?q=111.444.777-35").expect(200).body();
        String shown = visitor.get(page).expect(200).body();

        assertThat(list)
                .contains("href=\"" + page + "\"", "R$\u00a0123.45", "Paid")
                .doesNotContain("Bia Souza");
        assertThat(shown)
                .contains("Cashin of R$\u00a0123.45", "the rail", "B*** S*** · ***735", "Livraria da Bia")
                .contains("Rejected (500)", "/deliveries/" + delivery.text(), "Send again")
                .doesNotContain("Bia Souza", "bia@example.com", "11144477735");
        assertThat(visitor.speaking("pt-BR").get(page).body()).contains("de R$\u00a0123,45", "a rede de pagamento");
    }

    @Test
    void aCashoutThatWaitsIsDecidedOnItsPage() {
        Transaction waiting = Transactions.like(Transactions.cashout(TransactionId.at(now), new Amount(10_00)))
                .tenant(stored.tenant(Mode.LIVE))
                .build()
                .with(new Entry.StatusChanged(
                        Status.IN_ANALYSIS, now, Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null));
        stored.insert(waiting);
        String page = "/console/transactions/" + waiting.id();

        assertThat(visitor.get(page).expect(200).body())
                .contains("/console/do/approvals/approve?transaction_id=" + waiting.id(), "approval required");
        assertThat(Visitor.signedIn(desk, RunningDesk.READER_TOKEN)
                        .get(page)
                        .expect(200)
                        .body())
                .doesNotContain("/console/do/approvals/approve");
        assertThat(visitor.get("/console/transactions/" + UUID.randomUUID()).status())
                .isEqualTo(404);
    }
}
