package dev.ligeiro.desk.console;

import dev.ligeiro.desk.console.Answers.Transaction;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transition;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can be done with a transaction. The pages offer it; whether it is done is decided by the gateway. */
public enum TransactionAction {
    CANCEL(Scope.TRANSACTIONS_WRITE),
    REFUND(Scope.TRANSACTIONS_WRITE),
    APPROVE(Scope.CASHOUTS_APPROVE),
    REJECT(Scope.CASHOUTS_APPROVE),
    SANDBOX_PAY(Scope.TRANSACTIONS_WRITE),
    SANDBOX_DENY(Scope.TRANSACTIONS_WRITE),
    SANDBOX_ANALYZE(Scope.TRANSACTIONS_WRITE),
    SANDBOX_EXPIRE(Scope.TRANSACTIONS_WRITE),
    SANDBOX_REFUND(Scope.TRANSACTIONS_WRITE);

    private static final String SANDBOX = "sandbox_";

    private final Scope scope;

    TransactionAction(Scope scope) {
        this.scope = scope;
    }

    /** As the paths and texts of the console name it. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isSandbox() {
        return code().startsWith(SANDBOX);
    }

    /** As the API names it. */
    String verb() {
        return isSandbox() ? code().substring(SANDBOX.length()) : code();
    }

    /** Whether it cannot be taken back, and is no approval. */
    public boolean isDangerous() {
        return this == CANCEL || this == REFUND || this == REJECT;
    }

    public boolean hasReason() {
        return this == APPROVE || this == REJECT;
    }

    /** Those that the visitor may do and the transaction's status allows. */
    static List<TransactionAction> offered(Visitor visitor, Transaction transaction) {
        return Arrays.stream(values())
                .filter(action -> visitor.may(action.scope)
                        && (visitor.isTest() || !action.isSandbox())
                        && action.isPossible(transaction))
                .toList();
    }

    private boolean isPossible(Transaction transaction) {
        Operation operation = transaction.isCashin() ? Operation.CASHIN : Operation.CASHOUT;
        Status status = Status.fromCode(transaction.status());
        boolean isRefundable = status == Status.PAID && transaction.left().signum() > 0;
        return switch (this) {
            case CANCEL -> Transition.allowed(operation, status).contains(Status.CANCELED);
            case REFUND -> transaction.isCashin() && isRefundable;
            case APPROVE, REJECT -> operation == Operation.CASHOUT && status == Status.IN_ANALYSIS;
            case SANDBOX_REFUND -> isRefundable;
            default -> {
                SandboxAction action = SandboxAction.valueOf(verb().toUpperCase(Locale.ROOT));
                yield Transition.allowed(operation, status).contains(action.target())
                        || action == SandboxAction.PAY && status == Status.PENDING;
            }
        };
    }
}
