package dev.ligeiro.transaction;

import static dev.ligeiro.transaction.Operation.CASHIN;
import static dev.ligeiro.transaction.Operation.CASHOUT;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The status machine: one row for each operation and status that a transaction can leave. A status without a row is final. The
 * processor's {@code *Decisions} choose the move, {@link Transaction#with} refuses any other, and tests compare them and the diagrams of
 * the module's README with this table.
 */
public enum Transition {
    CASHIN_PENDING(
            CASHIN, Status.PENDING, Status.PAID, Status.EXPIRED, Status.CANCELED, Status.DENIED, Status.IN_ANALYSIS),

    CASHIN_IN_ANALYSIS(CASHIN, Status.IN_ANALYSIS, Status.PAID, Status.DENIED),

    /** Only for money that the rail has confirmed: the payer paid late. */
    CASHIN_EXPIRED(CASHIN, Status.EXPIRED, Status.PAID),

    CASHIN_PAID(CASHIN, Status.PAID, Status.REFUND),

    CASHOUT_PENDING(
            CASHOUT,
            Status.PENDING,
            Status.IN_PROCESS,
            Status.IN_ANALYSIS,
            Status.DENIED,
            Status.CANCELED,
            Status.EXPIRED),

    CASHOUT_IN_ANALYSIS(CASHOUT, Status.IN_ANALYSIS, Status.IN_PROCESS, Status.DENIED, Status.CANCELED),

    CASHOUT_IN_PROCESS(CASHOUT, Status.IN_PROCESS, Status.PAID, Status.DENIED),

    /** The receiver's bank returned the money. */
    CASHOUT_PAID(CASHOUT, Status.PAID, Status.REFUND);

    private static final Transition[] ROWS = values();

    private final Operation operation;
    private final Status from;
    private final Set<Status> allowed;

    Transition(Operation operation, Status from, Status first, Status... others) {
        this.operation = operation;
        this.from = from;
        this.allowed = Collections.unmodifiableSet(EnumSet.of(first, others));
    }

    /** The statuses to which a transaction of {@code operation} may move from {@code from}, in the order of {@link Status}. */
    public static Set<Status> allowed(Operation operation, Status from) {
        for (Transition row : ROWS) {
            if (row.operation == operation && row.from == from) {
                return row.allowed;
            }
        }
        return Set.of();
    }

    /** Thrown for a move that {@link Transition} does not allow. */
    public static final class InvalidTransition extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InvalidTransition(Status from, Status to, Set<Status> allowed) {
            super("status: " + from.code() + " to " + to.code() + " (expected one of: "
                    + allowed.stream().map(Status::code).toList() + ")");
        }
    }
}
