package dev.ligeiro.desk.console;

import dev.ligeiro.desk.console.Answers.Transaction;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transition;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What can be done with a transaction. The pages offer it; whether it is done is decided by the gateway. */
public enum TransactionAction {
    CANCEL,
    REFUND,
    APPROVE,
    REJECT,
    SANDBOX_PAY,
    SANDBOX_DENY,
    SANDBOX_ANALYZE,
    SANDBOX_EXPIRE,
    SANDBOX_REFUND;

    private static final String SANDBOX = "sandbox_";

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

    public boolean isDecision() {
        return this == APPROVE || this == REJECT;
    }

    /** Those that the visitor may do and the transaction's status allows. */
    static List<TransactionAction> offered(Visitor visitor, Transaction transaction) {
        return Arrays.stream(values())
                .filter(action -> visitor.may(action.isDecision() ? Scope.CASHOUTS_APPROVE : Scope.TRANSACTIONS_WRITE)
                        && (visitor.isTest() || !action.isSandbox())
                        && action.isPossible(transaction))
                .toList();
    }

    private boolean isPossible(Transaction transaction) {
        Operation operation = transaction.isCashin() ? Operation.CASHIN : Operation.CASHOUT;
        Status status = Codes.get(Status.class, transaction.status());
        Set<Status> next = Transition.allowed(operation, status);
        boolean isRefundable = status == Status.PAID && transaction.left().signum() > 0;
        return switch (this) {
            case CANCEL -> next.contains(Status.CANCELED);
            case REFUND -> transaction.isCashin() && isRefundable;
            case APPROVE, REJECT -> !transaction.isCashin() && status == Status.IN_ANALYSIS;
            case SANDBOX_PAY -> next.contains(Status.PAID) || status == Status.PENDING;
            case SANDBOX_DENY -> next.contains(Status.DENIED);
            case SANDBOX_ANALYZE -> next.contains(Status.IN_ANALYSIS);
            case SANDBOX_EXPIRE -> next.contains(Status.EXPIRED);
            case SANDBOX_REFUND -> isRefundable;
        };
    }
}
