package dev.ligeiro.gateway.page.console;

import dev.ligeiro.gateway.page.console.Answers.TransactionItem;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What can be done with a transaction. The pages offer it; whether it is done is decided by the API. */
enum TransactionActions implements Coded {
    CANCEL("cancel", Scope.TRANSACTIONS_WRITE),
    REFUND("refund", Scope.TRANSACTIONS_WRITE, "amount", "refund_reference", "description"),
    APPROVE("approve", Scope.CASHOUTS_APPROVE, "reason"),
    REJECT("reject", Scope.CASHOUTS_APPROVE, "reason"),
    SANDBOX_PAY("sandbox_pay", Scope.TRANSACTIONS_WRITE),
    SANDBOX_DENY("sandbox_deny", Scope.TRANSACTIONS_WRITE),
    SANDBOX_ANALYZE("sandbox_analyze", Scope.TRANSACTIONS_WRITE),
    SANDBOX_EXPIRE("sandbox_expire", Scope.TRANSACTIONS_WRITE),
    SANDBOX_REFUND("sandbox_refund", Scope.TRANSACTIONS_WRITE);

    private static final String SANDBOX = "sandbox_";

    private final String code;
    private final Scope scope;
    private final List<String> fields;

    TransactionActions(String code, Scope scope, String... fields) {
        this.code = code;
        this.scope = scope;
        this.fields = List.of(fields);
    }

    @Override
    public String code() {
        return code;
    }

    /** The fields of its form. */
    List<String> fields() {
        return fields;
    }

    boolean isSandbox() {
        return code.startsWith(SANDBOX);
    }

    /** The path of the API that does it. */
    String target(String id) {
        return isSandbox()
                ? "/api/v1/sandbox/transaction/" + id + "/" + code.substring(SANDBOX.length())
                : "/api/v1/transaction/" + id + "/" + code;
    }

    /** Those that the session may do and the transaction's status allows. */
    static List<TransactionActions> offered(ConsoleVisit visit, TransactionItem transaction) {
        List<TransactionActions> offered = new ArrayList<>();
        for (TransactionActions action : values()) {
            if (visit.may(action.scope) && (visit.isTest() || !action.isSandbox()) && action.isPossible(transaction)) {
                offered.add(action);
            }
        }
        return offered;
    }

    private boolean isPossible(TransactionItem transaction) {
        Status status = Status.fromCode(transaction.status());
        return switch (this) {
            case CANCEL -> status == Status.PENDING;
            case REFUND -> transaction.isCashin() && hasRefundable(transaction, status);
            case APPROVE, REJECT -> !transaction.isCashin() && status == Status.IN_ANALYSIS;
            case SANDBOX_REFUND -> hasRefundable(transaction, status);
            default -> {
                Operation operation = transaction.isCashin() ? Operation.CASHIN : Operation.CASHOUT;
                yield Arrays.stream(SandboxAction.values())
                        .filter(action -> code.equals(SANDBOX + action.code()))
                        .anyMatch(
                                action -> Transition.allowed(operation, status).contains(action.target())
                                        || action == SandboxAction.PAY && status == Status.PENDING);
            }
        };
    }

    private static boolean hasRefundable(TransactionItem transaction, Status status) {
        return status == Status.PAID
                && (transaction.refundedAmount() == null
                        || new BigDecimal(transaction.refundedAmount()).compareTo(new BigDecimal(transaction.amount()))
                                < 0);
    }
}
