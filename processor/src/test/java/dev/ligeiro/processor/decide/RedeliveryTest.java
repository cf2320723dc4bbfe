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
 * For every division into batches, every crash and every redelivery the histories are the same and without gaps, every event is
 * published and no cashout is submitted twice. Store, rail and topic are maps; the steps are those of {@code ProcessCommands}.
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
     * One batch.
     *
     * @param redelivered the number of earlier commands at its start
     * @param added the number of new commands
     * @param bulksMax the processor crashes before the next bulk, or before sending the events if this was the last one
     */
    record Poll(int redelivered, int added, int bulksMax) {}

    @Property(tries = 2000)
    void historyDoesNotDependOnBatchesCrashesAndRedelivery(
            @ForAll("commands") List<TransactionCommand> commands, @ForAll("polls") List<Poll> polls) {
        Environment oneByOne = new Environment();
        commands.forEach(command -> oneByOne.process(List.of(command), Integer.MAX_VALUE));

        Environment environment = new Environment();
        int position = 0;
        for (Poll poll : polls) {
            int from = Math.max(0, position - poll.redelivered);
            int to = Math.min(commands.size(), position + poll.added);
            boolean completed = environment.process(commands.subList(from, to), poll.bulksMax);
            // Kafka redelivers the batch of a crashed processor
            position = completed ? to : from;
        }
        environment.process(commands.subList(position, commands.size()), Integer.MAX_VALUE);

        assertThat(environment.histories()).isEqualTo(oneByOne.histories());
        environment.stored.values().forEach(RedeliveryTest::hasNoGap);
        environment.stored.values().stream().filter(Transaction::accepted).forEach(transaction -> assertThat(
                        environment.published(transaction))
                .isEqualTo(sequences(transaction)));
        assertThat(environment.submissions.values()).allMatch(times -> times == 1);
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
     * Drops sandbox payments before the start of their cashout: they have no effect, but pay if they are redelivered while the
     * cashout is in process. This is the only case in which redelivery changes the result, and it is accepted.
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

    /** The state outside the processor, which survives its crashes. */
    private static final class Environment {

        private final Map<TransactionId, Transaction> stored = new HashMap<>();
        private final List<EventId> published = new ArrayList<>();
        private final Map<TransactionId, Integer> submissions = new HashMap<>();
        private Instant now = Transactions.CREATED_AT;

        Environment() {
            NEW.forEach(transaction -> stored.put(transaction.id(), transaction));
        }

        /** @return whether the batch was completed; false after a crash */
        boolean process(List<TransactionCommand> commands, int bulksMax) {
            Batch batch = Batch.begin(Batch.byTransaction(commands), stored, mode -> true);
            int left = bulksMax;
            do {
                now = now.plusMillis(1);
                Batch decided = batch.decide(now);
                if (!decided.changes().isEmpty() && left-- == 0) {
                    return false;
                }
                Batch written = decided.written(write(decided.changes()));
                batch = written.answered(callRails(written.pendingRailCalls()), now);
            } while (!batch.isComplete());
            if (left == 0) {
                return false;
            }
            batch.events().stream().map(TransactionEvent::id).forEach(published::add);
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

        private Map<TransactionId, RailOutcome> callRails(List<CommandRun> pendingRailCalls) {
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

        Set<Integer> published(Transaction transaction) {
            Set<Integer> sequences = new LinkedHashSet<>();
            published.stream()
                    .filter(id -> id.transactionId().equals(transaction.id()))
                    .forEach(id -> sequences.add(id.sequence()));
            return sequences;
        }

        /** The histories without their times. */
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
