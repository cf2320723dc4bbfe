package dev.ligeiro.processor.rail.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.rail.BankRails;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** What the answers of a bank mean, on real sockets: each row of the table of outcomes, and faults of every kind. */
@Execution(ExecutionMode.SAME_THREAD)
class BankRailsIT {

    private static RunningBank bank;
    private static PaymentRail rail;

    @BeforeAll
    static void startBank() {
        bank = new RunningBank(
                settings -> settings.settlesAfter(Duration.ofMillis(50)).delayMax(Duration.ofSeconds(3)));

        rail = rail();
    }

    @AfterAll
    static void stopBank() {
        bank.close();
    }

    @AfterEach
    void noFaults() {
        bank.noFaults();
    }

    @Test
    void aPaidChargeIsSettledWithTheBanksIdAndTime() {
        Transaction cashin = cashin();
        assertThat(outcome(rail.inquire(cashin))).isEqualTo("not_found");
        assertThat(outcome(rail.submit(cashin))).isEqualTo("pending");
        assertThat(outcome(rail.inquire(cashin))).isEqualTo("pending");

        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();

        RailOutcome settled = rail.inquire(cashin).join();
        assertThat(settlement(settled).endToEndId()).matches("E\\d{8}\\d{12}\\w{11}");
        assertThat(settlement(settled).at()).isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(((RailOutcome.Settled) settled).returned()).isEmpty();
    }

    @Test
    void paymentsThatTheChargeDoesNotExplainAreNamed() {
        Transaction cashin = registered();
        String txid = RunningBank.txid(cashin);
        bank.pay(txid, "\"amount\":\"9.99\"", "\"anyway\":true");

        RailOutcome.Surplus other = (RailOutcome.Surplus) rail.inquire(cashin).join();
        assertThat(other.outcome()).isEqualTo(new RailOutcome.Pending());
        assertThat(other.payments()).extracting(RailOutcome.Payment::amount).containsExactly(new Amount(999));

        bank.pay(txid, "\"anyway\":true");
        bank.pay(txid, "\"anyway\":true");
        RailOutcome.Surplus twice = (RailOutcome.Surplus) rail.inquire(cashin).join();
        assertThat(twice.outcome()).isInstanceOf(RailOutcome.Settled.class);
        assertThat(twice.payments())
                .extracting(RailOutcome.Payment::amount)
                .containsExactlyInAnyOrder(new Amount(999), new Amount(1000));
    }

    /** After more payments the settled one stays the same, whatever the order of their times. */
    @Test
    void theKnownPaymentStaysTheSettledOne() {
        Transaction cashin = registered();
        String txid = RunningBank.txid(cashin);
        bank.pay(txid);
        Transaction paid = paid(cashin);
        bank.pay(txid, "\"anyway\":true", "\"at\":\"" + Instant.now().minusSeconds(600) + "\"");

        RailOutcome.Surplus surplus = (RailOutcome.Surplus) rail.inquire(paid).join();

        assertThat(settlement(surplus.outcome()).endToEndId()).isEqualTo(paid.endToEndId());
    }

    /** With the fault, its charge was asked only, which knows nothing of the payment. */
    @Test
    void aPaymentThatOperatorsHaveAssignedIsAskedAboutWithTheOthers() {
        Transaction other = paidCashin();
        bank.post(
                "POST",
                "/payer/refund",
                "{\"e2e_id\":\"%s\",\"amount\":\"2.00\",\"nature\":\"MED_FRAUDE\"}".formatted(other.endToEndId()));
        Transaction assigned = registered()
                .with(new Entry.StatusChanged(
                        Status.PAID,
                        Instant.now(),
                        Source.OPERATOR,
                        null,
                        new Settlement(other.endToEndId(), Instant.now()),
                        null));
        await().until(() -> rail.inquire(assigned).join() instanceof RailOutcome.Settled settled
                && settled.returned().size() == 1);
        assertThat(settlement(rail.inquire(assigned).join()).endToEndId()).isEqualTo(other.endToEndId());

        bank.pay(RunningBank.txid(assigned));

        RailOutcome.Surplus surplus =
                (RailOutcome.Surplus) rail.inquire(assigned).join();
        assertThat(settlement(surplus.outcome()).endToEndId()).isEqualTo(other.endToEndId());
        assertThat(surplus.payments()).hasSize(1);
    }

