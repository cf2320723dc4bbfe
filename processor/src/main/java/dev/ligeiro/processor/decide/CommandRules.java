package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;

/** The effect of commands on a transaction. Idempotent: applying a command again changes nothing. */
final class CommandRules {

    private CommandRules() {}

    static Decision decide(Context context, TransactionCommand command) {
        if (command instanceof TransactionCommand.Process) {
            return start(context);
        }
        if (command instanceof TransactionCommand.Change change) {
            return change.action() instanceof ChangeAction.Approval approval
                    ? GuardDecisions.approve(context, change.change(), approval)
                    : ChangeDecisions.decide(context, change);
        }
        if (command instanceof TransactionCommand.RailAnswer answer) {
            return RailDecisions.decide(context, answer);
        }
        if (command instanceof TransactionCommand.RailNotice notice) {
            return NoticeDecisions.decide(context, notice);
        }
        return SubmissionDecisions.dueCheck(context, ((TransactionCommand.DueCheck) command).until(context.now()));
    }

    /**
     * The effect of a command while this processor does not have the rail: it was removed from the settings, or it is new and this processor
     * has the old ones. No rail is called and no outcome assumed. What needs the rail is due again, perhaps at a processor that has it. A new
     * transaction stays new: the gateway sends its command again, and it can be canceled or expire in the meantime.
     */
    static Decision decideWithoutRail(Transaction transaction, TransactionCommand command, Instant now) {
        Context context = new Context(transaction, missing(transaction.terms().rail()), now);
        if (command instanceof TransactionCommand.Process) {
            boolean isNew = transaction.status() == Status.PENDING && !transaction.accepted();
            return Decision.store(isNew ? expiredIfDue(context, now) : transaction.accept());
        }
        if (command instanceof TransactionCommand.Change change) {
            Transaction after = decide(context, command).after();
            boolean isPassed =
                    change.action() instanceof ChangeAction.Approval && after.status() != transaction.status();
            return Decision.store(
                    isPassed
                            ? ChangeDecisions.refused(transaction, change.change(), ChangeRefusal.UNAVAILABLE, now)
                            : after);
        }
        if (command instanceof TransactionCommand.RailNotice notice) {
            return NoticeDecisions.decide(context, notice).withoutRequest();
        }
        return Decision.store(
                command instanceof TransactionCommand.DueCheck check
                        ? expiredIfDue(context, check.until(now))
                        : transaction);
    }

    /** Nothing is asked about a finished cashout: to some rails the question would be another submission. */
    private static RailFacts missing(String rail) {
        Duration pause = Duration.ofMinutes(1);
        return new RailFacts(
                rail, pause, pause, RailFacts.Inquiry.BY_RESUBMISSION, false, 1, Duration.ZERO, transaction -> false);
    }

    /** No rail has heard of a transaction that was not accepted. */
    private static Transaction expiredIfDue(Context context, Instant until) {
        Transaction transaction = context.transaction();
        Instant dueAt = transaction.dueAt();
        boolean expires = dueAt != null
                && !dueAt.isAfter(until)
                && transaction.railCalls().isEmpty()
                && !mayBePaid(transaction);
        return expires ? expired(context) : transaction;
    }

    /**
     * Starts a new transaction. Registering the charge of a cashin moves no money, so a rail that answers at once is called first;
     * acceptance and outcome are then one update. In all other cases the call is stored before it is made, for a cashout with {@code
     * in_process}. A transaction that is not new is left to its due time: an unfinished call may have reached the rail.
     */
    private static Decision start(Context context) {
        Transaction transaction = context.transaction();
        if (transaction.status() != Status.PENDING || transaction.accepted()) {
            return Decision.store(transaction.accept());
        }
        if (!context.now().isBefore(transaction.terms().expiresAt())) {
            return expire(context);
        }
        if (transaction.operation() == Operation.CASHIN) {
            return context.facts().registersAtOnce()
                    ? Decision.submit(transaction, null)
                    : SubmissionDecisions.registerCharge(context);
        }
        return context.facts().analysesFirst().test(transaction)
                ? Decision.store(analysed(context))
                : SubmissionDecisions.submitCashout(context);
    }

    private static Transaction analysed(Context context) {
        Instant now = context.now();
        return context.transaction()
                .moveTo(Status.IN_ANALYSIS, now, Source.RAIL)
                .with(RailCall.first(null, now, now.plus(context.facts().inquireAfter())));
    }

    /** A new cashout expires unless the rail may have paid it before, a cashin when the rail has shown no payment. */
    static Decision expire(Context context) {
        Transaction pending = context.transaction();
        if (pending.operation() == Operation.CASHOUT) {
            return context.mayBeKnown()
                    ? SubmissionDecisions.denyUnlessFound(context, Status.EXPIRED.code())
                    : Decision.store(expired(context));
        }
        if (!mayBePaid(pending) && !context.mayBeKnown()) {
            return Decision.store(expired(context));
        }
        Instant lastInquiry = pending.terms().expiresAt().plus(context.facts().expiryGrace());
        return context.now().isBefore(lastInquiry)
                ? Decision.store(pending.with(RailCall.first(null, context.now(), lastInquiry)))
                : Decision.inquire(pending, null);
    }

    /** Whether a payment may have reached the rail. A rail has never heard of a transaction that was not accepted. */
    private static boolean mayBePaid(Transaction pending) {
        return pending.operation() == Operation.CASHIN && pending.accepted();
    }

    static Transaction expired(Context context) {
        return context.transaction()
                .with(Entry.StatusChanged.to(Status.EXPIRED, context.now(), Source.SYSTEM))
                .closeCall(null);
    }
}
