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
 * A batch of commands on its way: a {@link CommandRun} for each transaction, and what was refused. Immutable; each step gives the
 * next one.
 *
 * @param conflicts how many writes found that the store held something else
 */
public record Batch(List<CommandRun> runs, Map<TransactionId, Refusal> refused, int conflicts) {

    /** The commands of each transaction, in their order. */
    public static Map<TransactionId, List<TransactionCommand>> byTransaction(List<TransactionCommand> commands) {
        Map<TransactionId, List<TransactionCommand>> groups = new LinkedHashMap<>();
        for (TransactionCommand command : commands) {
            groups.computeIfAbsent(command.transactionId(), id -> new ArrayList<>(1))
                    .add(command);
        }
        return groups;
    }

    /** The transactions that have to be read, since their first command does not carry them. */
    public static List<TransactionId> notCarried(Map<TransactionId, List<TransactionCommand>> groups) {
        return groups.entrySet().stream()
                .filter(group -> carried(group.getValue()) == null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * @param loaded the transactions of {@link #notCarried} that the store holds
     * @param hasRail whether transactions of a mode have a rail
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

    /** Decides what can be decided without asking a rail. */
    public Batch decide(Instant now) {
        return new Batch(runs.stream().map(run -> run.decide(now)).toList(), refused, conflicts);
    }

    /** What the store has to write now, at most one change of each transaction. */
    public List<Change> changes() {
        return runs.stream().flatMap(run -> run.change().stream()).toList();
    }

    /** @param others what the store holds instead of what a change expected, empty for a transaction it does not hold */
    public Batch written(Map<TransactionId, Optional<Transaction>> others) {
        List<CommandRun> next = new ArrayList<>(runs.size());
        Map<TransactionId, Refusal> nextRefused = new HashMap<>(refused);
        for (CommandRun run : runs) {
            Optional<Transaction> found = others.get(run.id());
            if (found == null) {
                next.add(run.written());
            } else if (found.isPresent()) {
                next.add(run.startOver(found.get()));
            } else {
                nextRefused.put(run.id(), Refusal.TRANSACTION_NOT_FOUND);
            }
        }
        return new Batch(next, nextRefused, others.isEmpty() ? conflicts : conflicts + 1);
    }

    /** The runs that wait for their rail: all that they have decided is durable. */
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

    public boolean isOver() {
        return runs.stream().allMatch(CommandRun::isOver);
    }

    /** The events to send, each transaction's in their order. */
    public List<TransactionEvent> events() {
        return runs.stream().flatMap(CommandRun::events).toList();
    }

    private static @Nullable Transaction carried(List<TransactionCommand> commands) {
        return commands.get(0) instanceof TransactionCommand.Process process ? process.transaction() : null;
    }
}
