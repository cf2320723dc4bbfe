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

/** What commands and rail outcomes do to a transaction. Each applied a second time changes nothing. */
final class CommandRules {

    private CommandRules() {}

    static Decision decide(Transaction transaction, TransactionCommand command, Instant now) {
        if (command instanceof TransactionCommand.Sandbox sandbox) {
            return sandbox(transaction, sandbox.action(), now);
        }
        return transaction.operation() == Operation.CASHIN ? startCashin(transaction) : startCashout(transaction, now);
    }

    /** The transaction after its rail has answered: accepted, and moved when the answer is final. */
    static Transaction settle(Transaction transaction, RailOutcome outcome, Instant now) {
        if (outcome instanceof RailOutcome.Settled) {
            return transaction.moveTo(Status.PAID, now, Source.RAIL, null);
        }
        if (outcome instanceof RailOutcome.Rejected rejected) {
            return transaction.moveTo(Status.DENIED, now, Source.RAIL, rejected.reason());
        }
        return transaction.accept();
    }

    /** Registering a charge moves no money: the rail is asked first, so that acceptance and outcome are one update. */
    private static Decision startCashin(Transaction transaction) {
        boolean untouched = transaction.status() == Status.PENDING && !transaction.accepted();
        return untouched ? new Decision(SUBMIT, transaction) : changeOrNothing(transaction, transaction.accept());
    }

    /** {@code in_process} comes before the submission, and whoever finds it there cannot know whether one was made. */
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
