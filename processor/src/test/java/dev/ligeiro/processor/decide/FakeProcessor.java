package dev.ligeiro.processor.decide;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A processor whose store, rail and topic are maps, which survive its crashes; the steps are those of {@code ProcessCommands}. Its rail
 * answers at once like the simulator, except for transactions of {@link #LATER_CENTS}.
 */
final class FakeProcessor {

    static final long LATER_CENTS = 7_777;

    private final Map<TransactionId, Transaction> stored = new LinkedHashMap<>();
    private final List<EventId> published = new ArrayList<>();
    private final Set<String> unmatched = new TreeSet<>();
    private final Map<Object, Integer> submissions = new HashMap<>();
    private Instant now = Transactions.CREATED_AT;

    FakeProcessor(List<Transaction> created) {
        created.forEach(transaction -> stored.put(transaction.id(), transaction));
    }

    static boolean answersLater(Transaction transaction) {
        return transaction.terms().amount().cents() == LATER_CENTS;
    }

    private static Optional<RailFacts> facts(Transaction transaction) {
        return Optional.of(answersLater(transaction) ? Situations.REMOTE : Situations.BY_ID);
    }

    /**
     * @param bulksMax the processor crashes before the next bulk
     * @return whether the batch was completed; false after a crash
     */
    boolean process(List<TransactionCommand> commands, int bulksMax) {
        Batch batch = Batch.begin(Batch.byTransaction(commands), stored, FakeProcessor::facts, now);
        int left = bulksMax;
        do {
            now = now.plusMillis(1);
            Batch decided = batch.decide(now);
            if (!decided.updates().isEmpty() && left-- == 0) {
                return false;
            }
            Batch written = decided.written(write(decided.updates()));
            batch = written.called(callRails(written.pendingRailCalls()), now);
        } while (!batch.isComplete());
        if (left == 0) {
            return false;
        }
        batch.unmatched().forEach(payment -> unmatched.add(payment.transactionId() + " " + payment.reason()));
        batch.events().stream().map(TransactionEvent::id).forEach(published::add);
        return true;
    }

    /** Looks at the rail calls whose rail answers at once. */
    void lookUntilNothingIsDue() {
        while (stored.values().stream().anyMatch(FakeProcessor::isDue)) {
            now = now.plus(Duration.ofMinutes(5));
            List<TransactionCommand> looks = stored.values().stream()
                    .filter(FakeProcessor::isDue)
                    .map(Situations::dueCheck)
                    .toList();
            process(looks, Integer.MAX_VALUE);
        }
    }

    Stream<Transaction> transactions() {
        return stored.values().stream();
    }

    /** The sequences of the published events, in the order of their first publication. */
    Set<Integer> published(Transaction transaction) {
        Set<Integer> sequences = new LinkedHashSet<>();
        published.stream()
                .filter(id -> id.transactionId().equals(transaction.id()))
                .forEach(id -> sequences.add(id.sequence()));
        return sequences;
    }

    Set<String> unmatched() {
        return unmatched;
    }

    /** How many times each cashout and each refund was submitted. */
    Map<Object, Integer> submissions() {
        return submissions;
    }

    /** The statuses and then the other entries, without times: a refund or a refused request may come before or after an answer. */
    Map<TransactionId, List<String>> histories() {
        Map<TransactionId, List<String>> histories = new HashMap<>();
        stored.forEach((id, transaction) -> {
            List<Entry> entries = transaction.history().entries();
            Stream<String> statuses =
                    entries.stream().filter(entry -> entry.newStatus() != null).map(FakeProcessor::described);
            Stream<String> others = entries.stream()
                    .filter(entry -> entry.newStatus() == null)
                    .map(FakeProcessor::described)
                    .sorted();
            histories.put(id, Stream.concat(statuses, others).toList());
        });
        return histories;
    }

    private static String described(Entry entry) {
        if (entry instanceof Entry.StatusChanged changed) {
            return changed.status() + " " + changed.source();
        }
        return entry.getClass().getSimpleName() + " " + entry.changeId() + " " + entry.newStatus();
    }

    private static boolean isDue(Transaction transaction) {
        return !answersLater(transaction) && !transaction.railCalls().isEmpty();
    }

    private Conflicts write(List<Update> updates) {
        Map<TransactionId, Optional<Transaction>> conflicts = new HashMap<>();
        for (Update update : updates) {
            Transaction found = Objects.requireNonNull(stored.get(update.id()));
            boolean matches = found.version() == update.before().version()
                    && (update.before().accepted() || !found.accepted());
            if (matches) {
                stored.put(update.id(), update.after());
            } else if (!found.equals(update.after())) {
                conflicts.put(update.id(), Optional.of(found));
            }
        }
        return new Conflicts(conflicts, Set.of());
    }

    private Map<TransactionId, RailOutcome> callRails(List<CommandRun> runs) {
        Map<TransactionId, RailOutcome> answers = new HashMap<>();
        for (CommandRun run : runs) {
            RailRequest request = Objects.requireNonNull(run.railRequest());
            boolean movesMoney = request.refund() != null || run.stored().operation() == Operation.CASHOUT;
            if (request.call() == RailCallKind.SUBMIT && movesMoney) {
                submissions.merge(Objects.requireNonNullElse(request.refund(), run.id()), 1, Integer::sum);
            }
            if (!answersLater(run.stored())) {
                answers.put(run.id(), outcome(run.stored(), request));
            }
        }
        return answers;
    }

    private static RailOutcome outcome(Transaction transaction, RailRequest request) {
        if (request.refund() != null) {
            return RailOutcome.Settled.asAgreed();
        }
        return switch ((int) (transaction.terms().amount().cents() % 100)) {
            case 12 -> new RailOutcome.Rejected("rejected_by_rail");
            case 11 -> RailOutcome.Settled.asAgreed();
            default ->
                transaction.operation() == Operation.CASHOUT
                        ? RailOutcome.Settled.asAgreed()
                        : new RailOutcome.Pending();
        };
    }
}
