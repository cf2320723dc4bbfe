package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.BlockedAmount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Mono;

/** What payers claim back, from a bank on real sockets to the event. */
@Order(2)
@Execution(ExecutionMode.SAME_THREAD)
class LiveDisputeIT extends WithLiveBank {

    @Test
    void aDisputeBlocksItsAmountUntilTheBankDecides() {
        Tenant tenant = newTenant();
        Transaction cashin = registered(tenant);
        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        await().atMost(TIMEOUT).until(() -> balances(tenant).get(0) > 0);
        long paid = balances(tenant).get(0);

        String claim = claimed(cashin, "4.00");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid");
        assertThat(dispute(cashin, 0).amount()).isEqualTo(new Amount(4_00));
        awaitBooks(tenant, paid - 4_00, 4_00);

        UUID defense = defended(cashin, 0);
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 paid");
        assertThat(dispute(cashin, 0).status()).isEqualTo(Dispute.Status.DEFENDED);
        assertThat(answerTo(defense, cashin)).isInstanceOf(Entry.DisputeUpdated.class);

        decided(claim, "accepted");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 paid", "5 paid", "6 paid");
        assertThat(dispute(cashin, 0).status()).isEqualTo(Dispute.Status.LOST);
        assertThat(environment.read(cashin.id()).history().refunds())
                .extracting(Refund::amount, Refund::source)
                .containsExactly(tuple(new Amount(4_00), Source.RAIL));
        awaitBooks(tenant, paid - 4_00, 0);

        // the bank closes a claim while its defence is sent
        String another = claimed(cashin, "1.00");
        await().atMost(TIMEOUT)
                .until(() -> environment.read(cashin.id()).history().disputes().size() == 2);
        decided(another, "rejected");
        UUID late = defended(cashin, 1);
        await().atMost(TIMEOUT).until(() -> dispute(cashin, 1).status() == Dispute.Status.WON);
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(((Entry.ChangeRefused) answerTo(late, cashin)).code())
                .isEqualTo("dispute_closed"));
        awaitBooks(tenant, paid - 4_00, 0);
    }

    /** With the fault, a claim that the bank decided before its first reading was not blocked, and had no webhook. */
    @Test
    void aClaimThatIsFirstSeenAsLostIsAnnounced() {
        Transaction cashin = registered();
        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");

        // as if another processor followed the claims, and died
        Mono.from(environment
                        .database()
                        .getCollection(CollectionNames.LEASES)
                        .updateOne(
                                Filters.eq("disputes"),
                                Updates.combine(
                                        Updates.set("holder", "another"),
                                        Updates.set(
                                                "until", Date.from(Instant.now().plusSeconds(3))))))
                .block(TIMEOUT);
        decided(claimed(cashin, "4.00"), "accepted");

        // the dispute, its end, and the return, which the bank may report before the claim is read
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 paid", "5 paid");
        assertThat(dispute(cashin, 0).status()).isEqualTo(Dispute.Status.LOST);
        assertThat(BlockedAmount.waitsForReturn(
                        environment.read(cashin.id()), dispute(cashin, 0).id()))
                .isFalse();
    }

    @Test
    void aClaimOnAnUnknownPaymentIsForTheOperatorsAndBlocksNothing() {
        String payment = unmatchedPayment().substring("bank/".length());
        String claim = claimed(payment, "7.00");

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(Mono.from(environment
                                .database()
                                .getCollection(CollectionNames.DISPUTES)
                                .find(Filters.exists(StoredDispute.UNMATCHED_SINCE)))
                        .map(found -> found.getString("railId"))
                        .block(TIMEOUT))
                .isEqualTo(claim));
        await().atMost(TIMEOUT).until(() -> processor
                .get("/actuator/prometheus")
                .contains("ligeiro_disputes_open{rail=\"bank\",state=\"unmatched\"} 1.0"));

        // with the fault, no claim after one whose payment the bank did not tell was read
        Transaction cashin = registered();
        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        String later = claimed(cashin, "4.00");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid");
        bank.failsIn("GET /pix/{}");
        decided(later, "rejected");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 paid");
        bank.noFaults();
        decided(claim, "canceled");
    }

    /** With the fault, the gauge of the next deadline stood still while the bank did not list its claims, so no alert fired. */
    @Test
    void aDeadlineComesNearAlthoughTheClaimsAreNotRead() {
        Transaction cashin = registered();
        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        String claim = claimed(cashin, "4.00");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid");
        await().atMost(TIMEOUT).until(() -> secondsToDeadline() < Double.POSITIVE_INFINITY);

        bank.failsIn("GET /gn/infracoes");
        double before = secondsToDeadline();
        await().atMost(TIMEOUT).until(() -> secondsToDeadline() < before - 1);
        bank.noFaults();
        decided(claim, "canceled");
    }

    private static double secondsToDeadline() {
        return metric("ligeiro_disputes_deadline_seconds{");
    }

    private static String claimed(Transaction cashin, String amount) {
        return claimed(environment.read(cashin.id()).endToEndId(), amount);
    }

    private static Dispute dispute(Transaction cashin, int number) {
        return environment.read(cashin.id()).history().disputes().get(number);
    }

    private static UUID defended(Transaction cashin, int number) {
        UUID dispute = dispute(cashin, number).id();
        return change(cashin, new ChangeAction.Defense(dispute, "It was delivered on Monday"), null);
    }

    /** The latest entry of the request. */
    private static Entry answerTo(UUID change, Transaction cashin) {
        return environment.read(cashin.id()).history().entries().stream()
                .filter(entry -> change.equals(entry.changeId()))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private static void awaitBooks(Tenant tenant, long merchant, long blocked) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(List.of(
                        balances(tenant).get(0), environment.balance(tenant).get(BalanceFields.BLOCKED, 0L)))
                .isEqualTo(List.of(merchant, blocked)));
    }
}
