package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.TestEnvironment.change;
import static dev.ligeiro.processor.intake.TestEnvironment.pay;
import static dev.ligeiro.processor.intake.TestEnvironment.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.processor.guard.GuardCashouts;
import dev.ligeiro.processor.guard.Guards;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeAction.Approval;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The guard of cashouts in two processors that share the commands. Each test has a merchant of its own. */
class GuardIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration NOTICED_MAX = Duration.ofSeconds(5);
    private static final Approval APPROVE = new Approval(true, Source.MERCHANT, null);
    private static final Approval REJECT = new Approval(false, Source.OPERATOR, "Nobody knows the receiver");

    /** Longer than a freeze takes to be noticed. */
    private static final String ANALYSIS = "ligeiro.simulator.analysis=6s";

    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    private static RunningProcessor first;
    private static RunningProcessor second;

    private final Tenant tenant = Tenant.of(ThreadLocalRandom.current().nextLong(1_000, Integer.MAX_VALUE), Mode.TEST);

    @BeforeAll
    static void start() {
        first = RunningProcessor.start(ANALYSIS);
        second = RunningProcessor.start(ANALYSIS);
        await().atMost(TIMEOUT).until(() -> first.isReady() && second.isReady());
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        ENVIRONMENT.close();
    }

    @Test
    void stoppedCashoutsAreDeniedUntilTheyAreResumed() {
        Document stop = stop(Stop.CASHOUTS);
        awaitVerdict(GuardVerdict.CASHOUTS_STOPPED);

        Transaction denied = sent(cashout(1000));
        ENVIRONMENT.awaitAnnounced(denied, "1 pending", "2 denied");
        assertThat(ENVIRONMENT.events(denied.id()).get(1).transaction().denialReason())
                .isEqualTo("cashouts_stopped");

        Mono.from(stops().deleteOne(Filters.eq(stop.get(Stop.ID)))).block(TIMEOUT);
        awaitVerdict(GuardVerdict.PASSED);
        ENVIRONMENT.awaitAnnounced(sent(cashout(1000)), "1 pending", "2 in_process", "3 paid");
    }

    @Test
    void theCashoutsOfANewTenantAreDeniedUntilTheyAreOpened() {
        ENVIRONMENT.set(Guards.none(tenant), Updates.set(GuardDocument.NOT_OPENED, true));
        awaitVerdict(GuardVerdict.CASHOUTS_STOPPED);
        assertDenied(sent(cashout(1000)), "cashouts_stopped");

        ENVIRONMENT.set(Guards.none(tenant), Updates.unset(GuardDocument.NOT_OPENED));
        awaitVerdict(GuardVerdict.PASSED);
        ENVIRONMENT.awaitAnnounced(sent(cashout(1000)), "1 pending", "2 in_process", "3 paid");
    }

    @Test
    void aFrozenMerchantIsPaidButPaysNothing() {
        stop(Stop.FROZEN);
        awaitVerdict(GuardVerdict.MERCHANT_FROZEN);

        Transaction cashin = sent(Transactions.like(Transactions.cashin(new Amount(1000)))
                .tenant(tenant)
                .build());
        ENVIRONMENT.send(pay(cashin));

        ENVIRONMENT.awaitAnnounced(cashin, "1 pending", "2 paid");
        assertDenied(sent(cashout(1000)), "merchant_frozen");
    }

    @Test
    void aCashoutInAnalysisIsDeniedIfItsMerchantIsFrozenMeanwhile() {
        Transaction analysed = sent(cashout(1013));
        ENVIRONMENT.awaitAnnounced(analysed, "1 pending", "2 in_analysis");
        stop(Stop.FROZEN);
        awaitVerdict(GuardVerdict.MERCHANT_FROZEN);

        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            ENVIRONMENT.send(TestEnvironment.dueCheck(ENVIRONMENT.read(analysed.id())));
            assertThat(ENVIRONMENT.read(analysed.id()).history().denialReason()).isEqualTo("merchant_frozen");
        });
    }

    @Test
    void onlyAllowedReceiversArePaid() {
        ENVIRONMENT.set(Guards.ofReceivers(tenant, Set.of("joao@example.com"), Set.of()));
        awaitVerdict(GuardVerdict.KEY_NOT_ALLOWED);

        Transaction denied = sent(cashout(1000));
        ENVIRONMENT.awaitAnnounced(denied, "1 pending", "2 denied");
        assertDenied(denied, "key_not_allowed");
        assertThat(counted(first) + counted(second)).isEqualTo(1);
    }

    @Test
    void parallelCashoutsArePaidUpToTheLimitOfTheDayAndNoFurther() {
        ENVIRONMENT.set(Guards.ofDay(tenant, 100_000));
        awaitCounted();

        List<Transaction> cashouts =
                IntStream.range(0, 200).mapToObj(i -> cashout(1000)).toList();
        cashouts.forEach(ENVIRONMENT::stored);
        cashouts.forEach(cashout -> ENVIRONMENT.send(process(cashout)));
        // redelivered
        cashouts.forEach(cashout -> ENVIRONMENT.send(process(cashout)));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(cashouts)
                .extracting(cashout -> ENVIRONMENT.read(cashout.id()).status())
                .containsOnly(Status.PAID, Status.DENIED));
        cashouts.forEach(cashout -> ENVIRONMENT.send(process(cashout)));

        List<Transaction> ended =
                cashouts.stream().map(cashout -> ENVIRONMENT.read(cashout.id())).toList();
        assertThat(ended).filteredOn(cashout -> cashout.status() == Status.PAID).hasSize(100);
        assertThat(ended)
                .filteredOn(cashout -> cashout.status() == Status.DENIED)
                .extracting(cashout -> cashout.history().denialReason())
                .containsOnly("limit_day");
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(100_000));
    }

    @Test
    void whatTheRailDeniesIsFree() {
        ENVIRONMENT.set(Guards.ofDay(tenant, 1_012));
        awaitCounted();

        for (int i = 0; i < 3; i++) {
            assertDenied(sent(cashout(1012)), "rejected_by_rail");
        }

        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(0));
        ENVIRONMENT.awaitAnnounced(sent(cashout(1000)), "1 pending", "2 in_process", "3 paid");
        assertDenied(sent(cashout(1000)), "limit_day");
    }

    /** The processor dies between the reservation and the store of the decision, and the command comes again. */
    @Test
    void aReservationThatWasMadeBeforeACrashIsFoundAgain() {
        ENVIRONMENT.set(Guards.ofDay(tenant, 1_000));
        awaitCounted();
        Transaction cashout = ENVIRONMENT.stored(cashout(1000));
        guard().reserve(List.of(cashout)).block(TIMEOUT);
        assertDenied(sent(cashout(1000)), "limit_day");

        ENVIRONMENT.send(process(cashout));

        ENVIRONMENT.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(1_000));
    }

    @Test
    void cashoutsFromBeforeTheLimitCount() {
        ENVIRONMENT.awaitAnnounced(sent(cashout(1000)), "1 pending", "2 in_process", "3 paid");
        ENVIRONMENT.set(Guards.ofDay(tenant, 1_999));
        awaitCounted();

        assertDenied(sent(cashout(1000)), "limit_day");
        ENVIRONMENT.awaitAnnounced(sent(cashout(999)), "1 pending", "2 in_process", "3 paid");
    }

    /** It ends at a processor that does not know the limit yet, or while the first count still runs. */
    @Test
    void aCashoutThatEndsUnnoticedAfterTheFirstCountKeepsNoReservation() {
        Transaction underWay =
                ENVIRONMENT.stored(cashout(1000).moveTo(Status.IN_PROCESS, Instant.now(), Source.SYSTEM));
        ENVIRONMENT.set(Guards.ofDay(tenant, 5_000));
        awaitCounted();
        ENVIRONMENT.awaitAnnounced(sent(cashout(1000)), "1 pending", "2 in_process", "3 paid");
        assertThat(ENVIRONMENT.guardTotals(tenant).getList("reserved", Document.class))
                .hasSize(1);

        ENVIRONMENT.replace(underWay.moveTo(Status.DENIED, Instant.now(), Source.RAIL));

        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(1_000));
    }

    /** Another processor may know the guard up to 4 s later, and then has decisions under way. */
    @Test
    void aNewLimitCountsWhatIsDecidedByTheSettingsBeforeIt() {
        Instant setAt = Instant.now();
        ENVIRONMENT.set(Guards.since(setAt, Guards.ofDay(tenant, 1_999)));
        awaitCounted();
        Transaction waiting = sent(cashout(1000));

        ENVIRONMENT.stored(cashout(1000).moveTo(Status.IN_PROCESS, Instant.now(), Source.SYSTEM));

        assertDenied(waiting, "limit_day");
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 denied");
        Instant deniedAt = ENVIRONMENT.read(waiting.id()).history().statusSince();
        assertThat(deniedAt).isBetween(setAt.plusSeconds(10), setAt.plusSeconds(25));
    }

    /** Other processors replace the totals of one merchant all the time. */
    @Test
    void theTotalsOfOneMerchantHoldNoOther() throws InterruptedException {
        ENVIRONMENT.set(Guards.ofDay(tenant, 100_000));
        awaitCounted();
        ENVIRONMENT.awaitAnnounced(sent(cashout(1000)), "1 pending", "2 in_process", "3 paid");
        AtomicBoolean goesOn = new AtomicBoolean(true);
        List<Thread> rivals = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> replaceTotalsWhile(goesOn)))
                .toList();
        rivals.forEach(Thread::start);

        List<Transaction> contended =
                IntStream.range(0, 20).mapToObj(i -> sent(cashout(1000))).toList();
        List<Transaction> others = IntStream.range(0, 20)
                .mapToObj(i -> sent(Transactions.cashout(new Amount(1000))))
                .toList();
        others.forEach(other -> ENVIRONMENT.awaitAnnounced(other, "1 pending", "2 in_process", "3 paid"));
        assertThat(contended)
                .extracting(cashout -> ENVIRONMENT.read(cashout.id()).status())
                .contains(Status.PENDING);

        goesOn.set(false);
        for (Thread rival : rivals) {
            rival.join(TIMEOUT.toMillis());
        }
        contended.forEach(cashout -> ENVIRONMENT.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid"));
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(21_000));
    }

    private void replaceTotalsWhile(AtomicBoolean goesOn) {
        MongoCollection<Document> totals =
                database().getCollection(CollectionNames.GUARD_TOTALS).withWriteConcern(WriteConcern.W1);
        while (goesOn.get()) {
            Mono.from(totals.updateOne(Filters.eq(tenant.key()), Updates.set("revision", UUID.randomUUID())))
                    .block(TIMEOUT);
        }
    }

    @Test
    void onlyACashoutAboveTheAmountWaitsWithItsReservation() {
        Transaction waiting = waiting();
        ENVIRONMENT.awaitAnnounced(sent(cashout(999)), "1 pending", "2 in_process", "3 paid");

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

        ENVIRONMENT.awaitAnnounced(sent(cashout(500)), "1 pending", "2 in_process", "3 paid");
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
        assertThat(movements(waiting)).isOne();
        assertThat(stored(waiting).containsKey(TransactionFields.APPROVAL_SINCE))
                .isFalse();
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(1_500, 0));
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(REJECT, "denied", "not_approved"),
                Arguments.of(new ChangeAction.Cancel(), "canceled", null));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aCashoutThatIsNotApprovedFreesWhatItReserved(ChangeAction action, String status, @Nullable String reason) {
        Transaction waiting = waiting();

        ENVIRONMENT.send(change(waiting, action));
        // the first decision counts
        ENVIRONMENT.send(change(waiting, APPROVE));

        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 " + status);
        assertThat(ENVIRONMENT.events(waiting.id()).get(2).transaction().denialReason())
                .isEqualTo(reason);
        awaitRefused(waiting, "invalid_transition");
        assertThat(movements(waiting)).isZero();
        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(0, 0));
    }

    @Test
    void anApprovedCashoutOfAFrozenMerchantGoesOnWaiting() {
        Transaction waiting = waiting();
        Document frozen = stop(Stop.FROZEN);
        awaitVerdict(GuardVerdict.MERCHANT_FROZEN);

        ENVIRONMENT.send(change(waiting, APPROVE));

        awaitRefused(waiting, "merchant_frozen");
        assertThat(movements(waiting)).isZero();

        Mono.from(stops().deleteOne(Filters.eq(frozen.get(Stop.ID)))).block(TIMEOUT);
        awaitVerdict(GuardVerdict.WAITS);
        ENVIRONMENT.send(change(waiting, APPROVE));
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis", "3 in_process", "4 paid");
    }

    @Test
    void aCashoutThatWaitedBeforeItsMerchantHadALimitIsCountedOnce() {
        waiting(Guards.none(tenant), GuardVerdict.APPROVAL_REQUIRED);
        ENVIRONMENT.set(Guards.withApproval(Guards.ofDay(tenant, 10_000), 999));
        awaitVerdict(GuardVerdict.WAITS);

        ENVIRONMENT.awaitAnnounced(sent(cashout(500)), "1 pending", "2 in_process", "3 paid");

        await().atMost(TIMEOUT).untilAsserted(() -> assertTotals(1_500, 1));
    }

    private static double counted(RunningProcessor processor) {
        return processor
                .bean(MeterRegistry.class)
                .counter("ligeiro.guard.denials", "reason", "key_not_allowed")
                .count();
    }

    private Transaction cashout(long cents) {
        return Transactions.like(Transactions.cashout(new Amount(cents)))
                .tenant(tenant)
                .build();
    }

    private static Transaction sent(Transaction transaction) {
        ENVIRONMENT.stored(transaction);
        ENVIRONMENT.send(process(transaction));
        return transaction;
    }

    private static void assertDenied(Transaction cashout, String reason) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(
                        ENVIRONMENT.read(cashout.id()).history().denialReason())
                .isEqualTo(reason));
    }

    /** Waits until both processors count the merchant's cashouts. */
    private void awaitCounted() {
        Transaction cashout = cashout(1000);
        await().atMost(NOTICED_MAX)
                .until(() -> guard().mustLoad(cashout) && guard(second).mustLoad(cashout));
    }

    private void awaitVerdict(GuardVerdict verdict) {
        Transaction cashout = cashout(1000);
        await().atMost(NOTICED_MAX)
                .until(() ->
                        guard().verdict(cashout) == verdict && guard(second).verdict(cashout) == verdict);
    }

    private static GuardCashouts.OfBatch guard() {
        return guard(first);
    }

    private static GuardCashouts.OfBatch guard(RunningProcessor processor) {
        return processor
                .bean(GuardCashouts.class)
                .begin()
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }

    private void assertTotals(long dayCents) {
        assertTotals(dayCents, 0);
    }

    private void assertTotals(long dayCents, int reserved) {
        Document totals = ENVIRONMENT.guardTotals(tenant);
        assertThat(totals.getLong("dayCents")).isEqualTo(dayCents);
        assertThat(totals.getList("reserved", Document.class)).hasSize(reserved);
    }

    /** Stops or freezes the merchant. */
    private Document stop(String kind) {
        Document stop =
                new Document(Stop.ID, kind + tenant.key()).append(Stop.MERCHANT_NUMBER, tenant.merchantNumber());
        Mono.from(stops().insertOne(stop)).block(TIMEOUT);
        return stop;
    }

    private static MongoCollection<Document> stops() {
        return database().getCollection(CollectionNames.STOPS);
    }

    private static MongoDatabase database() {
        return first.bean(MongoDatabase.class);
    }

    /** A cashout that waits for approval at a merchant with a limit of the day. */
    private Transaction waiting() {
        return waiting(Guards.ofDay(tenant, 10_000), GuardVerdict.WAITS);
    }

    /** @param verdict on a cashout above the amount. With totals it waits, because it is not reserved there */
    private Transaction waiting(CashoutGuard guard, GuardVerdict verdict) {
        ENVIRONMENT.set(Guards.withApproval(guard, 999));
        awaitVerdict(verdict);
        Transaction waiting = sent(cashout(1_000));
        ENVIRONMENT.awaitAnnounced(waiting, "1 pending", "2 in_analysis");
        return waiting;
    }

    private static void awaitRefused(Transaction transaction, String code) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(
                        ENVIRONMENT.read(transaction.id()).history().entries())
                .last()
                .isInstanceOfSatisfying(Entry.ChangeRefused.class, refused -> assertThat(refused.code())
                        .isEqualTo(code)));
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
}
