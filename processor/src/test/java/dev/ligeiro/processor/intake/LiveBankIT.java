package dev.ligeiro.processor.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.testing.kafka.TopicReader;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Live money from command to event, with a bank on real sockets and its notices. */
@Order(3)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Execution(ExecutionMode.SAME_THREAD)
class LiveBankIT extends WithLiveBank {

    /** Each notice under way counts as 4 kB of the port's 512. */
    private static final int SENDERS = 200;

    private static final Duration BURST_TIMEOUT = Duration.ofMinutes(2);

    @RegisterExtension
    static final AfterAllCallback LAST =
            context -> Objects.requireNonNull(store(context).remove(WithLiveBank.class, AutoCloseable.class))
                    .close();

    @Test
    void aCashinIsPaidAndRefunded() {
        Transaction cashin = registered();
        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
        assertThat(environment.read(cashin.id()).endToEndId()).isNotEqualTo(cashin.endToEndId());

        UUID refund = change(cashin, new ChangeAction.Refund(new Amount(4_00), null, null), null);
        await().atMost(TIMEOUT).until(() -> environment.read(cashin.id()).history().refunds().stream()
                .anyMatch(one -> one.state() == Refund.State.REFUNDED));
        assertThat(bank.moved(refund)).isEqualTo(1);

        moveBack("bank/" + environment.read(cashin.id()).endToEndId(), "6.00");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 refund");
        List<Refund> refunds = environment.read(cashin.id()).history().refunds();
        assertThat(refunds).hasSize(2);
        RailReturn said = Objects.requireNonNull(refunds.get(1).rail());
        assertThat(said.nature()).isEqualTo("MED_FRAUDE");
        assertThat(said.rtrId()).hasSize(32);
    }

    /** The bank names payers in notices only, which decide nothing, so it is asked who has paid. */
    @Test
    void aPaymentByAnotherIsRefundedAndOneByTheDocumentsHolderIsNot() {
        PayerRules rules = new PayerRules(true, true, true);
        Transaction own = registered(LiveTransactions.TENANT, rules);
        Transaction others = registered(LiveTransactions.TENANT, rules);
        String document = own.terms().payer().document();
        assertThat(bank.pay(RunningBank.txid(own), "\"name\":\"Ana\"", "\"document\":\"" + document + "\""))
                .isTrue();
        assertThat(bank.pay(RunningBank.txid(others), "\"name\":\"João\"", "\"document\":\"11144477735\""))
                .isTrue();

        environment.awaitAnnounced(others, "1 pending", "2 paid", "3 paid", "4 refund");
        UUID refund = RefundId.ofPayerMismatch(others.id()).value();
        assertThat(bank.moved(refund)).isEqualTo(1);
        // catch-up, every 300 ms here, may find the payment before its notice, and the bank's list names no payer
        assertThat(environment
                        .read(others.id())
                        .history()
                        .settlement()
                        .orElseThrow()
                        .payer())
                .isIn(null, new Payer("João", "11144477735", "99999004"));
        await().atMost(TIMEOUT)
                .until(() ->
                        environment.read(own.id()).history().lastAt(Status.PAID).isPresent()
                                && environment.read(own.id()).railCalls().isEmpty());
        environment.awaitAnnounced(own, "1 pending", "2 paid");
        assertThat(environment.read(own.id()).history().refunds()).isEmpty();
    }

    @Test
    void aCashoutIsSentOnce() {
        Transaction cashout =
                environment.stored(live(Transactions.cashout(TransactionId.at(Instant.now()), new Amount(10_00))));
        environment.send(new TransactionCommand.Process(cashout));

        environment.awaitAnnounced(cashout, "1 pending", "2 in_process", "3 paid");
        assertThat(bank.moved(cashout.id().value())).isEqualTo(1);
    }

