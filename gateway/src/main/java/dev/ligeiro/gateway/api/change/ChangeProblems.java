package dev.ligeiro.gateway.api.change;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;

/** The problem of each refusal. */
final class ChangeProblems {

    /** A processor that has the rail may be there then, or an operator has mended the guard. */
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    /** A processor tells the transaction of a new dispute within seconds. */
    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(10);

    private ChangeProblems() {}

    static Problem of(ChangeRefusal refusal, Transaction transaction, ChangeAction action) {
        return switch (refusal) {
            case INVALID_TRANSITION -> invalidTransition(transaction, action);
            case TEST_MODE_ONLY -> Problem.of(ProblemCode.TEST_MODE_ONLY, "Use a key that starts with sk_test_");
            case REFUND_EXCEEDS_AMOUNT -> refundExceedsAmount(transaction);
            case REFUND_WINDOW_CLOSED ->
                Problem.of(
                        ProblemCode.REFUND_WINDOW_CLOSED,
                        "A payment can be refunded for " + ChangeRules.REFUND_WINDOW.toDays() + " days");
            case REFUND_LIMIT_REACHED ->
                Problem.of(
                        ProblemCode.REFUND_LIMIT_REACHED,
                        "A transaction has at most " + ChangeRules.REFUNDS_MAX + " refunds");
            case REFUND_REFERENCE_ALREADY_USED -> refundReferenceAlreadyUsed(transaction, action);
            case DISPUTE_CLOSED -> disputeClosed(transaction, action);
            case DEFENSE_TOO_LATE ->
                Problem.of(ProblemCode.DEFENSE_TOO_LATE, "The bank took defences until the deadline");
            case ALREADY_DEFENDED ->
                Problem.of(
                        ProblemCode.ALREADY_DEFENDED, "The bank takes one defence, and has one or is about to get it");
            case DEFENSE_REJECTED ->
                Problem.of(ProblemCode.DEFENSE_REJECTED, "The bank does not take this defence; ask the operator");
            case MERCHANT_FROZEN -> merchantFrozen();
            case UNAVAILABLE ->
                Problem.unavailable("The cashout cannot be decided now and goes on waiting", RETRY_AFTER);
            case IDEMPOTENCY_KEY_REUSED -> Problem.idempotencyKeyReused();
        };
    }

    /** The list has a dispute before its transaction does; the merchant must not take that one for lost. */
    private static Problem disputeClosed(Transaction transaction, ChangeAction action) {
        boolean isNew = action instanceof ChangeAction.Defense defense
                && transaction.history().dispute(defense.dispute()).isEmpty();
        return isNew
                ? Problem.unavailable(
                        "The dispute is so new that its transaction does not have it yet", REPORTED_WITHIN)
                : Problem.of(ProblemCode.DISPUTE_CLOSED, "The bank has decided");
    }

    static Problem merchantFrozen() {
        return Problem.of(ProblemCode.MERCHANT_FROZEN, "The operator has frozen the account");
    }

    /** {@code allowed} lacks the requested status even if the rail may cause it: a paid cashout becomes {@code refund} by the rail only. */
    private static Problem invalidTransition(Transaction transaction, ChangeAction action) {
        String from = transaction.status().code();
        Status to = action.target();
        String detail = action instanceof ChangeAction.Approval
                ? "The transaction does not wait for an approval"
                : "A " + transaction.operation().code() + " that is " + from + " cannot become " + to.code()
                        + " by this request";
        return Problem.of(ProblemCode.INVALID_TRANSITION, detail)
                .with("from", from)
                .with("to", to.code())
                .with(
                        "allowed",
                        transaction.allowedMoves().stream()
                                .filter(status -> status != to)
                                .map(Status::code)
                                .toList());
    }

    private static Problem refundExceedsAmount(Transaction transaction) {
        String left = ChangeRules.refundable(transaction).toString();
        return Problem.of(ProblemCode.REFUND_EXCEEDS_AMOUNT, "Of the amount, " + left + " can still be refunded")
                .with("refundable_amount", left);
    }

    private static Problem refundReferenceAlreadyUsed(Transaction transaction, ChangeAction action) {
        Problem problem = Problem.of(
                ProblemCode.REFUND_REFERENCE_ALREADY_USED,
                "A refund of this transaction has this refund_reference and another amount or description");
        if (action instanceof ChangeAction.Refund asked && asked.reference() != null) {
            transaction.history().refunds().stream()
                    .filter(refund -> asked.reference().equals(refund.reference()))
                    .findFirst()
                    .map(Refund::id)
                    .ifPresent(id -> problem.with("refund_id", id));
        }
        return problem;
    }
}
