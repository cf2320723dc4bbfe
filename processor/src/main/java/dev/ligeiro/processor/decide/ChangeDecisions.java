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
import dev.ligeiro.transaction.Settlement;
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

    static Decision decide(Context context, TransactionCommand.Change command) {
        Transaction transaction = context.transaction();
        ChangeRef change = command.change();
        if (isDone(transaction, command)) {
            return Decision.store(transaction);
        }
        Optional<ChangeRefusal> refusal = ChangeRules.refusal(transaction, command.action(), context.now());
        if (refusal.isPresent()) {
            return Decision.store(refused(transaction, change, refusal.get(), context.now()));
        }
        if (command.action() instanceof ChangeAction.Refund refund) {
            Amount amount = refund.amount() == null ? ChangeRules.refundable(transaction) : refund.amount();
            Transaction requested =
                    requested(context, change, amount, Source.MERCHANT, refund.reference(), refund.description());
            return SubmissionDecisions.submitRefund(context.with(requested), new RefundId(change.id()));
        }
        if (command.action() instanceof ChangeAction.Resolve resolve) {
            return ResolutionDecisions.begin(context, resolve, change);
        }
        if (command.action() instanceof ChangeAction.Defense defense) {
            return Decision.store(transaction.with(
                    new Entry.DefenseRequested(defense.dispute(), defense.text(), change, context.now())));
        }
        if (command.action() instanceof ChangeAction.Sandbox sandbox) {
            return PayerDecisions.paid(context, Decision.store(sandbox(context, sandbox, change)), sandbox.payer());
        }
        return keepsCharge(context) && Context.isWaitingCashin(transaction)
                ? Decision.cancel(transaction.with(
                        context.callOrFirst(context.afterCall()).canceling(change, context.afterCall())))
                : Decision.store(moved(context, Status.CANCELED, Source.MERCHANT, null, null, change));
    }

    /** Whether the rail may keep a charge of the transaction, which it must remove until it says that nobody can pay it any more. */
    private static boolean keepsCharge(Context context) {
        return !context.facts().registersAtOnce() && (context.transaction().accepted() || context.mayBeKnown());
    }

    /** Adds the entry of a refused request. */
    static Transaction refused(Transaction transaction, ChangeRef change, ChangeRefusal refusal, Instant now) {
        return transaction.with(new Entry.ChangeRefused(change.id(), refusal.code(), now, change.by()));
    }

    /** Refuses the open request to cancel {@code before}, if there is one: {@code after} was first. */
    static Transaction cancelRefused(Transaction before, Transaction after, Instant now) {
        return Context.openCancel(before)
                .map(request -> refused(after, request, ChangeRefusal.INVALID_TRANSITION, now))
                .orElse(after);
    }

    private static boolean isDone(Transaction transaction, TransactionCommand.Change command) {
        return hasEntry(transaction, command.change())
                || command.action() instanceof ChangeAction.Resolve
                        && ResolutionDecisions.isKnown(
                                transaction, command.change().id())
                || command.action() instanceof ChangeAction.Cancel
                        && Context.openCancel(transaction).isPresent()
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

    private static Transaction requested(
            Context context,
            ChangeRef change,
            Amount amount,
            Source source,
            @Nullable String reference,
            @Nullable String description) {
        RefundId id = new RefundId(change.id());
        Instant now = context.now();
        return context.transaction()
                .with(new Entry.RefundRequested(
                        id, amount, source, reference, description, now, change.idempotencyKey(), change.by()));
    }

    private static Transaction sandbox(Context context, ChangeAction.Sandbox sandbox, ChangeRef change) {
        Transaction transaction = context.transaction();
        if (sandbox.action() == SandboxAction.REFUND) {
            Transaction requested =
                    requested(context, change, ChangeRules.refundable(transaction), Source.SANDBOX, null, null);
            return SettledDecisions.refundMade(requested, new RefundId(change.id()), null, context.now());
        }
        Transaction from = ChangeRules.releasesAnalysed(transaction, sandbox)
                ? transaction.moveTo(Status.IN_PROCESS, context.now(), Source.SANDBOX)
                : transaction;
        String reason = sandbox.target() == Status.DENIED ? SANDBOX_DENIAL : null;
        Settlement payment = sandbox.payer() == null
                ? null
                : new Settlement(transaction.endToEndId(), context.now(), sandbox.payer());
        return moved(context.with(from), sandbox.target(), Source.SANDBOX, reason, payment, change);
    }

    /** The question of a rail's report stays open: the report may be of a payment. */
    private static Transaction moved(
            Context context,
            Status to,
            Source source,
            @Nullable String reason,
            @Nullable Settlement payment,
            ChangeRef change) {
        Transaction moved =
                context.transaction().with(new Entry.StatusChanged(to, context.now(), source, reason, payment, change));
        boolean isReported = moved.railCall(null).map(RailCall::reportedAt).isPresent();
        return isReported ? moved : moved.closeCall(null);
    }
}
