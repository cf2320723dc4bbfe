package dev.ligeiro.processor.rail;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.decide.Batch;
import dev.ligeiro.processor.decide.CommandOutcome;
import dev.ligeiro.processor.decide.Conflicts;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.processor.decide.Update;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** What is outside of the processors and survives their crashes: commands, stored transactions, events, and the network to the rail. */
final class ContractWorld {

    /** More than any scenario needs; a transaction that does not end reaches it. */
    private static final int ROUNDS_MAX = 1_000;

    final TestClock clock;
    final RailNetwork network;
    final List<TransactionCommand> commands = new ArrayList<>();
    private final List<UnmatchedPayment> unmatched = new ArrayList<>();
    private final Set<CommandOutcome> refused = new HashSet<>();
    private final List<RailScenario> notPaidYet = new ArrayList<>();
    private final Map<TransactionId, Transaction> stored = new LinkedHashMap<>();
    private final Map<TransactionId, Set<Integer>> announced = new HashMap<>();
    private final RailUnderTest rail;
    private IntConsumer atEachStep = step -> {};
    private IntPredicate lateAnswers = answer -> false;
    private IntSupplier batchMax = () -> Integer.MAX_VALUE / 2;
    private int answers;
    private final BitSet stepsAfterChange = new BitSet();
    private int committed;
    private int commits;
    private int secrets;
    private int steps;
    private Instant restoredAt = Instant.EPOCH;

    ContractWorld(RailUnderTest rail, TestClock clock, RailNetwork network) {
        this.rail = rail;
        this.clock = clock;
        this.network = network;
    }

    /** @param action is called with the number of each step of a processor, from 1; it may throw a {@link Crash} */
    void atEachStep(IntConsumer action) {
        this.atEachStep = action;
    }

    /** @param answers the numbers, from 1, of the answers whose commands wait in Kafka until their calls have long been due again */
    void lateAnswers(IntPredicate answers) {
        this.lateAnswers = answers;
    }

    /** @param commands the most commands of each next batch */
    void batchMax(IntSupplier commands) {
        this.batchMax = commands;
    }

    int batchMax() {
        return batchMax.getAsInt();
    }

    /** Ends a processor between two steps. */
    static final class Crash extends RuntimeException {

        private final boolean offsetsLost;
        private final Duration pause;

        /** @param offsetsLost whether the next processor starts at the first command again */
        Crash(boolean offsetsLost) {
            this(offsetsLost, Duration.ZERO);
        }

        /** @param pause after which the next processor starts */
        Crash(boolean offsetsLost, Duration pause) {
            super("crash", null, false, false);
            this.offsetsLost = offsetsLost;
            this.pause = pause;
        }
    }

    /** Stores the transaction and sends its first commands. */
    void begin(RailScenario scenario) {
        stored.put(scenario.transaction().id(), scenario.transaction());
        commands.addAll(scenario.commands());
        notPaidYet.add(scenario);
    }

    /** Restores a backup from before any processing; the gateway sends the transaction's command again. */
    void restore(RailScenario scenario) {
        restoredAt = clock.instant().plusSeconds(1);
        stored.put(scenario.transaction().id(), scenario.transaction());
        announced.remove(scenario.transaction().id());
        commands.add(new TransactionCommand.Process(scenario.transaction()));
    }

    Instant restoredAt() {
        return restoredAt;
    }

    /** The reasons for which commands became dead letters. */
    Set<CommandOutcome> refused() {
        return refused;
    }

    List<UnmatchedPayment> unmatched() {
        return unmatched;
    }

    Transaction read(TransactionId id) {
        return Objects.requireNonNull(stored.get(id));
    }

    Map<TransactionId, Transaction> load(List<TransactionCommand> wanted) {
        Map<TransactionId, Transaction> found = new HashMap<>(stored);
        found.keySet()
                .retainAll(
                        wanted.stream().map(TransactionCommand::transactionId).toList());
        return found;
    }

