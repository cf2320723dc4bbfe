package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;

/** The effect of commands on a transaction. Idempotent: applying a command again changes nothing. */
final class CommandRules {

    private CommandRules() {}

    static Decision decide(Transaction transaction, TransactionCommand command, RailFacts facts, Instant now) {
        if (command instanceof TransactionCommand.Process) {
            return start(transaction, facts, now);
        }
        if (command instanceof TransactionCommand.Change change
                && change.action() instanceof ChangeAction.Approval approval) {
            return ApprovalDecisions.decide(transaction, change.change(), approval, facts, now);
        }
        if (command instanceof TransactionCommand.Change change) {
            boolean hasCharge = !facts.registersAtOnce() && (transaction.accepted() || facts.mayKnow(transaction));
            Decision decision =
                    ChangeDecisions.decide(transaction, change, hasCharge, RailSchedule.afterCall(facts, now), now);
            return SubmissionDecisions.refund(decision, facts, now);
        }
        if (command instanceof TransactionCommand.RailAnswer answer) {
            return RailDecisions.decide(transaction, answer, facts, now);
        }
        if (command instanceof TransactionCommand.RailNotice notice) {
            return NoticeDecisions.decide(transaction, notice, facts, now);
        }
        return dueCheck(transaction, ((TransactionCommand.DueCheck) command).until(now), facts, now);
    }

    /**
     * Starts a new transaction. Registering the charge of a cashin moves no money, so a rail that answers at once is called first;
     * acceptance and outcome are then one update. In all other cases the call is stored before it is made, for a cashout with {@code
     * in_process}. A transaction that is not new is left to its due time: an unfinished call may have reached the rail.
     */
    private static Decision start(Transaction transaction, RailFacts facts, Instant now) {
        if (transaction.status() != Status.PENDING || transaction.accepted()) {
            return Decision.store(transaction.accept());
        }
        if (!now.isBefore(transaction.terms().expiresAt())) {
            return expire(transaction, facts, now);
        }
        if (transaction.operation() == Operation.CASHIN) {
            return facts.registersAtOnce()
                    ? Decision.submit(transaction, null)
                    : SubmissionDecisions.registerCharge(transaction, facts, now);
        }
        return facts.analysesFirst().test(transaction)
                ? Decision.store(analysed(transaction, facts, now))
                : SubmissionDecisions.submitCashout(transaction, facts, now);
    }

    private static Transaction analysed(Transaction transaction, RailFacts facts, Instant now) {
        return transaction
                .moveTo(Status.IN_ANALYSIS, now, Source.RAIL)
                .with(RailCall.first(null, now, now.plus(facts.inquireAfter())));
    }

    /** Does the work that was due until then. Nothing is due if an earlier command has done it. */
    private static Decision dueCheck(Transaction transaction, Instant until, RailFacts facts, Instant now) {
        Instant dueAt = transaction.dueAt();
        if (dueAt == null || dueAt.isAfter(until)) {
            return Decision.store(transaction);
        }
        Optional<RailCall> due = transaction.railCalls().stream()
                .filter(call -> call.dueAt().equals(dueAt))
                .findFirst();
        if (due.isPresent()) {
            return SubmissionDecisions.dueCheck(transaction, due.get(), facts, now);
        }
        return expire(transaction, facts, now);
    }

    private static Decision expire(Transaction pending, RailFacts facts, Instant now) {
        if (pending.operation() == Operation.CASHOUT) {
            return SubmissionDecisions.expireNewCashout(pending, facts, now);
        }
        if (!mayBePaid(pending) && !facts.mayKnow(pending)) {
            return Decision.store(expired(pending, now));
        }
        Instant lastInquiry = pending.terms().expiresAt().plus(facts.expiryGrace());
        return now.isBefore(lastInquiry)
                ? Decision.store(pending.with(RailCall.first(null, now, lastInquiry)))
                : Decision.inquire(pending, null);
    }

    /** Whether a payment may have reached the rail. A rail has never heard of a transaction that was not accepted. */
    static boolean mayBePaid(Transaction pending) {
        return pending.operation() == Operation.CASHIN && pending.accepted();
    }

    static Transaction expired(Transaction transaction, Instant now) {
        return transaction
                .with(Entry.StatusChanged.to(Status.EXPIRED, now, Source.SYSTEM))
                .closeCall(null);
    }
}