    @Test
    void aCancelRemovesTheChargeAndTakesItsIdempotencyKey() {
        Transaction cashin = registered();
        String key = "key-" + cashin.id();
        change(cashin, new ChangeAction.Cancel(), key);
        environment.awaitAnnounced(cashin, "1 pending", "2 canceled");
        assertThat(bank.pay(RunningBank.txid(cashin))).isFalse();

        // the key is taken: the same one is refused at another transaction
        Transaction other = registered();
        change(other, new ChangeAction.Cancel(), key);
        await().atMost(TIMEOUT)
                .until(() -> environment.read(other.id()).history().entries().size() == 2);
        assertThat(environment.read(other.id()).status()).isEqualTo(other.status());
    }

    @Test
    void aPaymentWhoseNoticeIsLostIsFoundByCatchUp() {
        Transaction cashin = registered();
        bank.faults(1, "notice_lost");
        assertThat(bank.pay(RunningBank.txid(cashin))).isTrue();

        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
    }

    @Test
    void aChargeIsAttachedToALocationOfThePool() {
        await().atMost(TIMEOUT).until(() -> processor
                .get("/actuator/prometheus")
                .contains("ligeiro_rail_locations_level_ratio{rail=\"bank\"} 1.0"));
        PayloadLocation location = Objects.requireNonNull(
                        processor.bean(PayloadLocationStore.class).take("bank").block(TIMEOUT))
                .get(0);
        Transaction cashin = environment.stored(
                Transactions.like(live(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(10_00))))
                        .locationId(location.id())
                        .build());
        environment.send(new TransactionCommand.Process(cashin));
        environment.awaitAnnounced(cashin, "1 pending");

