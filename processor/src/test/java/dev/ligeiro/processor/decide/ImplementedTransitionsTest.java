package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.SandboxAction;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.Transition;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares {@link Transition#implemented} with the moves that commands and rail outcomes make, starting from a new transaction. */
class ImplementedTransitionsTest {

    private static final Instant NOW = Transactions.CREATED_AT.plusSeconds(60);
    private static final List<RailOutcome> OUTCOMES = List.of(
            new RailOutcome.Settled(),
            new RailOutcome.Rejected("rejected_by_rail"),
            new RailOutcome.Pending(),
            new RailOutcome.Unknown());

    @ParameterizedTest
    @EnumSource
    void theTableMarksTheMovesThatTheProcessorMakesAndNoOther(Operation operation) {
        Set<String> made = new TreeSet<>();
        collectMoves(operation == Operation.CASHIN ? Transactions.goldenCashin() : Transactions.goldenCashout(), made);

        assertThat(made).isEqualTo(marked(operation));
    }

    @Test
    void everyCommandAndEveryRailOutcomeIsTried() {
        assertThat(commands(Transactions.goldenCashin()).map(Object::getClass).distinct())
                .isEqualTo(List.of(TransactionCommand.class.getPermittedSubclasses()));
        assertThat(OUTCOMES.stream().map(Object::getClass))
                .isEqualTo(List.of(RailOutcome.class.getPermittedSubclasses()));
    }

    /** Adds the moves that lead on from {@code transaction}. It ends because the status machine has no cycle. */
    private static void collectMoves(Transaction transaction, Set<String> moves) {
        commands(transaction)
                .flatMap(command -> results(transaction, command))
                .filter(next -> next.version() > transaction.version() || next.accepted() && !transaction.accepted())
                .forEach(next -> {
                    addMoves(next.events().subList(transaction.version() - 1, next.version()), moves);
                    collectMoves(next, moves);
                });
    }

    private static Stream<TransactionCommand> commands(Transaction transaction) {
        return Stream.concat(
                Stream.of(new TransactionCommand.Process(transaction)),
                Arrays.stream(SandboxAction.values())
                        .map(action -> new TransactionCommand.Sandbox(transaction.id(), action)));
    }

    private static Stream<Transaction> results(Transaction transaction, TransactionCommand command) {
        CommandRun run = CommandRun.begin(List.of(command), transaction).decide(NOW);
        Stream<Transaction> answered = run.pendingRailCall() == null
                ? Stream.empty()
                : OUTCOMES.stream()
                        .map(outcome -> run.written().answered(outcome, NOW).decided());
        return Stream.concat(Stream.of(run.decided()), answered);
    }

    private static void addMoves(List<StatusEvent> history, Set<String> moves) {
        for (int i = 1; i < history.size(); i++) {
            moves.add(history.get(i - 1).status() + " to " + history.get(i).status());
        }
    }

    private static Set<String> marked(Operation operation) {
        Set<String> moves = new TreeSet<>();
        for (Status from : Status.values()) {
            Transition.implemented(operation, from).forEach(to -> moves.add(from + " to " + to));
        }
        return moves;
    }
}