    /** Compare-and-set by version and acceptance, like the store. */
    Conflicts write(List<Update> updates) {
        Map<TransactionId, Optional<Transaction>> conflicts = new HashMap<>();
        for (Update update : updates) {
            Transaction now = read(update.id());
            boolean isExpected = now.version() == update.before().version()
                    && (update.before().accepted() || !now.accepted());
            if (isExpected) {
                stored.put(update.id(), update.after());
            } else if (update.takesSubmission() || !now.equals(update.after())) {
                conflicts.put(update.id(), Optional.of(now));
            }
        }
        return new Conflicts(conflicts, Set.of());
    }

    void report(Batch batch) {
        batch.runs().forEach(run -> refused.addAll(run.outcomes()));
        refused.retainAll(CommandOutcome.REFUSALS);
        unmatched.addAll(batch.unmatched());
        List<TransactionEvent> events = batch.events();
        events.forEach(event -> announced
                .computeIfAbsent(event.transaction().id(), id -> new HashSet<>())
                .add(event.id().sequence()));
    }

    Set<Integer> announced(TransactionId id) {
        return announced.getOrDefault(id, Set.of());
    }

    /** The secret of the next batch, no other batch's; random ones would take seconds of the contract. */
    UUID nextSecret() {
        return new UUID(0, ++secrets);
    }

    void publish(TransactionCommand.RailAnswer answer) {
        if (lateAnswers.test(++answers)) {
            network.muchLater(() -> commands.add(answer));
        } else {
            commands.add(answer);
        }
    }

    int committed() {
        return committed;
    }

    void commit(int offset) {
        commits++;
        committed = Math.max(committed, offset);
    }

    /** How many batches have been committed. */
    int commits() {
        return commits;
    }

    int steps() {
        return steps;
    }

    void step() {
        step(true);
    }

    /** @param isAfterChange whether a processor, or the rail, can tell this step from the one before */
    void step(boolean isAfterChange) {
        steps++;
        stepsAfterChange.set(steps, isAfterChange);
        atEachStep.accept(steps);
    }

    boolean isAfterChange(int step) {
        return stepsAfterChange.get(step);
    }

    /** Processes until nothing is left to do, with a new processor now and after each crash. */
    void runToTheEnd() {
        ContractProcessor processor = new ContractProcessor(this);
        for (int round = 0; round < ROUNDS_MAX; round++) {
            try {
                if (!processor.work() && !sendWhatFollows() && !passTime()) {
                    return;
                }
            } catch (Crash crash) {
                processor.crash();
                committed = crash.offsetsLost ? 0 : committed;
                clock.move(crash.pause);
                network.arrive();
                processor = new ContractProcessor(this);
            }
        }
        throw new AssertionError("no end after " + ROUNDS_MAX + " rounds: " + stored.values());
    }

    /** Another processor processes and commits all commands, while the first one still works. */
    void takeOver() {
        ContractProcessor other = new ContractProcessor(this);
        while (other.work()) {}
    }

    private boolean sendWhatFollows() {
        List<RailScenario> paid = notPaidYet.stream()
                .filter(scenario -> read(scenario.transaction().id()).status() == Status.PAID)
                .toList();
        notPaidYet.removeAll(paid);
        paid.forEach(scenario -> commands.addAll(scenario.whenPaid()));
        return !paid.isEmpty();
    }

    /** Moves the clock to the next time at which something happens, and makes it happen; false if nothing will. */
    private boolean passTime() {
        rail.release();
        Optional<Instant> due = stored.values().stream()
                .map(Transaction::dueAt)
                .filter(Objects::nonNull)
                .min(Instant::compareTo);
        Optional<Instant> next =
                Stream.concat(due.stream(), network.nextArrival().stream()).min(Instant::compareTo);
        if (next.isEmpty()) {
            return false;
        }
        Duration wait = Duration.between(clock.instant(), next.get());
        clock.move(wait.isNegative() ? Duration.ZERO : wait);
        network.arrive();
        for (Transaction transaction : stored.values()) {
            Instant dueAt = transaction.dueAt();
            if (dueAt != null && !dueAt.isAfter(clock.instant())) {
                commands.add(new TransactionCommand.DueCheck(transaction.tenant(), transaction.id(), clock.instant()));
            }
        }
        return true;
    }
}
