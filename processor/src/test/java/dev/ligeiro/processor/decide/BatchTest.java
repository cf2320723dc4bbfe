package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.NOW;
import static dev.ligeiro.processor.decide.Situations.begin;
import static dev.ligeiro.processor.decide.Situations.process;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BatchTest {

    private static final RailRequest SUBMIT = new RailRequest(RailCallKind.SUBMIT, null, 1, 1);

    private final Transaction cashin = Transactions.cashin(new Amount(15075));
    private final Transaction cashout = Transactions.cashout(new Amount(15075));

    @Test
    void onlyTransactionsThatNoCommandCarriesAreRead() {
        Map<TransactionId, List<TransactionCommand>> groups = groups(process(cashin), pay(cashin), pay(cashout));

        assertThat(Batch.toLoad(groups, transaction -> true))
                .extracting(TransactionCommand::transactionId)
                .containsExactly(cashout.id());
    }

    /**
     * What is missing is read again. With the fault, a report was not enough for that: after a failover, a payment of a new transaction
     * became an unmatched payment, which the operator gave back, and later it made the transaction paid.
     */
    @Test
    void aTransactionIsMissingForEachCommandButADueCheck() {
        TransactionCommand look = Situations.dueCheck(cashout);

        assertThat(Batch.missing(groups(process(cashin), pay(cashin), look), Map.of()))
                .isEmpty();
        assertThat(Batch.missing(groups(pay(cashin), look, pay(cashout)), Map.of(cashin.id(), cashin)))
                .extracting(TransactionCommand::transactionId)
                .containsExactly(cashout.id());
        assertThat(Batch.missing(groups(Situations.notice(cashin), look, Situations.notice(cashout)), Map.of()))
                .extracting(TransactionCommand::transactionId)
                .containsExactly(cashin.id(), cashout.id());
    }

    /** The command that made the call sends what it announced. With the fault, each inquiry repeated all webhooks. */
    @Test
    void anAnswerThatSettlesNothingSendsNoEvent() {
        Transaction inProcess = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);
        TransactionCommand unknown = Situations.answer(inProcess, RailCallKind.INQUIRE, 1, new RailOutcome.Unknown());

        Batch batch = begin(Map.of(inProcess.id(), inProcess), unknown).decide(NOW);

        assertThat(batch.updates()).hasSize(1);
        assertThat(batch.written(Conflicts.NONE).events()).isEmpty();
    }

    /** The stored due time is that of one call: with the fault, the twentieth hanging refund was asked for after two hours. */
    @Test
    void aLookTakesAllCallsThatAreDue() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Instant dueAt = NOW.minusSeconds(1);
        List<RefundId> refunds = IntStream.rangeClosed(1, 3)
                .mapToObj(i -> new RefundId(new UUID(0, i)))
                .toList();
        Transaction refunding = paid;
        for (RefundId refund : refunds) {
            refunding = refunding
                    .with(new Entry.RefundRequested(refund, new Amount(100), Source.MERCHANT, null, null, NOW, null))
                    .with(RailCall.first(refund, NOW, dueAt));
        }

        Batch batch = begin(Map.of(paid.id(), refunding), Situations.dueCheck(refunding));
        List<@Nullable RefundId> asked = new ArrayList<>();
        while (!batch.isComplete()) {
            batch = batch.decide(NOW).written(Conflicts.NONE);
            batch.pendingRailCalls().stream()
                    .map(CommandRun::railRequest)
                    .filter(Objects::nonNull)
                    .forEach(request -> asked.add(request.refund()));
            batch = batch.called(Map.of(), NOW);
        }

        assertThat(asked).containsExactlyInAnyOrderElementsOf(refunds);
        assertThat(batch.runs().get(0).stored().dueAt()).isAfter(NOW);
    }

    /** With the fault, a batch of 500 reports of one cashin used up the bank's inquiries. */
    @Test
    void reportsThatFollowOneAnotherAskTheRailOnce() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        TransactionCommand notice = Situations.notice(paid);
        Batch batch = begin(Map.of(paid.id(), paid), notice, notice, notice, Situations.process(paid), notice, notice);
        int asked = 0;
        while (!batch.isComplete()) {
            batch = batch.decide(NOW).written(Conflicts.NONE);
            asked += batch.pendingRailCalls().size();
            batch = batch.called(Map.of(paid.id(), RailOutcome.Settled.asAgreed()), NOW);
        }

        assertThat(asked).isEqualTo(2);
        assertThat(batch.runs().get(0).outcomes()).hasSize(6);
    }

    /** With the fault, a payer whom only the first of two reports names was lost. */
    @Test
    void thePayerOfAReportIsKeptThoughTheRailIsAskedAboutTheNext() {
        Transaction pending = Situations.at(Operation.CASHIN, Status.PENDING);
        Payer payer = new Payer("João", null, null);
        TransactionCommand named =
                new TransactionCommand.RailNotice(pending.id(), "bank", "E1", null, Amount.ZERO, payer, NOW);

        Batch batch = begin(Map.of(pending.id(), pending), named, Situations.notice(pending, "E1", null))
                .decide(NOW)
                .written(Conflicts.NONE);

        assertThat(batch.pendingRailCalls()).hasSize(1);
        RailCall call = batch.runs().get(0).stored().railCall(null).orElseThrow();
        assertThat(Objects.requireNonNull(call.reported()).payer()).isEqualTo(payer);
    }

    /**
     * Within 5 s the report may have caused the change, and be redelivered. With the fault, each notice of a bank, such as a MED after
     * months, announced the payment once more.
     */
    @ParameterizedTest
    @CsvSource({"-60, 2", "0, 2", "5, 2", "6, ", "7776000, "})
    void aReportSendsTheEventsOfNoEarlierChange(long sentAfterSeconds, @Nullable Integer announced) {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Instant paidAt = paid.history().lastAnnounced().at();
        Instant sentAt = paidAt.plusSeconds(sentAfterSeconds);
        TransactionCommand notice = new TransactionCommand.RailNotice(
                        paid.id(), "bank", paid.endToEndId(), paid.terms().amount(), Amount.ZERO)
                .sentAt(sentAt);

        Batch batch = begin(Map.of(paid.id(), paid.withUnsentFrom(2)), notice)
                .decide(sentAt.plusSeconds(90))
                .written(Conflicts.NONE);

        assertThat(batch.isComplete()).isTrue();
        assertThat(sequences(batch)).isEqualTo(announced == null ? List.of() : List.of(announced));
    }

    /** A redelivered answer moves the next look, so it has an effect, but the event of its first delivery may be missing. */
    @Test
    void aRedeliveredAnswerSendsTheEventsOfItsFirstDelivery() {
        TransactionCommand inReview = Situations.answer(cashin, RailCallKind.SUBMIT, 1, new RailOutcome.InReview());
        Transaction waiting = cashin.accept()
                .with(RailCall.first(null, NOW, NOW.plusSeconds(15)).withSecret(Situations.SECRET));
        Batch first = begin(Map.of(cashin.id(), waiting), inReview).decide(NOW).written(Conflicts.NONE);
        assertThat(sequences(first)).containsExactly(2);

        Transaction analysed = first.runs().get(0).stored();
        Batch again = begin(Map.of(cashin.id(), analysed), inReview)
                .decide(NOW.plusSeconds(1))
                .written(Conflicts.NONE);

        assertThat(again.isComplete()).isTrue();
        assertThat(sequences(again)).containsExactly(2);
    }

    /** Each repetition would otherwise announce up to 102 events again. */
    @Test
    void aRequestThatChangesNothingSendsNothing() {
        Transaction refunded = Transactions.largest();
        Entry.RefundRequested made =
                (Entry.RefundRequested) refunded.history().entries().get(2);
        TransactionCommand same = Situations.change(
                refunded, new ChangeAction.Refund(made.amount(), made.reference(), made.description()));
        TransactionCommand tooMuch = Situations.change(refunded, Situations.refund(new Amount(1)));

        Batch batch = begin(Map.of(refunded.id(), refunded), same, tooMuch)
                .decide(NOW)
                .written(Conflicts.NONE);

        assertThat(batch.isComplete()).isTrue();
        assertThat(batch.events()).isEmpty();
    }

    @Test
    void aRedeliveredRequestSendsTheEventsOfTheLatestBatchOnly() {
        Transaction refunded = Transactions.largest();
        TransactionCommand request = redelivered(refunded.history().entries().get(2));
        Transaction stored = Transactions.like(refunded).unsentFrom(101).build();

        assertThat(sequences(begin(Map.of(stored.id(), stored), request).decide(NOW)))
                .containsExactly(101, 102);
    }

    /** The command of a refund whose entry is stored. */
    private static TransactionCommand redelivered(Entry entry) {
        Entry.RefundRequested requested = (Entry.RefundRequested) entry;
        return new TransactionCommand.Change(
                Transactions.largest().tenant(),
                Transactions.largest().id(),
                new ChangeRef(requested.changeId(), requested.idempotencyKey()),
                new ChangeAction.Refund(requested.amount(), requested.reference(), requested.description()));
    }

    /** Kafka has lost events of earlier batches too, of which the transaction does not know that they may be unsent. */
    @ParameterizedTest
    @CsvSource({"0, '1,2,3'", "1, '2,3'", "2, '3'", "3, ''"})
    void whatIsAnnouncedAgainAreTheEventsSinceThatTime(int seconds, String sequences) {
        Transaction paid = cashout.moveTo(Status.IN_PROCESS, cashout.createdAt().plusSeconds(1), Source.SYSTEM)
                .moveTo(Status.PAID, cashout.createdAt().plusSeconds(2), Source.RAIL)
                .accept()
                .withUnsentFrom(3);
        TransactionCommand announce = new TransactionCommand.Announce(
                paid.tenant(), paid.id(), cashout.createdAt().plusSeconds(seconds));

        Batch batch = begin(Map.of(paid.id(), paid), announce).decide(NOW);

        assertThat(batch.updates()).isEmpty();
        assertThat(batch.isComplete()).isTrue();
        assertThat(sequences(batch).stream().map(String::valueOf).collect(Collectors.joining(",")))
                .isEqualTo(sequences);
    }

    @Test
    void theEventsOfABatchMayBeUnsentUntilTheNextBatch() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        Batch first = begin(Map.of(paid.id(), paid), Situations.sandbox(paid, SandboxAction.REFUND))
                .decide(NOW);
        Transaction stored = first.updates().get(0).after();

        assertThat(stored.unsentFrom()).isEqualTo(paid.history().sequence() + 1);
        assertThat(sequences(first.written(Conflicts.NONE))).containsExactly(stored.unsentFrom());
    }

    @Test
    void noEventIsSentBeforeTheAcceptance() {
        Batch early =
                begin(Map.of(cashout.id(), cashout), pay(cashout)).decide(NOW).written(Conflicts.NONE);

        assertThat(early.isComplete()).isTrue();
        assertThat(early.events()).isEmpty();
    }

    @Test
    void aPaymentBeforeTheAcceptanceAlsoSendsTheCreation() {
        Batch paid = begin(Map.of(cashin.id(), cashin), pay(cashin)).decide(NOW).written(Conflicts.NONE);

        assertThat(sequences(paid)).containsExactly(1, 2);
    }

    /** The first attempt asks about the first of three refunds, stores that it was made, and ends before it asks about the third. */
    @Test
    void aRepeatedDueCheckSendsWhatItsFirstAttemptStored() {
        Transaction paid = Situations.at(Operation.CASHIN, Status.PAID);
        for (int i = 1; i <= 3; i++) {
            RefundId refund = new RefundId(new UUID(7, i));
            paid = paid.with(new Entry.RefundRequested(
                            refund, new Amount(100), Source.MERCHANT, null, null, Situations.BEGAN, null))
                    .with(RailCall.first(refund, Situations.BEGAN, NOW.minusMillis(i)));
        }
        Transaction due = Transactions.like(paid).unsentFrom(3).build();
        TransactionCommand check = new TransactionCommand.DueCheck(due.tenant(), due.id(), NOW);
        Batch first = begin(Map.of(due.id(), due), check).decide(NOW).written(Conflicts.NONE);

        Transaction stored = first.called(Map.of(due.id(), RailOutcome.Settled.asAgreed()), NOW)
                .decide(NOW)
                .updates()
                .get(0)
                .after();
        Batch repeated = begin(Map.of(due.id(), stored), check).decide(NOW);

        assertThat(stored.history().sequence()).isEqualTo(3);
        assertThat(sequences(repeated.written(Conflicts.NONE))).containsExactly(3);
        assertThat(repeated.updates().get(0).after().unsentFrom()).isEqualTo(3);
    }

    @Test
    void aLookAtATransactionThatIsNotStoredDoesNothing() {
        Batch batch = begin(Situations.dueCheck(cashin)).decide(NOW);

        assertThat(batch.unprocessable()).isEmpty();
        assertThat(batch.isComplete()).isTrue();
        assertThat(batch.events()).isEmpty();
    }

    /** The others of the batch, also the gateway's own command, go on with the stored transaction. */
    @Test
    void aCommandWithOtherTermsIsRefusedAlone() {
        Transaction forged =
                Transactions.like(cashout).amount(new Amount(999_900)).build();
        Batch first = begin(process(forged), process(cashout)).decide(NOW);
        assertThat(first.updates()).singleElement().satisfies(update -> assertThat(update.carried())
                .isTrue());

        Batch again = first.written(new Conflicts(Map.of(cashout.id(), Optional.of(cashout)), Set.of()))
                .decide(NOW)
                .written(Conflicts.NONE)
                .called(Map.of(cashout.id(), RailOutcome.Settled.asAgreed()), NOW)
                .decide(NOW);

        assertThat(again.runs().get(0).outcomes()).containsExactly(CommandOutcome.OTHER_TERMS, CommandOutcome.APPLIED);
        assertThat(again.updates())
                .singleElement()
                .satisfies(update -> assertThat(update.after().terms()).isEqualTo(cashout.terms()));
    }

    /** With the fault, the simulator's facts went on to the commands of a live transaction. */
    @Test
    void afterAConflictTheFactsAreThoseOfTheStoredTransaction() {
        Transaction live = LiveTransactions.of(cashout);
        Batch first = Batch.begin(
                        groups(process(cashout), process(live)),
                        Map.of(),
                        new Batch.Rules(
                                transaction ->
                                        Optional.of(Situations.BY_ID).filter(simulator -> transaction.equals(cashout)),
                                Situations.OPEN,
                                Set.of(),
                                Map.of(),
                                Situations.SECRET),
                        NOW)
                .decide(NOW);
        assertThat(first.pendingRailCalls()).hasSize(1);

        Batch again = first.written(new Conflicts(Map.of(live.id(), Optional.of(live)), Set.of()))
                .decide(NOW);

        assertThat(again.pendingRailCalls()).isEmpty();
        assertThat(again.runs().get(0).outcomes())
                .containsExactly(CommandOutcome.OTHER_TERMS, CommandOutcome.UNCHANGED);
    }

    static Stream<Transaction> withoutARailCall() {
        return Stream.of(
                Situations.at(Operation.CASHIN, Status.PENDING),
                Situations.at(Operation.CASHIN, Status.EXPIRED),
                Situations.created(Operation.CASHIN));
    }

    @ParameterizedTest
    @MethodSource("withoutARailCall")
    void anAnswerToNoRailCallChangesNothing(Transaction waitsForNone) {
        for (RailOutcome outcome : List.of(RailOutcome.Settled.asAgreed(), new RailOutcome.Rejected("forged"))) {
            TransactionCommand answer = Situations.answer(waitsForNone, RailCallKind.INQUIRE, 1, outcome);

            Batch batch = begin(Map.of(waitsForNone.id(), waitsForNone), answer).decide(NOW);

            assertThat(batch.updates()).isEmpty();
            assertThat(batch.events()).isEmpty();
            assertThat(batch.runs().get(0).outcomes())
                    .containsAnyOf(CommandOutcome.NO_RAIL_CALL, CommandOutcome.UNCHANGED);
        }
    }

    /** Before answers were signed, the sender of a forged report could also answer the inquiry that it caused. */
    @Test
    void anAnswerThatTheCallHasNotSignedPaysNothing() {
        Transaction pending = Situations.at(Operation.CASHIN, Status.PENDING);
        UUID secret = UUID.randomUUID();
        Transaction asked = Batch.begin(
                        groups(Situations.notice(pending)),
                        Map.of(pending.id(), pending),
                        new Batch.Rules(
                                transaction -> Optional.of(Situations.BY_ID),
                                Situations.OPEN,
                                Set.of(),
                                Map.of(),
                                secret),
                        NOW)
                .decide(NOW)
                .updates()
                .get(0)
                .after();
        TransactionCommand.RailAnswer settled = (TransactionCommand.RailAnswer)
                Situations.answer(asked, RailCallKind.INQUIRE, 1, RailOutcome.Settled.asAgreed());

        Batch forged = begin(Map.of(asked.id(), asked), settled).decide(NOW);
        Batch answered =
                begin(Map.of(asked.id(), asked), settled.signedWith(secret)).decide(NOW);

        assertThat(forged.runs().get(0).outcomes()).containsExactly(CommandOutcome.NO_RAIL_CALL);
        assertThat(forged.updates()).isEmpty();
        assertThat(answered.updates().get(0).after().status()).isEqualTo(Status.PAID);
    }

    @Test
    void anAnswerThatIsDeliveredAgainIsNoDeadLetter() {
        Transaction inProcess = Situations.at(Operation.CASHOUT, Status.IN_PROCESS);
        TransactionCommand settled =
                Situations.answer(inProcess, RailCallKind.SUBMIT, 1, RailOutcome.Settled.asAgreed());

        Batch batch = begin(Map.of(inProcess.id(), inProcess), settled, settled).decide(NOW);

        assertThat(batch.runs().get(0).outcomes()).containsExactly(CommandOutcome.APPLIED, CommandOutcome.UNCHANGED);
    }

    /** With the fault, the holder of the key got a second entry, which said that another transaction has the key. */
    @Test
    void aRequestThatWasMadeIsNotRefusedForItsOwnKey() {
        TransactionCommand cancel = Situations.change(cashin, new ChangeAction.Cancel(), "key-1");
        Transaction canceled = begin(Map.of(cashin.id(), cashin.accept()), cancel)
                .decide(NOW)
                .updates()
                .get(0)
                .after();

        Batch again = begin(Map.of(cashin.id(), cashin.accept()), cancel)
                .decide(NOW)
                .written(new Conflicts(
                        Map.of(cashin.id(), Optional.of(canceled)),
                        Set.of(new Conflicts.TakenKey(cashin.tenant(), "key-1"))))
                .decide(NOW);

        assertThat(again.updates()).isEmpty();
        assertThat(again.isComplete()).isTrue();
    }

    /** Another processor has the rail; it stored {@code in_process} and ended before it sent the event. */
    @Test
    void aRepeatedCommandWhoseRailIsMissingSendsWhatAnotherProcessorStored() {
        Transaction carried = Transactions.like(cashout).rail("bank").build();
        Transaction stored = carried.moveTo(Status.IN_PROCESS, NOW, Source.SYSTEM)
                .with(RailCall.first(null, NOW, NOW.plusSeconds(15)));
        Map<TransactionId, List<TransactionCommand>> groups = groups(process(carried));

        Map<TransactionId, Transaction> loaded = new HashMap<>(Map.of(stored.id(), stored));
        loaded.keySet()
                .retainAll(Batch.toLoad(groups, transaction -> false).stream()
                        .map(TransactionCommand::transactionId)
                        .toList());
        Batch batch = Batch.begin(groups, loaded, Situations.rules(null), NOW)
                .decide(NOW)
                .written(Conflicts.NONE);

        assertThat(batch.isComplete()).isTrue();
        assertThat(sequences(batch)).containsExactly(1, 2);
    }

    /** With the fault, the merchant got the latest webhook again with each due check, until a processor had the rail. */
    @Test
    void aDueCheckWhoseRailIsMissingSendsNothing() {
        Transaction due = Transactions.like(cashout)
                .rail("bank")
                .build()
                .accept()
                .moveTo(Status.IN_PROCESS, NOW.minusSeconds(60), Source.SYSTEM)
                .with(RailCall.first(null, NOW.minusSeconds(60), NOW.minusSeconds(45)));

        Batch batch = Batch.begin(groups(Situations.dueCheck(due)), Map.of(due.id(), due), Situations.rules(null), NOW)
                .decide(NOW);

        assertThat(batch.isComplete()).isTrue();
        assertThat(batch.events()).isEmpty();
    }

    private static Map<TransactionId, List<TransactionCommand>> groups(TransactionCommand... commands) {
        return Batch.byTransaction(Arrays.asList(commands));
    }

    private static List<Integer> sequences(Batch batch) {
        return batch.events().stream().map(event -> event.id().sequence()).toList();
    }

    private static TransactionCommand pay(Transaction transaction) {
        return Situations.sandbox(transaction, SandboxAction.PAY);
    }
}
