package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * For every division into batches, every crash and every redelivery the histories and the unmatched payments are the same, every event is published
 * and nothing is submitted twice. Some transactions have a rail that answers at once, others one whose answers come as commands.
 */
class RedeliveryTest {

    private static final List<Transaction> NEW = List.of(
            Transactions.cashin(new Amount(15075)),
            Transactions.cashin(new Amount(5011)),
            Transactions.cashin(new Amount(5012)),
            Transactions.cashout(new Amount(15075)),
            Transactions.cashout(new Amount(5012)),
            Transactions.cashin(new Amount(FakeProcessor.LATER_CENTS)),
            Transactions.cashout(new Amount(FakeProcessor.LATER_CENTS)));

    /**
     * One batch.
     *
     * @param redelivered the number of earlier commands at its start
     * @param added the number of new commands
     * @param bulksMax the processor crashes before the next bulk, or before sending the events if this was the last one
     */
    record Poll(int redelivered, int added, int bulksMax) {}

    /**
     * A command.
     *
     * @param kind chooses among the commands that the transaction may get
     */
    record Step(Transaction transaction, int kind, int outcome) {}

    @Property(tries = 2000)
    void theEndDoesNotDependOnBatchesCrashesAndRedelivery(
            @ForAll("commands") List<TransactionCommand> commands, @ForAll("polls") List<Poll> polls) {
        FakeProcessor oneByOne = new FakeProcessor(NEW);
        commands.forEach(command -> oneByOne.process(List.of(command), Integer.MAX_VALUE));
        oneByOne.lookUntilNothingIsDue();

        FakeProcessor processor = new FakeProcessor(NEW);
        int position = 0;
        for (Poll poll : polls) {
            int from = Math.max(0, position - poll.redelivered);
            int to = Math.min(commands.size(), position + poll.added);
            boolean completed = processor.process(commands.subList(from, to), poll.bulksMax);
            // Kafka redelivers the batch of a crashed processor
            position = completed ? to : from;
        }
        processor.process(commands.subList(position, commands.size()), Integer.MAX_VALUE);
        processor.lookUntilNothingIsDue();

        assertThat(processor.histories()).isEqualTo(oneByOne.histories());
        assertThat(processor.unmatched()).isEqualTo(oneByOne.unmatched());
        processor.transactions().filter(Transaction::accepted).forEach(transaction -> assertThat(
                        processor.published(transaction))
                .isEqualTo(sequences(transaction)));
        assertThat(processor.submissions().values()).allMatch(times -> times == 1);
    }

    @Provide
    Arbitrary<List<TransactionCommand>> commands() {
        return Combinators.combine(
                        Arbitraries.of(NEW),
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.integers().between(0, 100))
                .as(Step::new)
                .list()
                .ofMaxSize(20)
                .map(RedeliveryTest::commands);
    }

    /** A rail answers only after it was called, so an answer before the first {@code Process} is left out. */
    private static List<TransactionCommand> commands(List<Step> steps) {
        Set<TransactionId> started = new HashSet<>();
        List<TransactionCommand> commands = new ArrayList<>();
        for (Step step : steps) {
            TransactionCommand command = command(step, commands.size());
            if (command instanceof TransactionCommand.Process) {
                started.add(command.transactionId());
            }
            if (!(command instanceof TransactionCommand.RailAnswer) || started.contains(command.transactionId())) {
                commands.add(command);
            }
        }
        return commands;
    }

    private static TransactionCommand command(Step step, int position) {
        Transaction transaction = step.transaction;
        if (step.kind < 3) {
            return new TransactionCommand.Process(transaction);
        }
        if (step.kind < 6 && FakeProcessor.answersLater(transaction)) {
            List<RailOutcome> outcomes = new ArrayList<>(Situations.outcomes());
            outcomes.add(Situations.surplus(new RailOutcome.Pending()));
            outcomes.add(Situations.surplus(RailOutcome.Settled.asAgreed()));
            return Situations.answer(transaction, RailCallKind.SUBMIT, 1, outcomes.get(step.outcome % outcomes.size()));
        }
        return new TransactionCommand.Change(
                transaction.id(), new ChangeRef(new UUID(9, position), null), action(step));
    }

    /**
     * A cashout gets no sandbox action: whether it comes before the rail's answer depends on a crash, as for a cashout that takes
     * its time.
     */
    private static ChangeAction action(Step step) {
        if (step.transaction.operation() == Operation.CASHOUT) {
            return new ChangeAction.Cancel();
        }
        return switch (step.outcome % 5) {
            case 0 -> new ChangeAction.Cancel();
            case 1 -> new ChangeAction.Refund(new Amount(100), null, null);
            case 2 -> new ChangeAction.Refund(null, null, null);
            default -> new ChangeAction.Sandbox(SandboxAction.PAY);
        };
    }

    @Provide
    Arbitrary<List<Poll>> polls() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.frequency(
                                Tuple.of(1, 0),
                                Tuple.of(2, 1),
                                Tuple.of(2, 2),
                                Tuple.of(1, 3),
                                Tuple.of(3, Integer.MAX_VALUE)))
                .as(Poll::new)
                .list()
                .ofMaxSize(8);
    }

    private static Set<Integer> sequences(Transaction transaction) {
        return new LinkedHashSet<>(
                IntStream.rangeClosed(1, transaction.history().sequence())
                        .boxed()
                        .toList());
    }
}
