package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.rail.RailCall;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processing state of one transaction's commands in a batch. Commands are decided in order up to the first that needs a rail
 * call. The decisions are stored, the rail is called, its outcome is applied, and the next commands are decided. The result is
 * therefore the same for every division of the commands into batches.
 *
 * @param commands the batch's commands for this transaction, in the order of their records
 * @param outcomes the outcomes of the commands decided so far
 * @param stored the transaction in the store, as last read, written or carried by a command
 * @param decided the transaction after the decisions, to be stored
 * @param pendingRailCall the rail call to make once {@code decided} is stored; null for none
 * @param announceFrom the sequence of the first event to send. It is 1 if an earlier attempt may have ended before sending
 */
public record CommandRun(
        List<TransactionCommand> commands,
        List<CommandOutcome> outcomes,
        Transaction stored,
        Transaction decided,
        @Nullable RailCall pendingRailCall,
        int announceFrom) {

    /** @param stored the stored transaction, or the one that the command carries; the compare-and-set detects a difference */
    static CommandRun begin(List<TransactionCommand> commands, Transaction stored) {
        return new CommandRun(commands, List.of(), stored, stored, null, stored.accepted() ? stored.version() + 1 : 1);
    }

    public TransactionId id() {
        return stored.id();
    }

    /** Decides commands until none is left or one needs a rail call. */
    CommandRun decide(Instant now) {
        CommandRun run = this;
        while (run.pendingRailCall == null && run.outcomes.size() < commands.size()) {
            run = run.decideNext(now);
        }
        return run;
    }

    /** The change to store, if any. */
    Optional<Change> change() {
        boolean changed = decided.version() != stored.version() || decided.accepted() != stored.accepted();
        return changed ? Optional.of(new Change(stored, decided)) : Optional.empty();
    }

    /** The state after {@link #change} was stored. */
    CommandRun written() {
        return new CommandRun(commands, outcomes, decided, decided, pendingRailCall, announceFrom);
    }

    /**
     * The state after a conflict: all commands are decided again, starting from the stored transaction {@code found}. All events
     * are sent, because the process that stored it may have died before sending them.
     */
    CommandRun restart(Transaction found) {
        return new CommandRun(commands, List.of(), found, found, null, 1);
    }

    /** The state after the rail's response to {@link #pendingRailCall}. */
    CommandRun answered(RailOutcome outcome, Instant now) {
        return new CommandRun(
                commands, outcomes, stored, CommandRules.settle(decided, outcome, now), null, announceFrom);
    }

    /** Whether all commands are decided and all changes stored. */
    boolean isComplete() {
        return pendingRailCall == null && outcomes.size() == commands.size() && change().isEmpty();
    }

    /** The events to send, oldest first; none before the transaction is accepted. */
    Stream<TransactionEvent> events() {
        return stored.accepted()
                ? IntStream.rangeClosed(announceFrom, stored.version())
                        .mapToObj(sequence -> TransactionEvent.of(stored, sequence))
                : Stream.empty();
    }

    private CommandRun decideNext(Instant now) {
        Decision decision = CommandRules.decide(decided, commands.get(outcomes.size()), now);
        return switch (decision.kind()) {
            case CHANGE -> next(CommandOutcome.APPLIED, decision.after(), null, announceFrom);
            case SUBMIT -> next(CommandOutcome.APPLIED, decision.after(), RailCall.SUBMIT, announceFrom);
            case INQUIRE -> next(CommandOutcome.UNCHANGED, decision.after(), RailCall.INQUIRE, 1);
            case NOTHING -> next(CommandOutcome.UNCHANGED, decision.after(), null, 1);
        };
    }

    private CommandRun next(CommandOutcome outcome, Transaction after, @Nullable RailCall nextCall, int from) {
        List<CommandOutcome> soFar = new ArrayList<>(outcomes.size() + 1);
        soFar.addAll(outcomes);
        soFar.add(outcome);
        return new CommandRun(commands, soFar, stored, after, nextCall, from);
    }
}
