package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Decision.Kind.CHANGE;
import static dev.ligeiro.processor.decide.Decision.Kind.INQUIRE;
import static dev.ligeiro.processor.decide.Decision.Kind.NOTHING;
import static dev.ligeiro.processor.decide.Decision.Kind.SUBMIT;

import dev.ligeiro.message.SandboxAction;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent.Source;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;

/** The effect of commands and rail outcomes on a transaction. Idempotent: applying a command again changes nothing. */
final class CommandRules {

    private CommandRules() {}

    static Decision decide(Transaction transaction, TransactionCommand command, Instant now) {
        if (command instanceof TransactionCommand.Sandbox sandbox) {
            return sandbox(transaction, sandbox.action(), now);
        }
        return transaction.operation() == Operation.CASHIN ? startCashin(transaction) : startCashout(transaction, now);
    }

    /** Applies a rail's outcome: accepts the transaction, and moves it if the outcome is final. */
    static Transaction settle(Transaction transaction, RailOutcome outcome, Instant now) {
        if (outcome instanceof RailOutcome.Settled) {
            return transaction.moveTo(Status.PAID, now, Source.RAIL, null);
        }
        if (outcome instanceof RailOutcome.Rejected rejected) {
            return transaction.moveTo(Status.DENIED, now, Source.RAIL, rejected.reason());
        }
        return transaction.accept();
    }

    /** Registering a charge moves no money, so the rail is called first; acceptance and outcome are then one update. */
    private static Decision startCashin(Transaction transaction) {
        boolean isNew = transaction.status() == Status.PENDING && !transaction.accepted();
        return isNew ? new Decision(SUBMIT, transaction) : changeOrNothing(transaction, transaction.accept());
    }

    /**
     * {@code in_process} is stored before the submission. If it is already stored, the submission may have been made, so the rail
     * is asked by an inquiry.
     */
    private static Decision startCashout(Transaction transaction, Instant now) {
        return switch (transaction.status()) {
            case PENDING -> new Decision(SUBMIT, transaction.moveTo(Status.IN_PROCESS, now, Source.SYSTEM, null));
            case IN_PROCESS -> new Decision(INQUIRE, transaction);
            default -> changeOrNothing(transaction, transaction.accept());
        };
    }

    private static Decision sandbox(Transaction transaction, SandboxAction action, Instant now) {
        boolean moves = transaction.tenant().mode() == Mode.TEST
                && transaction.allowedMoves().contains(action.target());
        return moves
                ? new Decision(CHANGE, transaction.moveTo(action.target(), now, Source.SANDBOX, null))
                : new Decision(NOTHING, transaction);
    }

    private static Decision changeOrNothing(Transaction before, Transaction after) {
        return new Decision(before == after ? NOTHING : CHANGE, after);
    }
}
