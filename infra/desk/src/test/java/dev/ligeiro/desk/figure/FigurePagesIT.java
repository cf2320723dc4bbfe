package dev.ligeiro.desk.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;

@ExtendWith(SharedDesk.class)
class FigurePagesIT {

    private final RunningDesk desk;
    private final Visitor visitor;

    FigurePagesIT(RunningDesk desk) {
        this.desk = desk;
        this.visitor = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);
    }

    private static UUID paid(RunningDesk desk, String name, int day, long cashins, long cents, int seconds) {
        Stored merchant = Stored.of(desk, name);
        paid(merchant, day, cashins, cents, seconds, true);
        return merchant.merchantId();
    }

    private static void paid(Stored merchant, int day, long cashins, long cents, int seconds, boolean isCounted) {
        Document payments = new Document(BalanceFields.CASHINS, new Document("50", cashins))
                .append(BalanceFields.CASHIN_CENTS, new Document("50", cents))
                .append(
                        BalanceFields.PAY_SPANS,
                        new Document("12_" + BalanceFields.paySpan(Duration.ofSeconds(seconds)), cashins));
        Document balance = new Document(BalanceFields.ID, BalanceFields.id(merchant.tenant(Mode.TEST), day))
                .append(BalanceFields.PAID, payments);
        if (isCounted) {
            balance.append(BalanceFields.COUNTED, true);
        }
        merchant.insert(CollectionNames.BALANCES, balance);
    }

    @Test
    void theDaysOfAllMerchantsAreAddedUpAndThoseOfOneStandAlone() {
        try (RunningDesk fresh = RunningDesk.start()) {
            theDaysOfAllMerchantsAreAddedUp(fresh, Visitor.signedIn(fresh, RunningDesk.READER_TOKEN));
        }
    }

    private static void theDaysOfAllMerchantsAreAddedUp(RunningDesk desk, Visitor visitor) {
        int day = BalanceFields.day(desk.clock().instant()) - 3;
        UUID ana = paid(desk, "Loja da Ana", day, 98, 1_234_56, 10);
        paid(desk, "Loja do Beto", day, 2, 1_000_000_00, 3_000);

        String all = await().until(
                        () -> page(visitor, "?mode=test"),
                        page -> page.contains("1,001,234.56") && !page.contains("added up"));
        String one = page(visitor, "?mode=test&merchant=" + ana);

        assertThat(all).contains("<dd>100</dd>", "Of all merchants");
        assertThat(one)
                .contains("1,234.56</dd>", "Of Loja da Ana", "None was denied", "operation=cashin\">98</a>")
                .doesNotContain("1,001,234.56");
        assertThat(page(visitor, "?mode=live")).doesNotContain("1,001,234.56");
        assertThat(visitor.speaking("pt").get("/console/figures?mode=test").body())
                .contains("1.001.234,56");
    }

    @Test
    void denialsOfAMerchantHaveTheirReasons() {
        Stored stored = Stored.of(desk, "Loja da Negada");
        for (String reason : List.of("rejected_by_rail", "insufficient_funds", "rejected_by_rail")) {
            stored.insert(
                    CollectionNames.TRANSACTIONS,
                    new Document(TransactionFields.ID, UuidV7.at(desk.clock().millis()))
                            .append(
                                    TransactionFields.TENANT,
                                    stored.tenant(Mode.TEST).key())
                            .append(TransactionFields.STATUS, "denied")
                            .append(
                                    TransactionFields.HISTORY,
                                    List.of(new Document(TransactionFields.STATUS, "denied")
                                            .append(TransactionFields.AT, new Date())
                                            .append(TransactionFields.REASON, reason))));
        }

        String page = page(visitor, "?mode=test&merchant=" + stored.merchantId());
        desk.mongo()
                .remove(
                        Query.query(Criteria.where(TransactionFields.TENANT)
                                .is(stored.tenant(Mode.TEST).key())),
                        CollectionNames.TRANSACTIONS);

        assertThat(page)
                .contains(
                        "insufficient funds", "rejected by the rail", "status=denied\">2</a>", "status=denied\">1</a>");
    }

    @Test
    void aDayThatWasNotCountedIsUnknown() {
        Stored merchant = Stored.of(desk, "Antiga");
        paid(merchant, BalanceFields.day(desk.clock().instant()) - 1, 1, 100, 10, false);

        assertThat(page(visitor, "?mode=test&merchant=" + merchant.merchantId()))
                .contains("Nothing is known about payments");
    }

    @Test
    void anUnknownMerchantIsNotFound() {
        visitor.get("/console/figures?merchant=" + UUID.randomUUID()).expect(404);
    }

    private static String page(Visitor visitor, String query) {
        return visitor.get("/console/figures" + query).expect(200).body();
    }
}
