package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.SandboxAction;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.processor.rail.RailCall;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent.Source;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BatchTest {

    private static final Instant NOW = Transactions.CREATED_AT.plusSeconds(60);

    private final Transaction cashin = Transactions.cashin(new Amount(15075));
    private final Transaction cashout = Transactions.cashout(new Amount(15075));

    @Test
    void onlyTransactionsThatNoCommandCarriesAreRead() {
        Map<TransactionId, List<TransactionCommand>> groups = groups(process(cashin), pay(cashin), pay(cashout));

        assertThat(Batch.idsToLoad(groups)).containsExactly(cashout.id());
    }

    @Test
    void aCashinWaitsForItsRailWithNothingToWrite() {
        Batch decided = begin(process(cashin)).decide(NOW);

        assertThat(decided.changes()).isEmpty();
        assertThat(decided.pendingRailCalls())
                .extracting(CommandRun::pendingRailCall)
                .containsExactly(RailCall.SUBMIT);

        Batch answered = decided.answered(Map.of(cashin.id(), new RailOutcome.Pending()), NOW);
        assertThat(answered.changes()).containsExactly(new Change(cashin, cashin.accept()));
        assertThat(answered.written(Map.of()).isComplete()).isTrue();
        assertThat(sequences(answered.written(Map.of()))).containsExactly(1);
    }

    @Test
    void aCashoutIsInProcessBeforeItsRailIsCalled() {
        Batch decided = begin(process(cashout)).decide(NOW);

        assertThat(decided.changes()).hasSize(1);
        assertThat(decided.changes().get(0).entersProcess()).isTrue();

        Batch done = decided.written(Map.of())
                .answered(Map.of(cashout.id(), new RailOutcome.Settled()), NOW)
                .written(Map.of());
        assertThat(done.isComplete()).isTrue();
        assertThat(sequences(done)).containsExactly(1, 2, 3);
    }

    @Test
    void aCashoutFoundInProcessIsInquiredAndNotSubmitted() {
        Transaction inProcess = cashout.moveTo(Status.IN_PROCESS, NOW, Source.RAIL, null);

        Batch again = begin(process(cashout))
                .decide(NOW)
                .written(Map.of(cashout.id(), Optional.of(inProcess)))
                .decide(NOW);

        assertThat(again.changes()).isEmpty();
        assertThat(again.pendingRailCalls())
                .extracting(CommandRun::pendingRailCall)
                .containsExactly(RailCall.INQUIRE);
    }

    @Test
    void aCommandThatFindsItsChangeMadeSendsAllEventsAgain() {
        Transaction paid = cashin.moveTo(Status.PAID, NOW, Source.RAIL, null);

        Batch again = Batch.begin(groups(pay(cashin)), Map.of(cashin.id(), paid), mode -> true)
                .decide(NOW);

        assertThat(again.isComplete()).isTrue();
        assertThat(sequences(again)).containsExactly(1, 2);
    }

    @Test
    void noEventIsSentBeforeTheAcceptance() {
        Batch early = Batch.begin(groups(pay(cashout)), Map.of(cashout.id(), cashout), mode -> true)
                .decide(NOW);

        assertThat(early.isComplete()).isTrue();
        assertThat(early.events()).isEmpty();
    }

    @Test
    void aPaymentBeforeTheAcceptanceAlsoSendsTheCreation() {
        Batch paid = Batch.begin(groups(pay(cashin)), Map.of(cashin.id(), cashin), mode -> true)
                .decide(NOW)
                .written(Map.of());

        assertThat(sequences(paid)).containsExactly(1, 2);
    }

    @Test
    void acceptanceAndPaymentOfOneBatchAreOneChange() {
        Batch decided = begin(process(cashin), pay(cashin))
                .decide(NOW)
                .answered(Map.of(cashin.id(), new RailOutcome.Pending()), NOW)
                .decide(NOW);

        assertThat(decided.changes()).hasSize(1);
        assertThat(decided.changes().get(0).newEvents()).hasSize(1);
    }

    @Test
    void aTransactionThatIsNotStoredIsRefused() {
        assertThat(begin(pay(cashin)).refused()).containsEntry(cashin.id(), Refusal.TRANSACTION_NOT_FOUND);

        Batch carriedOnly = begin(process(cashout)).decide(NOW).written(Map.of(cashout.id(), Optional.empty()));
        assertThat(carriedOnly.refused()).containsEntry(cashout.id(), Refusal.TRANSACTION_NOT_FOUND);
        assertThat(carriedOnly.runs()).isEmpty();
    }

    @Test
    void aModeWithoutARailIsRefused() {
        Transaction live = LiveMode.of(cashin);

        Batch batch = Batch.begin(groups(process(live), process(cashout)), Map.of(), mode -> mode == Mode.TEST);

        assertThat(batch.refused()).containsExactly(Map.entry(live.id(), Refusal.NO_RAIL_FOR_MODE));
        assertThat(batch.runs()).extracting(CommandRun::id).containsExactly(cashout.id());
    }

    private static Batch begin(TransactionCommand... commands) {
        return Batch.begin(groups(commands), Map.of(), mode -> true);
    }

    private static Map<TransactionId, List<TransactionCommand>> groups(TransactionCommand... commands) {
        return Batch.byTransaction(Arrays.asList(commands));
    }

    private static List<Integer> sequences(Batch batch) {
        return batch.events().stream().map(event -> event.id().sequence()).toList();
    }

    private static TransactionCommand process(Transaction transaction) {
        return new TransactionCommand.Process(transaction);
    }

    private static TransactionCommand pay(Transaction transaction) {
        return new TransactionCommand.Sandbox(transaction.id(), SandboxAction.PAY);
    }
}
