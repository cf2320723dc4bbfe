package dev.ligeiro.processor.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.SandboxAction;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailCall;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * However commands fall into batches, wherever the processor dies and whatever is delivered again: the same history, without
 * gaps, every event told, no cashout submitted twice. The store, the rail and the topic are maps; the steps are those of the flow.
 */
class RedeliveryTest {

    private static final List<Transaction> NEW = List.of(
            Transactions.cashin(new Amount(15075)),
            Transactions.cashin(new Amount(5011)),
            Transactions.cashin(new Amount(5012)),
            Transactions.cashout(new Amount(15075)),
            Transactions.cashout(new Amount(5012)));

    private static final Set<TransactionId> CASHINS = NEW.stream()
            .filter(transaction -> transaction.operation() == Operation.CASHIN)
            .map(Transaction::id)
            .collect(Collectors.toSet());

    /**
     * One poll.
     *
     * @param back how many commands are delivered again, before the new ones
     * @param fresh how many new ones there are
     * @param writes how many bulks it lives for; its events are sent only when it lives through all
     */
    record Poll(int back, int fresh, int writes) {}

    @Property(tries = 2000)
    void historyDoesNotDependOnBatchesCrashesAndRedelivery(
            @ForAll("commands") List<TransactionCommand> commands, @ForAll("polls") List<Poll> polls) {
        World oneByOne = new World();
        commands.forEach(command -> oneByOne.process(List.of(command), Integer.MAX_VALUE));

        World world = new World();
        int position = 0;
        for (Poll poll : polls) {
            int from = Math.max(0, position - poll.back);
            int to = Math.min(commands.size(), position + poll.fresh);
            boolean lived = world.process(commands.subList(from, to), poll.writes);
            // what a dead processor had in hand comes again
            position = lived ? to : from;
        }
        world.process(commands.subList(position, commands.size()), Integer.MAX_VALUE);

        assertThat(world.histories()).isEqualTo(oneByOne.histories());
        world.stored.values().forEach(RedeliveryTest::hasNoGap);
        world.stored.values().stream()
                .filter(Transaction::accepted)
                .forEach(transaction -> assertThat(world.told(transaction)).isEqualTo(sequences(transaction)));
        assertThat(world.submissions.values()).allMatch(times -> times == 1);
    }

    @Provide
    Arbitrary<List<TransactionCommand>> commands() {
        Arbitrary<TransactionCommand> command = Combinators.combine(Arbitraries.of(NEW), Arbitraries.of(true, false))
                .as((transaction, start) -> start
                        ? new TransactionCommand.Process(transaction)
                        : new TransactionCommand.Sandbox(transaction.id(), SandboxAction.PAY));
        return command.list().ofMaxSize(16).map(RedeliveryTest::withoutEarlyPayments);
    }

    /**
     * A tester's payment that overtakes the start of its cashout does nothing, but pays when it comes again while the cashout is
     * in process: what the tester asked for, so the one case where delivering again shows.
     */
    private static List<TransactionCommand> withoutEarlyPayments(List<TransactionCommand> commands) {
        Set<TransactionId> started = new HashSet<>();
        List<TransactionCommand> kept = new ArrayList<>();
        for (TransactionCommand command : commands) {
            if (command instanceof TransactionCommand.Process) {
                started.add(command.transactionId());
            }
            if (CASHINS.contains(command.transactionId()) || started.contains(command.transactionId())) {
                kept.add(command);
            }
        }
        return kept;
    }

    @Provide
    Arbitrary<List<Poll>> polls() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(0, 4))
                .as(Poll::new)
                .list()
                .ofMaxSize(8);
    }

    private static void hasNoGap(Transaction transaction) {
        assertThat(transaction.events().stream().map(StatusEvent::sequence))
                .containsExactlyElementsOf(sequences(transaction));
    }

    private static Set<Integer> sequences(Transaction transaction) {
        return new LinkedHashSet<>(
                IntStream.rangeClosed(1, transaction.version()).boxed().toList());
    }

    /** What outlives a processor. */
    private static final class World {

        private final Map<TransactionId, Transaction> stored = new HashMap<>();
        private final List<EventId> told = new ArrayList<>();
        private final Map<TransactionId, Integer> submissions = new HashMap<>();
        private Instant now = Transactions.CREATED_AT;

        World() {
            NEW.forEach(transaction -> stored.put(transaction.id(), transaction));
        }

        /** @return whether the processor lived to the end of the batch */
        boolean process(List<TransactionCommand> commands, int writes) {
            Batch batch = Batch.begin(Batch.byTransaction(commands), stored, mode -> true);
            int left = writes;
            do {
                now = now.plusMillis(1);
                Batch decided = batch.decide(now);
                if (!decided.changes().isEmpty() && left-- == 0) {
                    return false;
                }
                Batch written = decided.written(write(decided.changes()));
                batch = written.answered(ask(written.pendingRailCalls()), now);
            } while (!batch.isComplete());
            if (left == 0) {
                return false;
            }
            batch.events().stream().map(TransactionEvent::id).forEach(told::add);
            return true;
        }

        private Map<TransactionId, Optional<Transaction>> write(List<Change> changes) {
            Map<TransactionId, Optional<Transaction>> conflicts = new HashMap<>();
            for (Change change : changes) {
                Transaction found = stored.getOrDefault(change.id(), change.before());
                boolean matches = found.version() == change.before().version()
                        && (change.before().accepted() || !found.accepted());
                if (matches) {
                    stored.put(change.id(), change.after());
                } else if (!found.equals(change.after())) {
                    conflicts.put(change.id(), Optional.of(found));
                }
            }
            return conflicts;
        }

        private Map<TransactionId, RailOutcome> ask(List<CommandRun> pendingRailCalls) {
            Map<TransactionId, RailOutcome> answers = new HashMap<>();
            for (CommandRun run : pendingRailCalls) {
                if (run.pendingRailCall() == RailCall.SUBMIT && run.stored().operation() == Operation.CASHOUT) {
                    submissions.merge(run.id(), 1, Integer::sum);
                }
                answers.put(run.id(), outcome(run.stored()));
            }
            return answers;
        }

        private static RailOutcome outcome(Transaction transaction) {
            return switch ((int) (transaction.amount().cents() % 100)) {
                case 12 -> new RailOutcome.Rejected("rejected_by_rail");
                case 11 -> new RailOutcome.Settled();
                default ->
                    transaction.operation() == Operation.CASHOUT
                            ? new RailOutcome.Settled()
                            : new RailOutcome.Pending();
            };
        }

        Set<Integer> told(Transaction transaction) {
            Set<Integer> sequences = new LinkedHashSet<>();
            told.stream()
                    .filter(id -> id.transactionId().equals(transaction.id()))
                    .forEach(id -> sequences.add(id.sequence()));
            return sequences;
        }

        /** Without the times. */
        Map<TransactionId, List<String>> histories() {
            Map<TransactionId, List<String>> histories = new HashMap<>();
            stored.forEach((id, transaction) -> histories.put(
                    id,
                    transaction.events().stream()
                            .map(event -> event.sequence() + " " + event.status() + " " + event.source() + " "
                                    + transaction.accepted())
                            .toList()));
            return histories;
        }
    }
}