    /** With the fault, it was taken for a payment by another, which may be refunded at once. */
    @Test
    void aPaymentThatTheBanksListsLearnOfMeanwhileIsThatOfItsPayer() {
        BankAccount account = new BankAccount("bank", bank.properties(), bank.bundles, bank.meters, Clock.systemUTC()) {

            private boolean knows;

            @Override
            public Mono<BankAnswer> get(String what, String path, Map<String, String> query) {
                boolean isTooEarly = query.containsKey("cpf") && !knows;
                knows |= isTooEarly;
                Map<String, String> of = new HashMap<>(query);
                if (isTooEarly) {
                    of.put("cpf", "11144477735");
                }
                return super.get(what, path, of);
            }
        };
        Transaction own = registered();
        bank.pay(RunningBank.txid(own), "\"document\":\"" + own.terms().payer().document() + "\"");
        Transaction others = registered();
        bank.pay(RunningBank.txid(others), "\"document\":\"11144477735\"");

        assertThat(matches(rail(account), own)).isTrue();
        assertThat(matches(rail(account), others)).isFalse();
    }

    /** With the fault, no mismatch was found when that second had more payments than a page of the list. */
    @Test
    void aPaymentByAnotherIsSeenAmongHundredsOfTheSameSecond() {
        Instant at = Instant.now().minusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
        Transaction cashin = registered();
        bank.pay(RunningBank.txid(cashin), "\"document\":\"11144477735\"", "\"at\":\"" + at.plusMillis(900) + "\"");
        String earlier = "{\"key\":\"%s\",\"amount\":\"1.00\",\"at\":\"%s\"}".formatted(bank.bank.pixKey(), at);
        for (int i = 0; i < 257; i++) {
            bank.post("POST", "/payer/pay", earlier);
        }

        assertThat(matches(rail, cashin)).isFalse();
    }

    private static @Nullable Boolean matches(PaymentRail asked, Transaction cashin) {
        Instant now = Instant.now();
        Transaction checked = cashin.with(RailCall.first(null, now, now).checkingPayer(now));
        return ((RailOutcome.Settled) asked.inquire(checked).join()).payerMatches();
    }

    @Test
    void aChargeThatTheBankRemovesIsRejected() {
        Transaction cashin = registered();
        bank.post("POST", "/bank/remove", "{\"txid\":\"" + RunningBank.txid(cashin) + "\"}");

        assertThat(rail.inquire(cashin).join()).isEqualTo(new RailOutcome.Rejected("provider_removed"));
    }

    @Test
    void aCancelRemovesTheChargeUnlessThePayerWasFirst() {
        Transaction canceled = registered();
        assertThat(rail.cancel(canceled).join()).isEqualTo(new RailOutcome.Rejected("provider_removed"));
        assertThat(bank.pay(RunningBank.txid(canceled))).isFalse();
        assertThat(rail.cancel(canceled).join()).isEqualTo(new RailOutcome.Rejected("provider_removed"));

        Transaction paid = registered();
        bank.pay(RunningBank.txid(paid));
        assertThat(outcome(rail.cancel(paid))).isEqualTo("settled");
        assertThat(outcome(rail.cancel(cashin()))).isEqualTo("not_found");
    }

    @ParameterizedTest
    @CsvSource({"990400", "990409", "990422"})
    void aRefusedChargeIsRejectedWithTheBanksReason(long cents) {
        assertThat(rail.submit(cashin(cents)).join()).isEqualTo(new RailOutcome.Rejected("valor_invalido"));
    }

    @Test
    void aChargeThatMayBeRegisteredIsNotRegisteredAgain() {
        Transaction cashin = registered();
        bank.pay(RunningBank.txid(cashin));
        Transaction again =
                cashin.with(RailCall.first(null, Instant.now(), Instant.now()).takenOver(Instant.now(), Instant.now()));

        assertThat(outcome(rail.submit(again))).isEqualTo("settled");
    }

