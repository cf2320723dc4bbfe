package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.ResolutionState;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** Decisions of operators, from the confirmed document to the balance. They wait for the next pass together. */
@Order(1)
class ResolutionIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String E2E = "E9999900420260310120%012d";
    private static final AtomicLong NEXT = new AtomicLong(1);

    @RegisterExtension
    static final StartedProcessor PROCESSOR = new StartedProcessor();

    private final TestEnvironment environment = PROCESSOR.environment();
    /** Of this test only. */
    private final Tenant tenant = new Tenant(41_000 + 2 * NEXT.incrementAndGet());

    /** No submission reaches the rail. */
    @BeforeAll
    static void loseSubmissions() {
        faults("LOST_NOT_DONE");
    }

    @AfterAll
    static void answerAgain() {
        faults("GIVEN");
    }

    @ParameterizedTest
    @CsvSource({
        "false, PAID,   applied,          PAID",
        "false, DENIED, applied,          DENIED",
        "true,  DENIED, answered_by_rail, PAID",
    })
    void aCashoutWithoutAnAnswer(boolean isPaid, ResolutionDecision decision, String state, Status status) {
        Transaction cashout = environment.stored(of(Transactions.cashout(new Amount(2_000))));
        environment.send(TestEnvironment.process(cashout));
        environment.awaitAnnounced(cashout, "1 pending", "2 in_process");
        if (isPaid) {
            pay(cashout);
        }
        UUID resolution = confirmed(decision, cashout.id(), null, null);
        awaitEnd(resolution, state);
        Transaction after = environment.read(cashout.id());
        assertThat(after.status()).isEqualTo(status);
        assertThat(after.history().entries()).anyMatch(entry -> resolution.equals(entry.changeId()));
        environment.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 " + status.code());
        awaitBooks(status == Status.PAID ? -(2_000 + 151) : 0);
    }

    /** The rail has the cashout after all. */
    private void pay(Transaction cashout) {
        insert(
                CollectionNames.SIMULATOR_LEDGER,
                new Document("_id", TransactionCodec.binary(cashout.id().value()))
                        .append("kind", "cashout")
                        .append(
                                "transactionId",
                                TransactionCodec.binary(cashout.id().value()))
                        .append("amount", cashout.terms().amount().cents())
                        .append("state", "settled")
                        .append("submissions", 1)
                        .append("firstAt", new Date())
                        .append("lastAt", new Date()));
    }

    @ParameterizedTest
    @CsvSource({"MADE, REFUNDED", "FAILED, FAILED"})
    void aRefundWithoutAnAnswer(ResolutionDecision decision, Refund.State state) {
        Transaction cashin = paidCashin();
        environment.send(TestEnvironment.change(cashin, new ChangeAction.Refund(new Amount(300), null, null)));
        await().atMost(TIMEOUT)
                .until(() -> environment.read(cashin.id()).railCalls().size() == 1);
        RefundId refund =
                environment.read(cashin.id()).history().refunds().get(0).id();

        awaitEnd(confirmed(decision, cashin.id(), refund, null), "applied");

        assertThat(environment.read(cashin.id()).history().refunds())
                .extracting(Refund::state)
                .containsExactly(state);
        awaitBooks(10_011 - 151 - (decision == ResolutionDecision.MADE ? 300 : 0));
    }

    @Test
    void aTransactionThatHasSettledMeanwhileStaysAsItIs() {
        Transaction paid = environment.stored(of(Transactions.cashout(new Amount(2_011)))
                .moveTo(Status.IN_PROCESS, Instant.now(), Source.SYSTEM)
                .moveTo(Status.PAID, Instant.now(), Source.RAIL));
        awaitEnd(confirmed(ResolutionDecision.DENIED, paid.id(), null, null), "answered_by_rail");
        assertThat(environment.read(paid.id()).status()).isEqualTo(Status.PAID);
    }

    @ParameterizedTest
    @CsvSource({"CREDIT, 700", "KEEP, 0"})
    void anUnmatchedPaymentIsBooked(ResolutionDecision decision, long merchant) {
        Transaction canceled = environment.stored(
                of(Transactions.cashin(new Amount(700))).moveTo(Status.CANCELED, Instant.now(), Source.MERCHANT));
        String payment = unmatched(canceled.id(), 700, "paid_after_its_end");

        awaitEnd(
                confirmed(decision, decision == ResolutionDecision.KEEP ? null : canceled.id(), null, payment),
                "applied");

        // a balance of 0 is there before the books have anything
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(balance().get(BalanceFields.FEES))
                .isEqualTo(decision == ResolutionDecision.KEEP ? 700L : null));
        awaitBooks(merchant);
        assertThat(railBalance()).isEqualTo(700);
    }

    /** Money of a refund that the rail had rejected before: it has left. */
    @Test
    void moneyThatHasLeftIsTakenFromTheMerchant() {
        Transaction cashin = paidCashin();
        String payment = unmatched(cashin.id(), 300, "refunded_after_failure");

        awaitEnd(confirmed(ResolutionDecision.CREDIT, cashin.id(), null, payment), "applied");

        awaitBooks(10_011 - 151 - 300);
    }

    /** Nobody has told the books of it before. */
    @Tag("nightly")
    @Test
    void aPaymentOfAnUnknownTransactionPaysACashin() {
        Transaction cashin = environment.stored(of(Transactions.cashin(new Amount(10_000))));
        environment.send(TestEnvironment.process(cashin));
        environment.awaitAnnounced(cashin, "1 pending");
        String payment = unmatched(TransactionId.at(Instant.now()), 10_000, "unknown_transaction");

        UUID resolution = confirmed(ResolutionDecision.ASSIGN, cashin.id(), null, payment);

        awaitEnd(resolution, "applied");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        Transaction paid = environment.read(cashin.id());
        assertThat("simulator/" + paid.endToEndId()).isEqualTo(payment);
        assertThat(paid.history().lastAnnounced())
                .extracting(entry -> ((Entry.StatusChanged) entry).source())
                .isEqualTo(Source.OPERATOR);
        awaitBooks(10_000 - 151);
        assertThat(railBalance()).isEqualTo(10_000);
    }

    @Test
    void aPaymentIsNotAssignedToACashinThatIsPaid() {
        Transaction paid = paidCashin();
        String payment = unmatched(TransactionId.at(Instant.now()), 10_011, "unknown_transaction");

        awaitEnd(confirmed(ResolutionDecision.ASSIGN, paid.id(), null, payment), "outdated");

        awaitBooks(10_011 - 151);
        assertThat(find(CollectionNames.UNMATCHED_PAYMENTS, payment)).doesNotContainKey("resolved");
    }

    /** As a processor leaves it that is killed when the record of the payment says what becomes of it. */
    @Test
    void aDecisionThatWasBegunIsEnded() {
        Transaction canceled = environment.stored(
                of(Transactions.cashin(new Amount(700))).moveTo(Status.CANCELED, Instant.now(), Source.MERCHANT));
        String payment = unmatched(canceled.id(), 700, "paid_after_its_end");
        UUID id = UUID.randomUUID();
        Document resolved = new Document("resolution", TransactionCodec.binary(id))
                .append("decision", "credit")
                .append("tenant", tenant.key())
                .append("transactionId", TransactionCodec.binary(canceled.id().value()))
                .append("at", new Date());
        Mono.from(environment
                        .database()
                        .getCollection(CollectionNames.UNMATCHED_PAYMENTS)
                        .updateOne(
                                new Document("_id", payment), new Document("$set", new Document("resolved", resolved))))
                .block(TIMEOUT);

        insert(id, ResolutionDecision.CREDIT, canceled.id(), null, payment);

        awaitEnd(id, "applied");
        awaitBooks(700);
        UUID second = confirmed(ResolutionDecision.KEEP, null, null, payment);
        awaitEnd(second, "outdated");
        awaitBooks(700);
    }

    /** What becomes of the answers to submissions. */
    private static void faults(String answers) {
        PROCESSOR
                .running()
                .api()
                .post("/actuator/simulator", "{\"answers\":\"" + answers + "\"}")
                .expect(200);
    }

    private Transaction paidCashin() {
        Transaction cashin = environment.stored(of(Transactions.cashin(new Amount(10_011))));
        environment.send(TestEnvironment.process(cashin));
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        return cashin;
    }

    private Transaction of(Transaction transaction) {
        return Transactions.like(transaction).tenant(tenant).build();
    }

    private String unmatched(TransactionId named, long cents, String reason) {
        String endToEndId = E2E.formatted(NEXT.incrementAndGet());
        String id = "simulator/" + endToEndId;
        insert(
                CollectionNames.UNMATCHED_PAYMENTS,
                new Document("_id", id)
                        .append("rail", "simulator")
                        .append("endToEndId", endToEndId)
                        .append("transactionId", TransactionCodec.binary(named.value()))
                        .append("amount", cents)
                        .append("reason", reason)
                        .append("at", new Date()));
        return id;
    }

    /** As a gateway stores what operators have confirmed. */
    private UUID confirmed(
            ResolutionDecision decision,
            @Nullable TransactionId transaction,
            @Nullable RefundId refund,
            @Nullable String payment) {
        UUID id = UUID.randomUUID();
        insert(id, decision, transaction, refund, payment);
        return id;
    }

    private void insert(
            UUID id,
            ResolutionDecision decision,
            @Nullable TransactionId transaction,
            @Nullable RefundId refund,
            @Nullable String payment) {
        Document document = new Document("_id", TransactionCodec.binary(id))
                .append("open", id.toString())
                .append("state", ResolutionState.CONFIRMED.code())
                .append("decidedBy", "bia")
                .append("decision", decision.code())
                .append("tenant", tenant.key());
        if (transaction != null) {
            document.append("transactionId", TransactionCodec.binary(transaction.value()));
        }
        if (refund != null) {
            document.append("refund", TransactionCodec.binary(refund.value()));
        }
        if (payment != null) {
            document.append("unmatchedPayment", payment);
        }
        if (decision == ResolutionDecision.PAID) {
            document.append("endToEndId", E2E.formatted(7)).append("paidAt", new Date());
        }
        insert(CollectionNames.RESOLUTIONS, document);
    }

    private void insert(String collection, Document document) {
        Mono.from(environment.database().getCollection(collection).insertOne(document))
                .block(TIMEOUT);
    }

    private void awaitEnd(UUID resolution, String state) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(find(CollectionNames.RESOLUTIONS, TransactionCodec.binary(resolution)))
                        .containsEntry("state", state)
                        .doesNotContainKey("open"));
    }

    /** The books add up, and nothing is unmatched or in flight. */
    private void awaitBooks(long merchant) {
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(cents(BalanceFields.MERCHANT)).isEqualTo(merchant);
            assertThat(cents(BalanceFields.UNMATCHED)).isZero();
            assertThat(cents(BalanceFields.OUT_IN_FLIGHT)).isZero();
            assertThat(cents(BalanceFields.REFUND_IN_FLIGHT)).isZero();
            assertThat(railBalance()).isEqualTo(merchant + cents(BalanceFields.FEES));
        });
    }

    private long cents(String account) {
        return balance().get(account, 0L);
    }

    private long railBalance() {
        return balance().get(BalanceFields.RAIL, new Document()).get("simulator", 0L);
    }

    private Document balance() {
        return environment.balance(tenant);
    }

    private Document find(String collection, Object id) {
        return Mono.from(environment.database().getCollection(collection).find(new Document("_id", id)))
                .blockOptional(TIMEOUT)
                .orElse(new Document());
    }
}
