package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.TestDatabase;
import dev.ligeiro.processor.apply.BatchStores;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.processor.rail.BankRails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankLists;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.support.mongo.LeaseStore;
import dev.ligeiro.testing.log.CapturedLogs;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A bank with payments of which it has told nothing. */
class CatchUpIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** In so many passes each of the 72 hours has its look; a pass that reads an hour looks at fewer. */
    private static final int ROUND = 25;

    private final TestDatabase stored = new TestDatabase();
    private final MongoDatabase database = stored.database();
    private final UnmatchedPaymentStore unmatched = BatchStores.unmatched(database);
    private final RunningBank bank = new RunningBank(settings -> settings);
    private final TestClock clock = TestClock.ticking();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final BankRails rails = BankRails.of(bank, meters, clock);
    private final List<RailNotice> notices = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<String> published = new CopyOnWriteArrayList<>();
    private final BankLists lists = new BankLists(rails.rails());
    private final ReportPayments reports =
            new ReportPayments(BatchStores.transactions(database), unmatched, this::publish);
    private volatile boolean kafkaIsAway;
    private CatchUp catchUp = processor();

    @BeforeEach
    void createIndexes() {
        stored.createIndexesOfDueWork();
    }

    @AfterEach
    void close() {
        bank.close();
        stored.close();
    }

    @Test
    void whatTheBankHasNotToldForDaysIsFoundTheLatestFirst() {
        String old = paid(Duration.ofHours(70));
        String young = paid(Duration.ofHours(3));
        String now = paid(Duration.ofMinutes(3));
        String tooOld = paid(Duration.ofHours(75));
        pass(ROUND);

        assertThat(published).containsExactly(now, young, old).doesNotContain(tooOld);
        // the hour of each is read once
        assertThat(calls("payments")).isEqualTo(ROUND + 2);
    }

    /** With the fault, each pass published all payments of the half hour again. */
    @Test
    void whatIsStoredIsNotPublishedAgain() {
        Transaction cashin = LiveTransactions.of(Transactions.cashin(new Amount(10_00)));
        String txid = charge(cashin);
        String first = payCharge(txid);
        String second = payCharge(txid);
        String nobodys = paid(Duration.ofMinutes(3));
        // a pass ends with the second before
        clock.move(Duration.ofSeconds(2));
        pass(1);
        assertThat(published).containsExactlyInAnyOrder(first, second, nobodys);

        // as the processors do
        Settlement settlement = new Settlement(first, Instant.now());
        stored.insert(List.of(cashin.accept()
                .with(new Entry.StatusChanged(Status.PAID, settlement.at(), Source.RAIL, null, settlement, null))));
        notices.stream().filter(notice -> !notice.endToEndId().equals(first)).forEach(notice -> unmatched
                .record(List.of(new UnmatchedPayment(
                        "bank",
                        notice.endToEndId(),
                        notice.transactionId(),
                        notice.amount(),
                        UnmatchedPayment.Reason.PAID_TWICE,
                        Instant.now())))
                .block(TIMEOUT));
        notices.clear();
        pass(1);
        assertThat(notices).isEmpty();

        refund(first);
        await().atMost(TIMEOUT).untilAsserted(() -> {
            pass(1);
            assertThat(notices).extracting(RailNotice::endToEndId).containsOnly(first);
        });
    }

    /** With the fault, an hour was read again only if the bank's number of payments had changed. */
    @Test
    void anHourIsReadAgainOnlyIfItHasAnotherNumberOfPaymentsOrATransactionWithoutOutcome() {
        String first = paid(Duration.ofHours(3));
        hours(ROUND + 1);
        assertThat(published).containsExactly(first);
        double read = calls("payments");
        double counted = calls("payments_count");
        // also after a restart
        hours(ROUND);
        assertThat(calls("payments_count") - counted).isEqualTo(3 * ROUND);
        assertThat(calls("payments")).isEqualTo(read);

        String datedBack = paid(Duration.ofHours(3));
        hours(ROUND);
        assertThat(published).containsExactly(first, datedBack);
        assertThat(calls("payments") - read).isEqualTo(1);

        Instant since = Instant.now().minus(Duration.ofHours(3));
        Transaction cashin = LiveTransactions.of(Transactions.cashin(TransactionId.at(since), new Amount(10_00)));
        stored.insert(List.of(cashin.accept().with(RailCall.first(null, since, Instant.now()))));
        hours(ROUND);
        assertThat(calls("payments") - read).isGreaterThan(1);
    }

    /** With the fault, the lease of a killed processor lasted for 10 minutes, and a pass began only every 5 minutes. */
    @Test
    void aKilledProcessorIsReplacedAtOnce() {
        CatchUp killed = processor();
        CatchUp next = processor();
        killed.run().block(TIMEOUT);
        next.run().block(TIMEOUT);
        killed.run().block(TIMEOUT);
        assertThat(calls("payments")).isEqualTo(1);

        clock.move(Duration.ofSeconds(31));
        next.run().block(TIMEOUT);
        assertThat(calls("payments")).isEqualTo(2);
        clock.move(Duration.ofMinutes(5));
        next.run().block(TIMEOUT);
        assertThat(calls("payments")).isEqualTo(3);
    }

    /** With the fault, an answer that is no JSON was a list without payments. */
    @Test
    void aFailedPassIsRepeatedAtTheNextCheck() {
        String payment = paid(Duration.ofMinutes(3));
        bank.faults(1, "broken_json");
        assertThatThrownBy(() -> catchUp.run().block(TIMEOUT)).hasMessageContaining("without JSON");
        bank.noFaults();

        catchUp.run().block(TIMEOUT);
        assertThat(published).containsExactly(payment);
        assertThat(catchUp.pause()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    /** It was away for longer than the 30 minutes. */
    @Test
    void anHourIsReadAgainUntilKafkaHasTakenIt() {
        String lost = paid(Duration.ofHours(3));
        kafkaIsAway = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> pass(1)).hasMessageContaining("Kafka");
        }
        kafkaIsAway = false;
        pass(1);

        assertThat(published).containsExactly(lost);
    }

    /** Its 8 payments have 100 refunds each. With the fault, such a page stopped catch-up, and all later pages with it. */
    @Test
    @Tag("nightly")
    void aPageThatIsTooLargeIsReadInSmallerOnes() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String payment = paid(Duration.ofMinutes(3));
            all.add(payment);
            for (int refund = 0; refund < 100; refund++) {
                refund(payment);
            }
        }
        pass(1);

        assertThat(published).containsExactlyInAnyOrderElementsOf(all);
        assertThat(calls("payments")).as("256, 64, 16 and twice 4").isEqualTo(5);
    }

    @Test
    void aListThatPromisesPagesWithoutEndEndsAtAnEmptyOne() {
        String payment = paid(Duration.ofMinutes(3));
        bank.faults(1, "many_pages");
        pass(1);

        assertThat(published).containsExactly(payment);
        assertThat(calls("payments")).isEqualTo(2);
    }

    /** With the fault, it ended silently after the last page that was permitted. */
    @Test
    void aListThatIsTooLongIsAFailure() {
        paid(Duration.ofMinutes(3));
        bank.faults(1, "many_pages");

        assertThatThrownBy(() -> new BankLists(rails.rails(), 1)
                        .received("payments", latest(), BankLists.ALL)
                        .blockLast(TIMEOUT))
                .hasMessageStartingWith("pages: more (expected: <= 1 from ");
    }

    /** With the fault, a refund of a payment older than 72 hours whose notice was lost was never found. */
    @Test
    void aRefundOfAnOldPaymentIsFoundOnceADay() {
        String old = paidCharge(Duration.ofDays(4));
        String refunded = paidCharge(Duration.ofDays(89));
        refund(refunded);
        returned(45);
        assertThat(published).isEmpty();
        returned(45);
        assertThat(published).containsExactly(refunded);
        assertThat(calls("payments_returned")).isEqualTo(90);
        assertThat(calls("sent_returned")).isEqualTo(90);

        refund(old);
        returned(10);
        assertThat(calls("payments_returned"))
                .as("the next day is not there yet")
                .isEqualTo(90);
        clock.move(Duration.ofDays(1));
        returned(6);
        assertThat(published).containsExactly(refunded, old);
    }

    /** With the fault, two operators had to end each refunded payment of 90 days that Ligeiro had nothing to do with. */
    @Test
    void aRefundOfAnOldPaymentWithoutAnIdOfOursCountsOnlyIfItIsRecorded() {
        String foreign = paid(Duration.ofDays(4));
        String recorded = paid(Duration.ofDays(5));
        unmatched
                .record(List.of(new UnmatchedPayment(
                        "bank",
                        recorded,
                        Transactions.cashin(new Amount(7_00)).id(),
                        new Amount(7_00),
                        UnmatchedPayment.Reason.UNKNOWN_TRANSACTION,
                        Instant.now())))
                .block(TIMEOUT);
        refund(foreign);
        refund(recorded);
        awaitRefunded(recorded);
        returned(6);

        assertThat(published).isEmpty();
        assertThat(unmatched.withReportedReturns(10).collectList().block(TIMEOUT))
                .extracting(payment -> payment.payment().endToEndId())
                .containsExactly(recorded);
    }

    /** Such as one that the bank does not keep any more. With the fault, no older day was read. */
    @Test
    void aDayThatFailsKeepsNoOlderOneFromBeingReadAndIsReadInTheNextRound() {
        String refunded = paidCharge(Duration.ofHours(12));
        String older = paidCharge(Duration.ofHours(36));
        refund(refunded);
        refund(older);
        try (CapturedLogs logs = new CapturedLogs()) {
            bank.faults(1, "broken_json");
            returned(1);
            bank.noFaults();
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("returned_unread"))
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .contains("rail=\"bank\"", "cause=\"status: 200 without JSON\"");
        }
        returned(1);
        assertThat(published).containsExactly(older);

        clock.move(Duration.ofDays(1));
        returned(3);
        assertThat(published).containsExactly(older, refunded);
    }

    @Test
    void aDayIsReadAgainUntilKafkaHasTakenIt() {
        String refunded = paidCharge(Duration.ofHours(12));
        refund(refunded);
        kafkaIsAway = true;
        assertThatThrownBy(() -> returned(1)).hasMessageContaining("Kafka");
        kafkaIsAway = false;
        returned(1);

        assertThat(published).containsExactly(refunded);
    }

    @Test
    void theHoursMoveOnWithTheClock() {
        String later = paid(Duration.ofMinutes(3));
        pass(ROUND);
        assertThat(published).containsExactly(later);

        published.clear();
        clock.move(Duration.ofHours(2));
        catchUp = processor();
        pass(1);
        assertThat(published).containsExactly(later);
    }

    private CatchUp processor() {
        return new CatchUp(
                rails.live(),
                lists,
                reports,
                older(),
                new LeaseStore(database),
                Settings.of(NoticeProperties.class),
                meters,
                clock);
    }

    private CheckOlderPayments older() {
        return new CheckOlderPayments(
                lists,
                reports,
                BatchStores.transactions(database),
                new LeaseStore(database),
                Settings.of(NoticeProperties.class),
                Duration.ZERO,
                clock);
    }

    private Mono<Void> publish(RailNotice notice) {
        return kafkaIsAway
                ? Mono.error(new IllegalStateException("Kafka is away"))
                : Mono.fromRunnable(() -> {
                    notices.add(notice);
                    published.addIfAbsent(notice.endToEndId());
                });
    }

    private void pass(int times) {
        for (int i = 0; i < times; i++) {
            catchUp.pass(account()).block(TIMEOUT);
        }
    }

    /** Looks at the next older hours, each time by another processor. */
    private void hours(int times) {
        for (int i = 0; i < times; i++) {
            older().hours(latest()).block(TIMEOUT);
        }
    }

    private BankLists.Span latest() {
        Instant now = clock.instant();
        return new BankLists.Span(account(), now.minus(Duration.ofMinutes(30)), now);
    }

    /** Reads the next days that have refunds, each one by another processor. */
    private void returned(int days) {
        for (int i = 0; i < days; i++) {
            older().returned(account()).block(TIMEOUT);
        }
    }

    private BankAccount account() {
        return Objects.requireNonNull(rails.live().accounts().get("bank"));
    }

    private void refund(String payment) {
        bank.post(
                "POST",
                "/payer/refund",
                "{\"e2e_id\":\"%s\",\"amount\":\"0.01\",\"nature\":\"ORIGINAL\"}".formatted(payment));
    }

    /** The bank makes a refund half a second after it has taken it, one after another. */
    private void awaitRefunded(String payment) {
        await().atMost(TIMEOUT).until(() -> bank.post("GET", "/ledger", "")
                .path("entries")
                .valueStream()
                .anyMatch(entry -> entry.path("e2e_id").asString().equals(payment)
                        && !entry.path("direction").asString().equals("in")));
    }

    private String payCharge(String txid) {
        return bank.post("POST", "/payer/pay", "{\"txid\":\"%s\",\"anyway\":true}".formatted(txid))
                .path("e2e_id")
                .asString();
    }

    private String charge(Transaction cashin) {
        String txid = RunningBank.txid(cashin);
        bank.account(clock)
                .put(
                        "charge",
                        "/v2/cob/" + txid,
                        Map.of(
                                "calendario", Map.of("expiracao", 3600),
                                "valor", Map.of("original", "10.00"),
                                "chave", bank.bank.pixKey()))
                .block(TIMEOUT);
        return txid;
    }

    /** A payment with an id of ours. */
    private String paidCharge(Duration ago) {
        String txid = charge(LiveTransactions.of(Transactions.cashin(new Amount(10_00))));
        return bank.post(
                        "POST",
                        "/payer/pay",
                        "{\"txid\":\"%s\",\"at\":\"%s\"}"
                                .formatted(txid, Instant.now().minus(ago)))
                .path("e2e_id")
                .asString();
    }

    /** A payment without a charge, of which the bank gives no notice. */
    private String paid(Duration ago) {
        return bank.post(
                        "POST",
                        "/payer/pay",
                        "{\"key\":\"%s\",\"amount\":\"7.00\",\"at\":\"%s\"}"
                                .formatted(bank.bank.pixKey(), Instant.now().minus(ago)))
                .path("e2e_id")
                .asString();
    }

    private double calls(String request) {
        return meters.find("ligeiro.rail.requests").tag("request", request).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
