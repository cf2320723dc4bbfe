package dev.ligeiro.processor.decide;

import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a batch of commands: one {@link CommandRun} per transaction, and the transactions whose commands cannot be processed.
 * Immutable; each step returns the next state.
 *
 * @param unprocessable the transactions whose commands can never be processed, because they are not stored
 * @param unknown reports of a rail about transactions that do not exist
 * @param conflicts the number of bulk writes that found a transaction in another state than expected. Writes that
 *     failed only because of a newly discovered taken idempotency key do not count: there are at most as many as requests
 */
public record Batch(
        List<CommandRun> runs,
        Set<TransactionId> unprocessable,
        List<UnmatchedPayment> unknown,
        int conflicts,
        Rules rules) {

    /**
     * What all decisions of a batch follow.
     *
     * @param facts what the rail of a transaction states about itself; empty when this processor does not have the rail, which it counts
     * @param guard whether a cashout may go to its rail
     * @param confirmed the batch's decisions of operators that MongoDB has as confirmed: a writer to Kafka must not decide
     * @param disputes the disputes that the batch's commands are about, as MongoDB has them: a writer to Kafka must not block money
     * @param secret a random one, for all rail calls that the batch opens: with one for each call, equal updates would not share a statement
     */
    public record Rules(
            Function<Transaction, Optional<RailFacts>> facts,
            Function<Transaction, GuardVerdict> guard,
            Set<TransactionCommand> confirmed,
            Map<UUID, StoredDispute> disputes,
            UUID secret) {}

    /** Groups commands by transaction and keeps their order. */
    public static Map<TransactionId, List<TransactionCommand>> byTransaction(List<TransactionCommand> commands) {
        Map<TransactionId, List<TransactionCommand>> groups = new LinkedHashMap<>();
        for (TransactionCommand command : commands) {
            groups.computeIfAbsent(command.transactionId(), id -> new ArrayList<>(1))
                    .add(command);
        }
        return groups;
    }

    /**
     * A command of each transaction to read from the store, because its first command does not carry it, or because the carried copy is not
     * enough: without the rail this processor writes nothing and would not see that another one has; a guard must not count a repeated
     * command again.
     *
     * @param isEnough whether the copy that a command carries is enough
     */
    public static List<TransactionCommand> toLoad(
            Map<TransactionId, List<TransactionCommand>> groups, Predicate<Transaction> isEnough) {
        return groups.values().stream()
                .filter(commands -> {
                    Transaction carried = carried(commands);
                    return carried == null || !isEnough.test(carried);
                })
                .map(Batch::withTenant)
                .toList();
    }

    /**
     * A command of each transaction that is neither carried nor {@code loaded}. Skips transactions named only by due checks, because
     * a transaction that is not stored has no due work.
     */
    public static List<TransactionCommand> missing(
            Map<TransactionId, List<TransactionCommand>> groups, Map<TransactionId, Transaction> loaded) {
        return groups.entrySet().stream()
                .filter(group -> !loaded.containsKey(group.getKey()))
                .map(Map.Entry::getValue)
                .filter(commands -> carried(commands) == null)
                .filter(commands -> !commands.stream().allMatch(TransactionCommand.DueCheck.class::isInstance))
                .map(Batch::withTenant)
                .toList();
    }

    /** The first command that names the tenant, else the first one. */
    private static TransactionCommand withTenant(List<TransactionCommand> commands) {
        return commands.stream()
                .filter(command -> command.tenant() != null)
                .findFirst()
                .orElse(commands.get(0));
    }

    /**
     * Creates the state of a new batch.
     *
     * @param loaded the stored transactions of {@link #toLoad}
     */
    public static Batch begin(
            Map<TransactionId, List<TransactionCommand>> groups,
            Map<TransactionId, Transaction> loaded,
            Rules rules,
            Instant now) {
        List<CommandRun> runs = new ArrayList<>(groups.size());
        Set<TransactionId> unprocessable = new HashSet<>();
        List<UnmatchedPayment> unknown = new ArrayList<>();
        groups.forEach((id, commands) -> {
            boolean isCarried = !loaded.containsKey(id);
            Transaction base = isCarried ? carried(commands) : loaded.get(id);
            if (base == null) {
                unknown.addAll(reported(commands, now));
                if (needTransaction(commands)) {
                    unprocessable.add(id);
                }
                return;
            }
            runs.add(CommandRun.begin(commands, rules, base, isCarried));
        });
        return new Batch(runs, unprocessable, unknown, 0, rules);
    }

    /** Decides commands up to the next rail call of each transaction. */
    public Batch decide(Instant now) {
        return new Batch(runs.stream().map(run -> run.decide(now)).toList(), unprocessable, unknown, conflicts, rules);
    }

    /** The updates to write now, at most one per transaction. */
    public List<Update> updates() {
        return runs.stream().flatMap(run -> run.update().stream()).toList();
    }

    /**
     * The state after {@link #updates} were written.
     *
     * @param conflicts the stored transaction of each update that was not made, and the idempotency keys that are taken
     */
    public Batch written(Conflicts conflicts) {
        List<CommandRun> next = new ArrayList<>(runs.size());
        Set<TransactionId> nextUnprocessable = new HashSet<>(unprocessable);
        boolean isUnexpected = false;
        for (CommandRun run : runs) {
            Optional<Transaction> found = conflicts.stored().get(run.id());
            if (found == null) {
                next.add(run.written());
            } else if (found.isPresent()) {
                isUnexpected |= !run.learnsFrom(conflicts.keysTaken());
                next.add(run.restart(found.get(), conflicts.keysTaken()));
            } else {
                nextUnprocessable.add(run.id());
            }
        }
        return new Batch(next, nextUnprocessable, unknown, isUnexpected ? this.conflicts + 1 : this.conflicts, rules);
    }

    /** The runs whose rail must be called next. Call it after {@link #written}: every earlier decision must be durable. */
    public List<CommandRun> pendingRailCalls() {
        return runs.stream().filter(run -> run.railRequest() != null).toList();
    }

    /**
     * The state after the calls of {@link #pendingRailCalls} were made.
     *
     * @param answers the outcomes that came at once; the others come as commands
     * @param askedAt just before the calls
     */
    public Batch called(Map<TransactionId, RailOutcome> answers, Instant askedAt) {
        List<CommandRun> next = runs.stream()
                .map(run -> {
                    RailOutcome answer = answers.get(run.id());
                    return answer == null ? run.leftWithoutAnswer(askedAt) : run.answered(answer, askedAt);
                })
                .toList();
        return new Batch(next, unprocessable, unknown, conflicts, rules);
    }

    public boolean isComplete() {
        return runs.stream().allMatch(CommandRun::isComplete);
    }

    /** The events to send; those of one transaction are in their order. */
    public List<TransactionEvent> events() {
        return runs.stream().flatMap(CommandRun::events).toList();
    }

    /** What the books are told beside the events. Of money that names no stored transaction they know no tenant. */
    public List<BookEvent> bookEvents() {
        return runs.stream().flatMap(run -> run.bookEvents().stream()).toList();
    }

    /** Money that no transaction can take. */
    public List<UnmatchedPayment> unmatched() {
        return Stream.concat(unknown.stream(), runs.stream().flatMap(run -> run.unmatched().stream()))
                .toList();
    }

    /** Reports and due checks do not need a stored transaction: a report with an amount then becomes an unmatched payment. */
    private static boolean needTransaction(List<TransactionCommand> commands) {
        return !commands.stream()
                .allMatch(command -> command instanceof TransactionCommand.RailNotice
                        || command instanceof TransactionCommand.DueCheck);
    }

    private static List<UnmatchedPayment> reported(List<TransactionCommand> commands, Instant now) {
        return commands.stream()
                .flatMap(command -> command instanceof TransactionCommand.RailNotice notice && notice.amount() != null
                        ? Stream.of(NoticeDecisions.unmatched(notice, UnmatchedPayment.Reason.UNKNOWN_TRANSACTION, now))
                        : Stream.<UnmatchedPayment>empty())
                .toList();
    }

    private static @Nullable Transaction carried(List<TransactionCommand> commands) {
        return commands.get(0) instanceof TransactionCommand.Process process ? process.transaction() : null;
    }
}
