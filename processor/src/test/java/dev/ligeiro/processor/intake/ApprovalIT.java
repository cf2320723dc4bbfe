package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.change;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.GuardCashouts;
import dev.ligeiro.processor.guard.Guards;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeAction.Approval;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Cashouts above the amount of their merchant's guard. Each test has a merchant of its own. */
class ApprovalIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration NOTICED_MAX = Duration.ofSeconds(5);
    private static final Approval APPROVE = new Approval(true, Source.MERCHANT, null);
    private static final Approval REJECT = new Approval(false, Source.OPERATOR, "Nobody knows the receiver");

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor();

    private static final TestEnvironment ENVIRONMENT = PROCESSOR.environment();

    private final Tenant tenant = Tenant.of(ThreadLocalRandom.current().nextLong(1_000, Integer.MAX_VALUE), Mode.TEST);

    @BeforeEach
    void guard() {
        ENVIRONMENT.set(Guards.withApproval(Guards.ofDay(tenant, 10_000), 999));
        awaitVerdict(GuardVerdict.WAITS);
    }

    @Test
    void onlyACashoutAboveTheAmountWaitsWithItsReservation() {
        Transaction waiting = waiting();
        ENVIRONMENT.awaitAnnounced(sent(999), "1 pending", "2 in_process", "3 paid");

        assertThat(stored(waiting).containsKey(TransactionFields.APPROVAL_SINCE))
                .isTrue();
        assertThat(stored(waiting).containsKey(TransactionFields.DUE)).isFalse();
        assertThat(movements(waiting)).isZero();
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(1_999, 1));
    }

    @Test
    void anApprovedCashoutIsPaidOnceHoweverOftenItsCommandComes() {
        Transaction waiting = waiting();
        TransactionCommand approve = change(waiting, APPROVE);

        ENVIRONMENT.send(approve);
        ENVIRONMENT.send(approve);
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
        ENVIRONMENT.send(approve);
        ENVIRONMENT.send(process(waiting));

        ENVIRONMENT.awaitAnnounced(sent(500), "1 pending", "2 in_process", "3 paid");
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
        assertThat(movements(waiting)).isOne();
        assertThat(stored(waiting).containsKey(TransactionFields.APPROVAL_SINCE))
                .isFalse();
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(1_500, 0));
    }

    @Test
    void aRejectedCashoutFreesWhatItReserved() {
        Transaction waiting = waiting();

        ENVIRONMENT.send(change(waiting, REJECT));

        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 denied");
        assertThat(ENVIRONMENT.events(waiting.id()).get(2).transaction().denialReason())
                .isEqualTo("not_approved");
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(0, 0));
    }

    @Test
    void aCanceledCashoutFreesWhatItReserved() {
        Transaction waiting = waiting();

        ENVIRONMENT.send(change(waiting, new ChangeAction.Cancel()));

        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 canceled");
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(0, 0));
    }

    @Test
    void ofOppositeDecisionsTheFirstOneCounts() {
        Transaction waiting = waiting();

        ENVIRONMENT.send(change(waiting, REJECT));
        ENVIRONMENT.send(change(waiting, APPROVE));

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(
                        ENVIRONMENT.read(waiting.id()).history().entries())
                .last()
                .isInstanceOfSatisfying(Entry.ChangeRefused.class, refused -> assertThat(refused.code())
                        .isEqualTo("invalid_transition")));
        assertThat(ENVIRONMENT.read(waiting.id()).status()).isEqualTo(Status.DENIED);
        assertThat(movements(waiting)).isZero();
    }

    @Test
    void anApprovedCashoutOfAFrozenMerchantGoesOnWaiting() {
        Transaction waiting = waiting();
        Document frozen =
                new Document(Stop.ID, Stop.FROZEN + tenant.key()).append(Stop.MERCHANT_NUMBER, tenant.merchantNumber());
        Mono.from(stops().insertOne(frozen)).block(TIMEOUT);
        awaitVerdict(GuardVerdict.MERCHANT_FROZEN);

        ENVIRONMENT.send(change(waiting, APPROVE));

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(
                        ENVIRONMENT.read(waiting.id()).history().entries())
                .last()
                .isInstanceOfSatisfying(Entry.ChangeRefused.class, refused -> assertThat(refused.code())
                        .isEqualTo("merchant_frozen")));
        assertThat(movements(waiting)).isZero();

        Mono.from(stops().deleteOne(Filters.eq(frozen.get(Stop.ID)))).block(TIMEOUT);
        awaitVerdict(GuardVerdict.WAITS);
        ENVIRONMENT.send(change(waiting, APPROVE));
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
    }

    @Test
    void anApprovedCashoutIsDeniedWhileCashoutsAreStopped() {
        Transaction waiting = waiting();
        Mono.from(stops().insertOne(new Document(Stop.ID, Stop.CASHOUTS + tenant.key())
                        .append(Stop.MERCHANT_NUMBER, tenant.merchantNumber())))
                .block(TIMEOUT);
        awaitVerdict(GuardVerdict.CASHOUTS_STOPPED);

        ENVIRONMENT.send(change(waiting, APPROVE));

        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 denied");
        assertThat(ENVIRONMENT.read(waiting.id()).history().denialReason()).isEqualTo("cashouts_stopped");
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(0, 0));
        assertThat(movements(waiting)).isZero();
    }

    @Test
    void aCashoutThatWaitedBeforeItsMerchantHadALimitIsCountedOnce() {
        ENVIRONMENT.set(Guards.withApproval(Guards.none(tenant), 999));
        awaitVerdict(GuardVerdict.APPROVAL_REQUIRED);
        waiting();
        ENVIRONMENT.set(Guards.withApproval(Guards.ofDay(tenant, 10_000), 999));
        awaitVerdict(GuardVerdict.WAITS);

        ENVIRONMENT.awaitAnnounced(sent(500), "1 pending", "2 in_process", "3 paid");

        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(1_500, 1));
    }

    /** It counts and reserves nothing, so it needs no totals. */
    @Test
    void aGuardWithAnApprovalOnlyHasNoTotals() {
        ENVIRONMENT.set(Guards.withApproval(Guards.none(tenant), 999));
        awaitVerdict(GuardVerdict.APPROVAL_REQUIRED);

        Transaction waiting = waiting();
        ENVIRONMENT.send(change(waiting, APPROVE));

        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
        assertThat(Mono.from(database()
                                .getCollection(CollectionNames.GUARD_TOTALS)
                                .countDocuments(Filters.eq(tenant.key())))
                        .block(TIMEOUT))
                .isZero();
    }

    private Transaction waiting() {
        Transaction waiting = sent(1_000);
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis");
        return waiting;
    }

    private Transaction sent(long cents) {
        Transaction cashout = ENVIRONMENT.stored(cashout(cents));
        ENVIRONMENT.send(process(cashout));
        return cashout;
    }

    private Transaction cashout(long cents) {
        return Transactions.like(Transactions.cashout(new Amount(cents)))
                .tenant(tenant)
                .build();
    }

    /** The verdict on a cashout above the amount. With totals it waits, because it is not reserved here. */
    private void awaitVerdict(GuardVerdict verdict) {
        Transaction cashout = cashout(1_000);
        await().atMost(NOTICED_MAX)
                .until(() -> PROCESSOR
                                .running()
                                .bean(GuardCashouts.class)
                                .begin()
                                .blockOptional(TIMEOUT)
                                .orElseThrow()
                                .verdict(cashout)
                        == verdict);
    }

    private void assertTotals(long dayCents, int reserved) {
        Document totals = ENVIRONMENT.guardTotals(tenant);
        assertThat(totals.getLong("dayCents")).isEqualTo(dayCents);
        assertThat(totals.getList("reserved", Document.class)).hasSize(reserved);
    }

    private static BsonDocument stored(Transaction transaction) {
        return Mono.from(database()
                        .getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                        .find(Filters.and(
                                Filters.eq(
                                        TransactionCodec.binary(transaction.id().value())),
                                Filters.eq(
                                        TransactionFields.TENANT,
                                        transaction.tenant().key()))))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private static long movements(Transaction cashout) {
        return Flux.from(database()
                        .getCollection(CollectionNames.SIMULATOR_LEDGER, BsonDocument.class)
                        .find(Filters.eq(
                                SimulatorLedgerFields.TRANSACTION_ID,
                                TransactionCodec.binary(cashout.id().value()))))
                .count()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private static MongoCollection<Document> stops() {
        return database().getCollection(CollectionNames.STOPS);
    }

    private static MongoDatabase database() {
        return PROCESSOR.running().bean(MongoDatabase.class);
    }
}
