package dev.ligeiro.transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether a transaction allows a change. The gateway checks a request by these rules before it sends the command, the processor
 * checks the command again: the transaction may have changed in between.
 */
public final class ChangeRules {

    /** A refund is possible until this long after the payment. */
    public static final Duration REFUND_WINDOW = Duration.ofDays(90);

    /** Bounds the size of a transaction. */
    public static final int REFUNDS_MAX = 100;

    private ChangeRules() {}

    /** The reason why {@code transaction} does not allow {@code action}; empty when it does. */
    public static Optional<ChangeRefusal> refusal(Transaction transaction, ChangeAction action, Instant now) {
        if (action instanceof ChangeAction.Refund refund) {
            return refundRefusal(transaction, refund, now);
        }
        if (action instanceof ChangeAction.Resolve resolve) {
            return isResolvable(transaction, resolve)
                    ? Optional.empty()
                    : Optional.of(ChangeRefusal.INVALID_TRANSITION);
        }
        if (action instanceof ChangeAction.Approval) {
            return transaction.approvalSince() == null
                    ? Optional.of(ChangeRefusal.INVALID_TRANSITION)
                    : Optional.empty();
        }
        if (action instanceof ChangeAction.Defense defense) {
            return defenseRefusal(transaction, defense, now);
        }
        if (action instanceof ChangeAction.Sandbox && transaction.tenant().mode() != Mode.TEST) {
            return Optional.of(ChangeRefusal.TEST_MODE_ONLY);
        }
        if (!transaction.allowedMoves().contains(action.target()) && !releasesAnalysed(transaction, action)) {
            return Optional.of(ChangeRefusal.INVALID_TRANSITION);
        }
        // the sandbox refunds what the merchant's refunds leave
        return action.target() == Status.REFUND && refundable(transaction).cents() == 0
                ? Optional.of(ChangeRefusal.REFUND_EXCEEDS_AMOUNT)
                : Optional.empty();
    }

    /**
     * The refund that an earlier request with the same reference, amount and description has caused; empty when there is none. Such
     * a request must not move money again.
     */
    public static Optional<Refund> sameRefund(Transaction transaction, ChangeAction.Refund refund) {
        return withReference(transaction, refund).filter(earlier -> isSame(earlier, refund));
    }

    /**
     * Whether the sandbox pays a cashout that is in analysis. The payment also ends the analysis, so the cashout becomes {@code
     * in_process} and {@code paid} at once.
     */
    public static boolean releasesAnalysed(Transaction transaction, ChangeAction action) {
        return action instanceof ChangeAction.Sandbox sandbox
                && sandbox.action() == SandboxAction.PAY
                && transaction.operation() == Operation.CASHOUT
                && transaction.status() == Status.IN_ANALYSIS;
    }

    /**
     * Whether operators may decide. The outcome of a cashout or refund must be unknown, without another decision about it; a cashin must be
     * able to become paid, by a payment that has a name.
     */
    public static boolean isResolvable(Transaction transaction, ChangeAction.Resolve resolve) {
        if (resolve.refund() == null && transaction.operation() == Operation.CASHIN) {
            return resolve.settlement() != null && transaction.allowedMoves().contains(Status.PAID) && resolve.moved();
        }
        return (resolve.refund() != null || transaction.status() == Status.IN_PROCESS)
                && transaction
                        .railCall(resolve.refund())
                        .filter(call -> call.resolution() == null)
                        .isPresent();
    }

    /** The amount that is neither refunded nor being refunded. */
    public static Amount refundable(Transaction transaction) {
        return new Amount(transaction.terms().amount().cents()
                - Refund.reserved(transaction.history().refunds()).cents());
    }

    public static Amount refunded(Transaction transaction) {
        return Refund.made(transaction.history().refunds());
    }

    /** A rail has one defence a dispute. The processor's clock decides about the deadline, then the rail. */
    private static Optional<ChangeRefusal> defenseRefusal(
            Transaction transaction, ChangeAction.Defense defense, Instant now) {
        Optional<Dispute> found = transaction.history().dispute(defense.dispute());
        if (found.isEmpty() || found.get().status().isFinal()) {
            return Optional.of(ChangeRefusal.DISPUTE_CLOSED);
        }
        boolean isOnItsWay = transaction.history().openDefenses().stream()
                .anyMatch(open -> open.dispute().equals(defense.dispute()));
        if (isOnItsWay || found.get().status() == Dispute.Status.DEFENDED) {
            return Optional.of(ChangeRefusal.ALREADY_DEFENDED);
        }
        long tried = transaction.history().entries().stream()
                .filter(entry -> entry instanceof Entry.DefenseRequested earlier
                        && earlier.dispute().equals(defense.dispute()))
                .count();
        if (tried >= Dispute.DEFENSES_MAX) {
            return Optional.of(ChangeRefusal.DEFENSE_REJECTED);
        }
        Instant deadline = found.get().deadline();
        return deadline != null && now.isAfter(deadline)
                ? Optional.of(ChangeRefusal.DEFENSE_TOO_LATE)
                : Optional.empty();
    }

    private static Optional<ChangeRefusal> refundRefusal(
            Transaction transaction, ChangeAction.Refund refund, Instant now) {
        Optional<Refund> earlier = withReference(transaction, refund);
        if (earlier.isPresent()) {
            return isSame(earlier.get(), refund)
                    ? Optional.empty()
                    : Optional.of(ChangeRefusal.REFUND_REFERENCE_ALREADY_USED);
        }
        if (transaction.operation() != Operation.CASHIN || transaction.status() != Status.PAID) {
            return Optional.of(ChangeRefusal.INVALID_TRANSITION);
        }
        Instant paidAt = transaction.history().lastAt(Status.PAID).orElseThrow();
        if (now.isAfter(paidAt.plus(REFUND_WINDOW))) {
            return Optional.of(ChangeRefusal.REFUND_WINDOW_CLOSED);
        }
        long left = refundable(transaction).cents();
        if (left == 0 || refund.amount() != null && refund.amount().cents() > left) {
            return Optional.of(ChangeRefusal.REFUND_EXCEEDS_AMOUNT);
        }
        return transaction.history().refunds().size() < REFUNDS_MAX
                ? Optional.empty()
                : Optional.of(ChangeRefusal.REFUND_LIMIT_REACHED);
    }

    private static Optional<Refund> withReference(Transaction transaction, ChangeAction.Refund refund) {
        return refund.reference() == null
                ? Optional.empty()
                : transaction.history().refunds().stream()
                        .filter(earlier -> refund.reference().equals(earlier.reference()))
                        .findFirst();
    }

    /** A request without an amount is the same as its earlier one whatever amount was left then. */
    private static boolean isSame(Refund earlier, ChangeAction.Refund refund) {
        return (refund.amount() == null || refund.amount().equals(earlier.amount()))
                && Objects.equals(refund.description(), earlier.description());
    }
}
