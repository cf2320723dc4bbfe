package dev.ligeiro.processor.decide;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The effect of a merchant's request on a transaction. A refused request leaves an entry that tells the gateway why. */
final class ChangeDecisions {

    /** The reason that a rail gives. */
    private static final String SANDBOX_DENIAL = "rejected_by_rail";

    private ChangeDecisions() {}

    /**
     * @param hasCharge whether the rail may keep a charge of the transaction, which a cancel must remove
     * @param nextCheck when a processor looks at the rail call that follows, if its answer is missing
     */
    static Decision decide(
            Transaction transaction,
            TransactionCommand.Change command,
            boolean hasCharge,
            Instant nextCheck,
            Instant now) {
        if (isDone(transaction, command)) {
            return Decision.store(transaction);
        }
        Optional<ChangeRefusal> refusal = ChangeRules.refusal(transaction, command.action(), now);
        if (refusal.isPresent()) {
            return Decision.store(refused(transaction, command.change(), refusal.get(), now));
        }
        if (command.action() instanceof ChangeAction.Refund refund) {
            return refund(transaction, refund, command.change(), nextCheck, now);
        }
        if (command.action() instanceof ChangeAction.Resolve resolve) {
            return ResolutionDecisions.begin(transaction, resolve, command.change(), nextCheck, now);
        }
        if (hasCharge && command.action() instanceof ChangeAction.Cancel && ChargeDecisions.isWaiting(transaction)) {
            return CancelDecisions.begin(transaction, command.change(), nextCheck, now);
        }
        return Decision.store(
                command.action() instanceof ChangeAction.Sandbox sandbox
                        ? sandbox(transaction, sandbox, command.change(), now)
                        : moved(transaction, Status.CANCELED, Source.MERCHANT, null, command.change(), now));
    }

    /** Adds the entry of a refused request. */
    static Transaction refused(Transaction transaction, ChangeRef change, ChangeRefusal refusal, Instant now) {
        return transaction.with(new Entry.ChangeRefused(change.id(), refusal.code(), now, change.by()));
    }

    private static boolean isDone(Transaction transaction, TransactionCommand.Change command) {
        return hasEntry(transaction, command.change())
                || command.action() instanceof ChangeAction.Resolve
                        && ResolutionDecisions.isKnown(
                                transaction, command.change().id())
                || command.action() instanceof ChangeAction.Cancel
                        && CancelDecisions.request(transaction).isPresent()
                || command.action() instanceof ChangeAction.Refund refund
                        && ChangeRules.sameRefund(transaction, refund).isPresent();
    }

    /** Whether the transaction has the entry of this request, or of an earlier one with the same idempotency key. */
    static boolean hasEntry(Transaction transaction, ChangeRef change) {
        return transaction.history().entries().stream()
                .anyMatch(entry -> change.id().equals(entry.changeId())
                        || change.idempotencyKey() != null
                                && change.idempotencyKey().equals(entry.idempotencyKey()));
    }

    /** Whether the request itself has changed the transaction. */
    static boolean hasCaused(Transaction transaction, ChangeRef change) {
        return transaction.history().entries().stream()
                .anyMatch(entry -> change.id().equals(entry.changeId()) && !(entry instanceof Entry.ChangeRefused));
    }

    private static Decision refund(
            Transaction transaction, ChangeAction.Refund refund, ChangeRef change, Instant nextCheck, Instant now) {
        RefundId id = new RefundId(change.id());
        Amount amount = refund.amount() == null ? ChangeRules.refundable(transaction) : refund.amount();
        Entry requested = new Entry.RefundRequested(
                id,
                amount,
                Source.MERCHANT,
                refund.reference(),
                refund.description(),
                now,
                change.idempotencyKey(),
                change.by());
        return Decision.submit(transaction.with(requested).with(RailCall.first(id, now, nextCheck)), id);
    }

    private static Transaction sandbox(
            Transaction transaction, ChangeAction.Sandbox sandbox, ChangeRef change, Instant now) {
        if (sandbox.action() != SandboxAction.REFUND) {
            Transaction from = ChangeRules.releasesAnalysed(transaction, sandbox)
                    ? transaction.moveTo(Status.IN_PROCESS, now, Source.SANDBOX)
                    : transaction;
            String reason = sandbox.target() == Status.DENIED ? SANDBOX_DENIAL : null;
            return moved(from, sandbox.target(), Source.SANDBOX, reason, change, now);
        }
        RefundId id = new RefundId(change.id());
        Transaction requested = transaction.with(new Entry.RefundRequested(
                id,
                ChangeRules.refundable(transaction),
                Source.SANDBOX,
                null,
                null,
                now,
                change.idempotencyKey(),
                change.by()));
        return SettledDecisions.refundMade(requested, id, null, now);
    }

    /** The question of a rail's report stays open: the report may be of a payment. */
    private static Transaction moved(
            Transaction transaction, Status to, Source source, @Nullable String reason, ChangeRef change, Instant now) {
        Transaction moved = transaction.with(new Entry.StatusChanged(to, now, source, reason, null, change));
        boolean isReported = moved.railCall(null).map(RailCall::reportedAt).isPresent();
        return isReported ? moved : moved.closeCall(null);
    }
}
