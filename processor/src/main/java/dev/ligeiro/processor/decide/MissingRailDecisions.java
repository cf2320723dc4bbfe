package dev.ligeiro.processor.decide;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The effect of commands on a transaction whose rail this processor does not have: it was removed from the settings, or it is new and
 * this processor has the old ones. No rail is called, no outcome is assumed, and no rail call is closed or submitted again, so that
 * a processor that has the rail can continue at the same point.
 */
final class MissingRailDecisions {

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private MissingRailDecisions() {}

    static Decision decide(Transaction transaction, TransactionCommand command, Instant now) {
        if (command instanceof TransactionCommand.Process) {
            return Decision.store(start(transaction, now));
        }
        if (command instanceof TransactionCommand.Change change) {
            return change(transaction, change, now);
        }
        if (command instanceof TransactionCommand.RailAnswer answer) {
            Decision decision = answered(transaction, answer.refund(), answer.outcome(), now);
            return NoticeDecisions.keepQuestion(transaction, answer.askedAt(), decision);
        }
        if (command instanceof TransactionCommand.RailNotice notice) {
            return reported(transaction, notice, now);
        }
        return Decision.store(dueCheck(transaction, ((TransactionCommand.DueCheck) command).until(now), now));
    }

    /** A new transaction stays new: the gateway sends its command again, and it can be canceled or expire in the meantime. */
    private static Transaction start(Transaction transaction, Instant now) {
        if (transaction.status() != Status.PENDING || transaction.accepted()) {
            return transaction.accept();
        }
        return now.isBefore(transaction.terms().expiresAt()) ? transaction : CommandRules.expired(transaction, now);
    }

    /** The rail call of a refund or cancel waits as one that the rail has not started. */
    private static Decision change(Transaction transaction, TransactionCommand.Change change, Instant now) {
        if (change.action() instanceof ChangeAction.Approval approval) {
            return ApprovalDecisions.decide(transaction, change.change(), approval, null, now);
        }
        Decision decision = ChangeDecisions.decide(transaction, change, transaction.accepted(), now.plus(PAUSE), now);
        if (decision.railRequest() == null || change.action() instanceof ChangeAction.Resolve) {
            return Decision.store(decision.after());
        }
        RailCall call =
                decision.after().railCall(decision.railRequest().refund()).orElseThrow();
        return Decision.store(decision.after().with(call.notStarted(call.dueAt())));
    }

    /**
     * The answer to a call of a processor that has the rail. That money has moved is applied. Every other answer needs the rail's facts:
     * the call stays open, and the rail is asked again.
     */
    private static Decision answered(
            Transaction transaction, @Nullable RefundId refund, RailOutcome outcome, Instant now) {
        String rail = transaction.terms().rail();
        if (outcome instanceof RailOutcome.Surplus surplus) {
            return answered(transaction, refund, surplus.outcome(), now)
                    .withUnmatched(SettledDecisions.unmatched(transaction, surplus, rail, now));
        }
        if (outcome instanceof RailOutcome.Settled settled) {
            return refund == null
                    ? SettledDecisions.decide(transaction, settled, rail, now.plus(PAUSE), now)
                    : SettledDecisions.decideRefund(transaction, refund, rail, now);
        }
        return Decision.store(transaction);
    }

    /**
     * A cashin gets a rail call: a processor that has the rail asks it. A finished cashout gets none, because some rails answer only a
     * repeated submission.
     */
    private static Decision reported(Transaction transaction, TransactionCommand.RailNotice notice, Instant now) {
        if (!notice.rail().equals(transaction.terms().rail())) {
            return NoticeDecisions.unconfirmed(transaction, notice, now);
        }
        if (transaction.operation() == Operation.CASHIN && transaction.accepted()) {
            return Decision.store(NoticeDecisions.reported(transaction, now.plus(PAUSE), now));
        }
        return transaction.railCall(null).isPresent()
                ? Decision.store(transaction)
                : NoticeDecisions.unconfirmed(transaction, notice, now);
    }

    /**
     * Expires a transaction that no rail knows. All others stay due, also those about which operators have decided, because the rail must be
     * asked once more: they get another command after some minutes, perhaps at a processor that has the rail.
     */
    private static Transaction dueCheck(Transaction transaction, Instant until, Instant now) {
        Instant dueAt = transaction.dueAt();
        boolean expires = dueAt != null
                && !dueAt.isAfter(until)
                && transaction.railCalls().isEmpty()
                && !CommandRules.mayBePaid(transaction);
        return expires ? CommandRules.expired(transaction, now) : transaction;
    }
}
