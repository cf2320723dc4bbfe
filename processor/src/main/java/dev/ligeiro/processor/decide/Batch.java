package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state of a batch of commands: one {@link CommandRun} per transaction, and the refused transactions. Immutable; each step
 * returns the next state.
 *
 * @param refused the transactions whose commands can never be processed, with the reason
 * @param conflicts the number of bulk writes in which a stored transaction was not the expected one
 */
public record Batch(List<CommandRun> runs, Map<TransactionId, Refusal> refused, int conflicts) {

    /** Groups commands by transaction and keeps their order. */
    public static Map<TransactionId, List<TransactionCommand>> byTransaction(List<TransactionCommand> commands) {
        Map<TransactionId, List<TransactionCommand>> groups = new LinkedHashMap<>();
        for (TransactionCommand command : commands) {
            groups.computeIfAbsent(command.transactionId(), id -> new ArrayList<>(1))
                    .add(command);
        }
        return groups;
    }

    /** The transactions to read from the store, because their first command does not carry the transaction. */
    public static List<TransactionId> idsToLoad(Map<TransactionId, List<TransactionCommand>> groups) {
        return groups.entrySet().stream()
                .filter(group -> carried(group.getValue()) == null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Creates the state of a new batch.
     *
     * @param loaded the stored transactions among {@link #idsToLoad}
     * @param hasRail whether a mode has a rail
     */
    public static Batch begin(
            Map<TransactionId, List<TransactionCommand>> groups,
            Map<TransactionId, Transaction> loaded,
            Predicate<Mode> hasRail) {
        List<CommandRun> runs = new ArrayList<>(groups.size());
        Map<TransactionId, Refusal> refused = new HashMap<>();
        groups.forEach((id, commands) -> {
            Transaction carried = carried(commands);
            Transaction base = carried == null ? loaded.get(id) : carried;
            if (base == null) {
                refused.put(id, Refusal.TRANSACTION_NOT_FOUND);
            } else if (!hasRail.test(base.tenant().mode())) {
                refused.put(id, Refusal.NO_RAIL_FOR_MODE);
            } else {
                runs.add(CommandRun.begin(commands, base));
            }
        });
        return new Batch(runs, refused, 0);
    }

    /** Decides commands up to the next rail call of each transaction. */
    public Batch decide(Instant now) {
        return new Batch(runs.stream().map(run -> run.decide(now)).toList(), refused, conflicts);
    }

    /** The changes to write now, at most one per transaction. */
    public List<Change> changes() {
        return runs.stream().flatMap(run -> run.change().stream()).toList();
    }

    /**
     * The state after {@link #changes} were written.
     *
     * @param conflicting the stored transaction of each change that was not made; empty if the transaction is not stored
     */
    public Batch written(Map<TransactionId, Optional<Transaction>> conflicting) {
        List<CommandRun> next = new ArrayList<>(runs.size());
        Map<TransactionId, Refusal> nextRefused = new HashMap<>(refused);
        for (CommandRun run : runs) {
            Optional<Transaction> found = conflicting.get(run.id());
            if (found == null) {
                next.add(run.written());
            } else if (found.isPresent()) {
                next.add(run.restart(found.get()));
            } else {
                nextRefused.put(run.id(), Refusal.TRANSACTION_NOT_FOUND);
            }
        }
        return new Batch(next, nextRefused, conflicting.isEmpty() ? conflicts : conflicts + 1);
    }

    /** The runs whose rail must be called next. Call it after {@link #written}: every earlier decision must be durable. */
    public List<CommandRun> pendingRailCalls() {
        return runs.stream().filter(run -> run.pendingRailCall() != null).toList();
    }

    public Batch answered(Map<TransactionId, RailOutcome> answers, Instant now) {
        if (answers.isEmpty()) {
            return this;
        }
        List<CommandRun> next = runs.stream()
                .map(run -> {
                    RailOutcome answer = answers.get(run.id());
                    return answer == null ? run : run.answered(answer, now);
                })
                .toList();
        return new Batch(next, refused, conflicts);
    }

    public boolean isComplete() {
        return runs.stream().allMatch(CommandRun::isComplete);
    }

    /** The events to send; those of one transaction are in their order. */
    public List<TransactionEvent> events() {
        return runs.stream().flatMap(CommandRun::events).toList();
    }

    private static @Nullable Transaction carried(List<TransactionCommand> commands) {
        return commands.get(0) instanceof TransactionCommand.Process process ? process.transaction() : null;
    }
}