        String code = BrCode.of(location.address(), "LOJA", "SAO PAULO").encode();
        await().atMost(TIMEOUT).until(() -> bank.status("POST", "/payer/pay", "{\"qr_code\":\"" + code + "\"}") == 200);
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");
    }

    @Test
    void aPaymentWithoutAChargeIsUnmatched() {
        double before = unmatched();
        bank.post("POST", "/payer/pay", "{\"key\":\"" + bank.bank.pixKey() + "\",\"amount\":\"7.00\"}");

        await().atMost(TIMEOUT).until(() -> unmatched() == before + 1);
    }

    /**
     * A resolution of an unmatched payment.
     *
     * @param before what the bank moves back before
     * @param after what it moves back after the decision; null for nothing
     * @param books then the balances of merchant, fees and unmatched payments
     */
    private record Resolved(String before, ResolutionDecision decision, @Nullable String after, List<Long> books) {}

    /** With the fault, a payment of which a cent was moved back could never be resolved, and the books did not have the cent. */
    @Test
    void whatTheBankMovesBackOfAnUnmatchedPaymentIsBooked() {
        List<Resolved> cases = List.of(
                new Resolved("1.00", ResolutionDecision.CREDIT, "2.00", List.of(4_00L, 0L, 0L)),
                new Resolved("1.00", ResolutionDecision.KEEP, "2.00", List.of(0L, 4_00L, 0L)),
                new Resolved("3.00", ResolutionDecision.RETURN, null, List.of(0L, 0L, 0L)),
                new Resolved("7.00", ResolutionDecision.KEEP, null, List.of(0L, 0L, 0L)),
                new Resolved("7.00", ResolutionDecision.RETURN, null, List.of(0L, 0L, 0L)));
        List<Tenant> tenants = new ArrayList<>();
        List<UUID> resolutions = new ArrayList<>();
        List<String> payments = new ArrayList<>();
        for (Resolved one : cases) {
            tenants.add(newTenant());
            payments.add(unmatchedPayment());
            moveBack(payments.get(payments.size() - 1), one.before());
        }
        for (int i = 0; i < cases.size(); i++) {
            Transaction named = environment.stored(
                    Transactions.like(live(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(10_00))))
                            .tenant(tenants.get(i))
                            .build());
            resolutions.add(environment.confirmed(cases.get(i).decision(), named, payments.get(i)));
        }
        for (int i = 0; i < cases.size(); i++) {
            UUID resolution = resolutions.get(i);
            await().atMost(TIMEOUT).until(() -> environment.stateOf(resolution).equals("applied"));
            String after = cases.get(i).after();
            if (after != null) {
                moveBack(payments.get(i), after);
            }
        }
        for (int i = 0; i < cases.size(); i++) {
            Resolved one = cases.get(i);
            Tenant tenant = tenants.get(i);
            List<Long> expected = new ArrayList<>(one.books());
            expected.add(one.books().stream().mapToLong(cents -> cents).sum());
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(balances(tenant)).as("%s", one).isEqualTo(expected));
            assertThat(bank.moved(resolutions.get(i)))
                    .as("%s", one)
                    .isEqualTo(one.before().equals("3.00") ? 1 : 0);
        }
    }

    /** With the fault, the refund named a canceled cashin, and neither the merchant nor the books heard of it. */
    @Test
    void whatTheBankMovesBackOfAnAssignedPaymentIsARefundOfItsCashin() {
        Transaction canceled = registered();
        change(canceled, new ChangeAction.Cancel(), null);
        environment.awaitAnnounced(canceled, "1 pending", "2 canceled");
        assertThat(bank.pay(RunningBank.txid(canceled), "\"anyway\":true")).isTrue();
        String payment = await().atMost(TIMEOUT)
                .until(
                        () -> Mono.from(environment
                                        .database()
                                        .getCollection(CollectionNames.UNMATCHED_PAYMENTS)
                                        .find(Filters.eq(
                                                "transactionId",
                                                TransactionCodec.binary(
                                                        canceled.id().value()))))
                                .map(found -> found.getString("_id"))
                                .blockOptional(TIMEOUT),
                        Optional::isPresent)
                .orElseThrow();
        Transaction cashin = registered();
        environment.confirmed(ResolutionDecision.ASSIGN, cashin, payment);
        environment.awaitAnnounced(cashin, "1 pending", "2 paid");

        // with the fault, no transaction took a claim on it, and nothing was blocked
        String claim = claimed(payment.substring("bank/".length()), "4.00");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid");
        decided(claim, "rejected");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 paid");

        moveBack(payment, "4.00");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 paid", "5 paid");
        moveBack(payment, "6.00");
        environment.awaitAnnounced(cashin, "1 pending", "2 paid", "3 paid", "4 paid", "5 paid", "6 refund");

        assertThat(environment.read(cashin.id()).history().refunds())
                .extracting(Refund::amount, Refund::source)
                .containsExactly(tuple(new Amount(4_00), Source.RAIL), tuple(new Amount(6_00), Source.RAIL));
        assertThat(environment.read(canceled.id()).history().refunds()).isEmpty();
        // with the fault, a report that came again had all events since the first sent again
        try (TopicReader commands = TopicReader.fromTheBeginning(Topics.COMMANDS)) {
            assertThat(commands.toTheEnd().records(cashin.id().toString()))
                    .extracting(record -> MessageJson.readCommand(record.value()))
                    .filteredOn(TransactionCommand.RailNotice.class::isInstance)
                    .isNotEmpty()
                    .allSatisfy(report -> assertThat(((TransactionCommand.RailNotice) report).sentAt())
                            .isNotNull());
        }
    }

    private static void moveBack(String payment, String amount) {
        bank.post(
                "POST",
                "/payer/refund",
                "{\"e2e_id\":\"%s\",\"amount\":\"%s\",\"nature\":\"MED_FRAUDE\"}"
                        .formatted(payment.substring("bank/".length()), amount));
    }

    @Test
    void aPaymentThatOperatorsReturnIsSentBackOnce() {
        Transaction cashin =
                environment.stored(live(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(10_00))));
        bank.losesAnswersOf("PUT /pix/{}/devolucao/{}");

        UUID returned = environment.confirmed(ResolutionDecision.RETURN, cashin, unmatchedPayment());

        await().atMost(TIMEOUT).until(() -> environment.stateOf(returned).equals("applied"));
        assertThat(bank.moved(returned)).isEqualTo(1);
    }

    /** More than the port takes at once: the bank repeats what is refused. The bank knows none of these payments. */
    @Tag("nightly")
    @Test
    void aBurstOfFalseNoticesIsTakenAndRecordsNothing() {
        int notices = 600;
        double before = unmatched();
        HttpClient sender = sender();

        Flux.range(0, notices)
                .flatMap(number -> announce(sender, "BURST" + number), SENDERS)
                .blockLast(BURST_TIMEOUT);

        aPaymentWithoutAChargeIsUnmatched();
        assertThat(unmatched()).isEqualTo(before + 1);
    }

    /** Repeats it until it is taken. */
    private static Mono<HttpResponse<Void>> announce(HttpClient sender, String endToEndId) {
        String txid = RunningBank.hex(UUID.randomUUID());
        String notice =
                "{\"pix\":[{\"endToEndId\":\"%s\",\"txid\":\"%s\",\"valor\":\"1.00\"}]}".formatted(endToEndId, txid);
        return Mono.fromFuture(() -> sender.sendAsync(notice(notice), HttpResponse.BodyHandlers.discarding()))
                .filter(answer -> answer.statusCode() == 200)
                .repeatWhenEmpty(refused -> refused.delayElements(Duration.ofMillis(20)));
    }

    private static HttpRequest notice(String body) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + NOTICES + "/bank/pix"))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** The bank itself. */
    private static HttpClient sender() {
        return HttpClient.newBuilder()
                .sslContext(RunningBank.bundle(bank.bank.ownCertificate(), bank.bank.ca())
                        .createSslContext())
                .build();
    }

    @Test
    void theNoticePortRefusesACallerWithoutCertificate() {
        // the JDK does not know the bank's CA either, so the handshake fails at both ends
        assertThatThrownBy(() ->
                        HttpClient.newHttpClient().send(notice("{\"pix\":[]}"), HttpResponse.BodyHandlers.discarding()))
                .isInstanceOf(IOException.class);
    }

    /**
     * After all that the other tests have moved: only the payments without a charge that operators have not booked are not in the books. A
     * processor compares them when the day has been over for six hours.
     */
    @Test
    @Order(Integer.MAX_VALUE)
    void theBooksAgreeWithTheBanksLists() {
        Instant since = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(6));
        processor.close();
        Mono.from(environment
                        .database()
                        .getCollection(CollectionNames.LEASES)
                        .replaceOne(
                                Filters.eq("reconcile/bank"),
                                new Document("since", Date.from(since))
                                        .append("first", Date.from(since))
                                        .append("again", Date.from(since)),
                                new ReplaceOptions().upsert(true)))
                .block(TIMEOUT);
        TestClock clock = TestClock.ticking();
        clock.move(Duration.ofHours(31));
        processor = RunningProcessor.startAt(clock, settings);

        assertThat(unreconciled()).isPositive();
        await().atMost(TIMEOUT.multipliedBy(2)).until(() -> unreconciled() == 0);
        List<Document> breaks = Flux.from(environment
                        .database()
                        .getCollection(CollectionNames.BREAKS)
                        .find())
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow();
        assertThat(breaks).isNotEmpty().allSatisfy(one -> assertThat(one)
                .containsEntry(BreakFields.KIND, "missing_here")
                .doesNotContainKey(BreakFields.TRANSACTION_ID));
        // payments without a charge
        assertThat(breaks).extracting(one -> one.getLong(BreakFields.THEIRS)).containsOnly(7_00L);
        await().atMost(TIMEOUT).until(() -> processor
                .get("/actuator/prometheus")
                .contains("ligeiro_breaks_open{kind=\"missing_here\",rail=\"bank\"} " + (double) breaks.size()));
    }

    private static long unreconciled() {
        return Mono.from(environment
                        .database()
                        .getCollection(CollectionNames.POSTINGS)
                        .countDocuments(Filters.exists(PostingFields.UNRECONCILED)))
                .blockOptional(TIMEOUT)
                .orElseThrow();
    }
}