    @Test
    void refundsAreMadeOrFailWithTheBanksReason() {
        Transaction paid = paidCashin();
        Refund made = refund(100);
        assertThat(outcome(rail.inquireRefund(paid, made))).isEqualTo("not_found");
        assertThat(outcome(rail.refund(paid, made))).isEqualTo("pending");
        await().until(() -> rail.inquireRefund(paid, made).join().equals(RailOutcome.Settled.asAgreed()));
        // the same once more: found, not made again
        assertThat(outcome(rail.refund(paid, made))).isEqualTo("settled");

        Refund tooMuch = refund(1000);
        assertThat(outcome(rail.refund(paid, tooMuch))).isEqualTo("rejected");

        Transaction large = paidCashin(2000);
        Refund fails = refund(1313);
        rail.refund(large, fails).join();
        await().until(() -> outcome(rail.inquireRefund(large, fails)).equals("rejected"));
        assertThat(bank.moved(made.id().value())).isEqualTo(1);
        assertThat(bank.moved(tooMuch.id().value())).isZero();
        assertThat(bank.moved(fails.id().value())).isZero();
    }

    @Test
    void refundsThatNobodyHereAskedForAreNamed() {
        Transaction paid = paidCashin();
        bank.post(
                "POST",
                "/payer/refund",
                "{\"e2e_id\":\"%s\",\"amount\":\"4.00\",\"nature\":\"MED_FRAUDE\"}".formatted(paid.endToEndId()));

        await().untilAsserted(() -> assertThat(
                        ((RailOutcome.Settled) rail.inquire(paid).join()).returned())
                .extracting(RailOutcome.Returned::amount)
                .containsExactly(new Amount(400)));
    }

