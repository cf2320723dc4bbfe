package dev.ligeiro.gateway.api.change;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.transaction.TransactionSnapshot.RefundSummary;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A merchant's request to change a transaction. It finds its outcome in the history.
 *
 * @param id the transaction
 * @param change marks the entry that this request causes
 */
record ChangeRequest(TransactionId id, ChangeRef change, ChangeAction action) {

    /**
     * The outcome of a request for a change.
     *
     * @param transaction the transaction as the request left it; the state before the change when it is queued
     */
    record Outcome(TransactionSnapshot transaction, Kind kind) {

        enum Kind {
            /** The history has the request's entry. */
            DONE,
            /** The history has the entry of an earlier, equal request. */
            REPLAYED,
            /** Kafka has the command, and the change follows. */
            QUEUED
        }

        static Outcome queued(TransactionSnapshot before) {
            return new Outcome(before, Kind.QUEUED);
        }

        /** Shows the totals of the refunds, but none of them: their texts can have 30 kB. */
        static Outcome queuedWithoutRefunds(Transaction before) {
            TransactionSnapshot shown = before.snapshot();
            RefundSummary refunds = shown.refunds();
            return queued(shown.withRefunds(new RefundSummary(refunds.refunded(), refunds.count(), List.of())));
        }
    }

    /**
     * Looks in the history for the outcome of this request, or of an earlier, equal one with the same idempotency key or refund
     * reference. Empty while there is none. The outcome has the transaction as it was after its entry, without later entries, so that a
     * repeated request gets an equal response.
     *
     * @throws Problem when the processor has refused this request, or when the key belongs to a request that was not equal
     */
    Optional<Outcome> outcome(Transaction now) {
        List<Entry> entries = now.history().entries();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (entry instanceof Entry.DefenseRequested requested) {
                if (isOf(requested)) {
                    return defense(now, i, requested);
                }
                continue;
            }
            if (change.id().equals(entry.changeId())) {
                return Optional.of(made(now, i));
            }
            if (change.idempotencyKey() != null && change.idempotencyKey().equals(entry.idempotencyKey())) {
                return Optional.of(replayed(now, i));
            }
        }
        return sameRefund(now)
                .map(refund -> new Outcome(upTo(now, indexOf(refund, entries)).snapshot(), Outcome.Kind.REPLAYED));
    }

    private boolean isOf(Entry.DefenseRequested requested) {
        return change.id().equals(requested.change().id())
                || change.idempotencyKey() != null && change.idempotencyKey().equals(requested.idempotencyKey());
    }

    /**
     * The outcome of a defence is what the rail says about it, in a later entry. Empty until then, for this request; an earlier, equal one
     * that has none yet is queued.
     *
     * @param index of the entry that requests it
     */
    private Optional<Outcome> defense(Transaction now, int index, Entry.DefenseRequested requested) {
        boolean isOwn = change.id().equals(requested.change().id());
        boolean isSame = now.id().equals(id)
                && action instanceof ChangeAction.Defense asked
                && asked.dispute().equals(requested.dispute())
                && asked.text().equals(requested.text());
        if (!isOwn && !isSame) {
            throw Problem.idempotencyKeyReused().with("transaction_id", now.id());
        }
        List<Entry> entries = now.history().entries();
        for (int i = index + 1; i < entries.size(); i++) {
            if (requested.change().id().equals(entries.get(i).changeId())) {
                Outcome made = made(now, i);
                return Optional.of(isOwn ? made : new Outcome(made.transaction(), Outcome.Kind.REPLAYED));
            }
        }
        return isOwn ? Optional.empty() : Optional.of(Outcome.queued(now.snapshot()));
    }

    /** The merchant's own identifier of the refund that is asked for; null when there is none. */
    @Nullable
    String refundReference() {
        return action instanceof ChangeAction.Refund refund ? refund.reference() : null;
    }

    /** @throws Problem when the transaction does not allow the change */
    void requireAllowed(Transaction transaction, Instant now) {
        ChangeRules.refusal(transaction, action, now).ifPresent(refusal -> {
            throw ChangeProblems.of(refusal, transaction, action);
        });
    }

    /** @param index of this request's own entry */
    private Outcome made(Transaction now, int index) {
        if (now.history().entries().get(index) instanceof Entry.ChangeRefused refused) {
            // a later state could contradict the refusal
            throw ChangeProblems.of(Codes.get(ChangeRefusal.class, refused.code()), first(now, index), action);
        }
        return new Outcome(upTo(now, index).snapshot(), Outcome.Kind.DONE);
    }

    /** @param index of the entry with the same key */
    private Outcome replayed(Transaction holder, int index) {
        if (!holder.id().equals(id) || !isSame(holder, index)) {
            throw Problem.idempotencyKeyReused().with("transaction_id", holder.id());
        }
        return new Outcome(upTo(holder, index).snapshot(), Outcome.Kind.REPLAYED);
    }

    /**
     * The transaction after the write of the entry. One write of the sandbox may have two entries: a refund requested and made, a payment and
     * that another has paid.
     */
    private static Transaction upTo(Transaction now, int index) {
        List<Entry> entries = now.history().entries();
        Entry next = index + 1 < entries.size() ? entries.get(index + 1) : null;
        boolean withNext = next instanceof Entry.PayerMismatch
                || next != null
                        && entries.get(index) instanceof Entry.RefundRequested requested
                        && requested.source() == Source.SANDBOX;
        return first(now, withNext ? index + 2 : index + 1);
    }

    private boolean isSame(Transaction holder, int index) {
        Entry entry = holder.history().entries().get(index);
        if (action instanceof ChangeAction.Refund refund) {
            return entry instanceof Entry.RefundRequested requested
                    && requested.source() == Source.MERCHANT
                    && requested.amount().equals(amount(refund, first(holder, index)))
                    && Objects.equals(requested.reference(), refund.reference())
                    && Objects.equals(requested.description(), refund.description());
        }
        if (action instanceof ChangeAction.Approval approval) {
            return entry instanceof Entry.StatusChanged changed && isSame(approval, changed);
        }
        if (action instanceof ChangeAction.Sandbox sandbox && sandbox.action() == SandboxAction.REFUND) {
            return entry instanceof Entry.RefundRequested requested && requested.source() == Source.SANDBOX;
        }
        Source source = action instanceof ChangeAction.Cancel ? Source.MERCHANT : Source.SANDBOX;
        return entry instanceof Entry.StatusChanged changed
                && changed.status() == action.target()
                && changed.source() == source
                && (!(action instanceof ChangeAction.Sandbox sandbox)
                        || Objects.equals(sandbox.payer(), payer(changed.settlement())));
    }

    private static @Nullable Payer payer(@Nullable Settlement settlement) {
        return settlement == null ? null : settlement.payer();
    }

    /** An approved cashout may have been denied by the guard. About a rejected one the rail may be asked first. */
    private static boolean isSame(ChangeAction.Approval approval, Entry.StatusChanged changed) {
        boolean isRejected = ChangeAction.Approval.NOT_APPROVED.equals(changed.reason());
        return (changed.status() == Status.IN_PROCESS || changed.status() == Status.DENIED)
                && changed.source() == approval.source()
                && approval.approved() != isRejected
                && Objects.equals(changed.description(), approval.reason());
    }

    /** The amount that {@code refund} asks for: if it names none, all that was left before the entry. */
    private static Amount amount(ChangeAction.Refund refund, Transaction before) {
        return refund.amount() == null ? ChangeRules.refundable(before) : refund.amount();
    }

    private Optional<Refund> sameRefund(Transaction now) {
        return action instanceof ChangeAction.Refund refund ? ChangeRules.sameRefund(now, refund) : Optional.empty();
    }

    private static int indexOf(Refund refund, List<Entry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i) instanceof Entry.RefundRequested requested
                    && requested.refund().equals(refund.id())) {
                return i;
            }
        }
        throw new IllegalStateException("refund " + refund.id() + " is not in the history");
    }

    private static Transaction first(Transaction now, int count) {
        return new Transaction(
                now.id(),
                now.tenant(),
                now.operation(),
                now.terms(),
                new History(now.history().entries().subList(0, count)),
                List.of(),
                now.version(),
                true,
                now.unsentFrom());
    }
}
