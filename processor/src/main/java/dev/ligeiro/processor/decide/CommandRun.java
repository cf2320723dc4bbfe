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
 * One transaction's run in a batch: its commands are decided in order until the rail has to be asked, which waits until all
 * that is decided is durable; then on with the answer. So the result does not depend on how commands fall into batches.
 *
 * @param commands all of the batch's for this transaction, in the order of their records
 * @param outcomes of the commands decided so far
 * @param stored what the store holds
 * @param decided what it shall hold
 * @param pendingRailCall what the rail has to be asked once {@code decided} is stored; null for nothing
 * @param announceFrom the first event to send: earlier ones than this batch's when another attempt may have died before sending
 */
public record CommandRun(
        List<TransactionCommand> commands,
        List<CommandOutcome> outcomes,
        Transaction stored,
        Transaction decided,
        @Nullable RailCall pendingRailCall,
        int announceFrom) {

    /** @param stored what the store holds, or what it is expected to hold: a wrong guess is found by the compare-and-set */
    static CommandRun begin(List<TransactionCommand> commands, Transaction stored) {
        return new CommandRun(commands, List.of(), stored, stored, null, stored.accepted() ? stored.version() + 1 : 1);
    }

    public TransactionId id() {
        return stored.id();
    }

    /** Decides commands until none is left or the rail has to be asked. */
    CommandRun decide(Instant now) {
        CommandRun run = this;
        while (run.pendingRailCall == null && run.outcomes.size() < commands.size()) {
            run = run.decideNext(now);
        }
        return run;
    }

    /** The compare-and-set that is due, if any. */
    Optional<Change> change() {
        boolean changed = decided.version() != stored.version() || decided.accepted() != stored.accepted();
        return changed ? Optional.of(new Change(stored, decided)) : Optional.empty();
    }

    /** After the store has made {@link #change}. */
    CommandRun written() {
        return new CommandRun(commands, outcomes, decided, decided, pendingRailCall, announceFrom);
    }

    /**
     * After the store turned out to hold something else: all commands again, on that. Whoever wrote it may have died before
     * sending its events, so all of them are due.
     */
    CommandRun startOver(Transaction found) {
        return new CommandRun(commands, List.of(), found, found, null, 1);
    }

    /** After the rail has answered the {@link #pendingRailCall}. */
    CommandRun answered(RailOutcome outcome, Instant now) {
        return new CommandRun(
                commands, outcomes, stored, CommandRules.settle(decided, outcome, now), null, announceFrom);
    }

    boolean isOver() {
        return pendingRailCall == null && outcomes.size() == commands.size() && change().isEmpty();
    }

    /** The events to send, oldest first; none while the transaction is not accepted, since none is due yet. */
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