    @Test
    void aCashoutIsPaidWithTheBanksId() {
        Transaction cashout = cashout("maria@example.com");
        assertThat(outcome(rail.inquire(cashout))).isEqualTo("not_found");
        assertThat(outcome(rail.submit(cashout))).isEqualTo("pending");
        await().until(() -> outcome(rail.inquire(cashout)).equals("settled"));

        // the bank refuses the id, and is asked what became of it
        assertThat(outcome(rail.submit(cashout))).isEqualTo("settled");
        assertThat(bank.moved(cashout.id().value())).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        // receiver, outcome at once, outcome in the end
        "denied@bank.example,      pagamento_negado,                not_found",
        "no-balance@bank.example,  saldo_insuficiente,              not_found",
        "unknown@bank.example,     chave_favorecido_nao_encontrada, not_found",
        "fails@bank.example,       ,                                rejected",
        "release@bank.example,     ,                                pending",
        // the payer's document is not sent as the receiver's
        "other-owner@bank.example, ,                                settled",
    })
    void aCashoutToASpecialReceiver(String key, String rejection, String end) {
        Transaction cashout = cashout(key);
        RailOutcome first = rail.submit(cashout).join();

        assertThat(first)
                .isEqualTo(rejection == null ? new RailOutcome.Pending() : new RailOutcome.Rejected(rejection));
        await().until(() -> outcome(rail.inquire(cashout)).equals(end));
        assertThat(bank.moved(cashout.id().value())).isEqualTo(end.equals("settled") ? 1 : 0);
    }

    @Test
    void theReceiversDocumentIsSentForATenantWhoseCashoutsHaveIt() {
        Transaction stranger = cashout("other-owner@bank.example");
        BankAccount account = bank.account(
                Clock.systemUTC(), "receiver-document-of=1," + stranger.tenant().key());
        PaymentRail checked = new EfiRail(account, Clock.systemUTC());

        assertThat(checked.submit(stranger).join())
                .isEqualTo(new RailOutcome.Rejected("chave_nao_pertence_ao_documento"));
        assertThat(accepted(checked.submit(cashout("maria@example.com")))).isEqualTo("accepted");
    }

    @ParameterizedTest
    @CsvSource({
        // fault, outcome of a submission, times that the money has moved
        "lost_before,     failed,      0",
        "lost_after,      failed,      1",
        "error_before,    failed,      0",
        "error_after,     failed,      1",
        "busy,            not_started, 0",
        "expired_token,   not_started, 0",
        "repeated, accepted, 1",
        "broken_json,     failed,      1",
        "huge_answer,     failed,      1",
        "unknown_status,  failed,      1",
        "number_amount,   failed,      1",
        "other_id,        failed,      1",
    })
    void aFaultNeverMovesMoneyTwiceAndIsFoundOut(String fault, String submitted, int moved) {
        Transaction cashout = cashout("maria@example.com");
        Transaction paid = paidCashin();
        Refund refund = refund(100);
        bank.faults(1, fault);
        assertThat(accepted(rail.submit(cashout))).isEqualTo(submitted);
        assertThat(accepted(rail.refund(paid, refund))).isEqualTo(submitted);
        bank.noFaults();

        String known = moved == 1 ? "settled" : "not_found";
        await().ignoreExceptions().until(() -> outcome(rail.inquire(cashout)).equals(known));
        await().until(() -> outcome(rail.inquireRefund(paid, refund)).equals(known));
        assertThat(bank.moved(cashout.id().value())).isEqualTo(moved);
        assertThat(bank.moved(refund.id().value())).isEqualTo(moved);

        rail.submit(cashout).join();
        rail.refund(paid, refund).join();
        await().until(() -> outcome(rail.inquire(cashout)).equals("settled"));
        await().until(() -> outcome(rail.inquireRefund(paid, refund)).equals("settled"));
        assertThat(bank.moved(cashout.id().value())).isEqualTo(1);
        assertThat(bank.moved(refund.id().value())).isEqualTo(1);
    }

    /** With the fault, its outcome was unknown, and the next submission came four minutes later. */
    @ParameterizedTest
    @ValueSource(strings = {"lost_before", "error_before", "busy", "slow"})
    void aSubmissionWithoutATokenIsNotStarted(String fault) {
        Rails rails = BankRails.of(bank, new SimpleMeterRegistry(), Clock.systemUTC(), "call-timeout=100ms")
                .rails();
        Transaction cashout = cashout("maria@example.com");
        bank.faults(1, fault);

        assertThat(outcome(rails.ask(new RailRequest(RailCallKind.SUBMIT, null, 1, 1), cashout)))
                .isEqualTo("not_started");
        assertThat(outcome(rails.ask(new RailRequest(RailCallKind.INQUIRE, null, 1, 1), cashout)))
                .isEqualTo("unknown");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lost_before",
                "error_before",
                "error_after",
                "broken_json",
                "huge_answer",
                "unknown_status",
                "number_amount",
                "other_id",
                "time_without_zone"
            })
    void anAnswerToAnInquiryThatSaysNothingIsAFault(String fault) {
        // of a paid charge only the payments count
        Transaction cashin = fault.equals("unknown_status") ? registered() : paidCashin();
        bank.faults(1, fault);

        assertThat(outcome(rail.inquire(cashin))).isEqualTo("failed");
    }

    /** Also of calls that belong to no transaction: one without an end would stop all later ones. */
    @Test
    void aCallWithoutAnAnswerEnds() {
        BankAccount account = bank.account(Clock.systemUTC(), "call-timeout=500ms");
        await().ignoreExceptions().until(() -> account.get("payments", "/v2/webhook/" + bank.bank.pixKey())
                .hasElement()
                .block());
        bank.faults(1, "late_answer");

        assertThatThrownBy(() -> account.get("payments", "/v2/webhook/" + bank.bank.pixKey())
                        .repeat(3)
                        .blockLast(Duration.ofSeconds(20)))
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(bank.meters
                        .get("ligeiro.rail.requests")
                        .tags("request", "payments", "status", "timeout")
                        .timer()
                        .count())
                .isPositive();
    }

    /** Two connections are enough for five canceled calls: each frees its own. */
    @Test
    void aCallThatIsCanceledGivesItsConnectionBack() {
        PaymentRail narrow = rail(bank.account(Clock.systemUTC(), "calls-at-once=1"));
        Transaction cashin = cashin();
        assertThat(outcome(narrow.inquire(cashin))).isEqualTo("not_found");
        bank.faults(1, "late_answer");
        for (int i = 0; i < 5; i++) {
            CompletableFuture<RailOutcome> answer = narrow.inquire(cashin);
            assertThat(answer.copy()
                            .completeOnTimeout(new RailOutcome.Unknown(), 100, TimeUnit.MILLISECONDS)
                            .join())
                    .isInstanceOf(RailOutcome.Unknown.class);
            answer.cancel(true);
        }
        bank.noFaults();

        CompletableFuture<RailOutcome> next = narrow.inquire(cashin);
        assertThat(next.orTimeout(1, TimeUnit.SECONDS).join()).isEqualTo(new RailOutcome.NotFound());
    }

    @Test
    void aServerThatIsNotTheBankGetsNoCall() {
        try (RunningBank other = new RunningBank(settings -> settings)) {
            other.bundles.updateBundle("bank", RunningBank.bundle(other.bank.customersCertificate(), bank.bank.ca()));
            assertThat(failure(rail(other.account(Clock.systemUTC())).inquire(cashin())))
                    .contains("SSLHandshakeException");
        }
    }

    @Test
    void aCertificateForAnotherHostIsRefused() {
        try (RunningBank other = new RunningBank(settings -> settings.serverNames("dns:other.example"))) {
            assertThat(failure(rail(other.account(Clock.systemUTC())).inquire(cashin())))
                    .contains("SSLHandshakeException");
        }
    }

    @Test
    void anotherCertificateGetsNoToken() {
        BankAccount account = bank.account(Clock.systemUTC());
        bank.bundles.updateBundle("bank", RunningBank.bundle(bank.bank.issue("stranger"), bank.bank.ca()));
        try {
            assertThat(failure(rail(account).inquire(cashin()))).contains("token, status: 401");
        } finally {
            bank.bundles.updateBundle("bank", RunningBank.bundle(bank.bank.customersCertificate(), bank.bank.ca()));
        }
        // a renewed certificate is used without a restart
        assertThat(outcome(rail(account).inquire(cashin()))).isEqualTo("not_found");
    }

    private static PaymentRail rail() {
        return rail(bank.account(Clock.systemUTC()));
    }

    private static PaymentRail rail(BankAccount account) {
        return new EfiRail(account, Clock.systemUTC());
    }

    private static Transaction cashin() {
        return cashin(1000);
    }

    private static Transaction cashin(long cents) {
        return LiveTransactions.of(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(cents)));
    }

    private static Transaction registered() {
        return registered(1000);
    }

    private static Transaction registered(long cents) {
        Transaction cashin = cashin(cents);
        assertThat(outcome(rail.submit(cashin))).isEqualTo("pending");
        return cashin;
    }

    private static Transaction paidCashin() {
        return paidCashin(1000);
    }

    private static Transaction paidCashin(long cents) {
        Transaction cashin = registered(cents);
        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();
        return paid(cashin);
    }

    private static Transaction paid(Transaction cashin) {
        Settlement settlement = settlement(rail.inquire(cashin).join());
        return cashin.with(new Entry.StatusChanged(Status.PAID, Instant.now(), Source.RAIL, null, settlement, null));
    }

    private static Settlement settlement(RailOutcome settled) {
        return Objects.requireNonNull(((RailOutcome.Settled) settled).settlement());
    }

    private static Refund refund(long cents) {
        return new Refund(
                RefundId.at(Instant.now()),
                new Amount(cents),
                Refund.State.PROCESSING,
                Source.MERCHANT,
                null,
                null,
                Instant.now());
    }

    private static Transaction cashout(String key) {
        return Transactions.like(
                        LiveTransactions.of(Transactions.cashout(TransactionId.at(Instant.now()), new Amount(1000))))
                .pixKey(new PixKey(PixKey.Type.EMAIL, key))
                .build();
    }

    /** The code of an outcome, or {@code failed}. */
    private static String outcome(CompletableFuture<RailOutcome> answer) {
        try {
            return answer.join().code();
        } catch (CompletionException failed) {
            return "failed";
        }
    }

    /** The outcome of a submission, whether or not the bank has settled it already. */
    private static String accepted(CompletableFuture<RailOutcome> answer) {
        return outcome(answer).replaceFirst("pending|settled", "accepted");
    }

    private static String failure(CompletableFuture<RailOutcome> answer) {
        try {
            throw new AssertionError(answer.join().toString());
        } catch (CompletionException failed) {
            StringBuilder text = new StringBuilder();
            for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
                text.append(cause).append('\n');
            }
            return text.toString();
        }
    }
}
