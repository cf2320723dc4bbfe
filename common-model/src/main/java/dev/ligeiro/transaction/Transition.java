package dev.ligeiro.transaction;

import static dev.ligeiro.transaction.Operation.CASHIN;
import static dev.ligeiro.transaction.Operation.CASHOUT;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status machine: one row for each operation and status that a transaction can leave. A status without a row is final.
 *
 * <p>A row lists the implemented moves, then the moves that are allowed although no command or rail outcome makes them yet. A test
 * of the processor compares the implemented moves with its decisions; the README's diagrams show them.
 */
public enum Transition {
    CASHIN_PENDING(
            CASHIN,
            Status.PENDING,
            to(Status.PAID, Status.DENIED),
            to(Status.EXPIRED, Status.CANCELED, Status.IN_ANALYSIS)),

    CASHIN_IN_ANALYSIS(CASHIN, Status.IN_ANALYSIS, to(), to(Status.PAID, Status.DENIED)),

    /** Only for money that the rail has confirmed: the payer paid late. */
    CASHIN_EXPIRED(CASHIN, Status.EXPIRED, to(), to(Status.PAID)),

    CASHIN_PAID(CASHIN, Status.PAID, to(), to(Status.REFUND)),

    CASHOUT_PENDING(
            CASHOUT,
            Status.PENDING,
            to(Status.IN_PROCESS),
            to(Status.IN_ANALYSIS, Status.DENIED, Status.CANCELED, Status.EXPIRED)),

    CASHOUT_IN_ANALYSIS(CASHOUT, Status.IN_ANALYSIS, to(), to(Status.IN_PROCESS, Status.DENIED, Status.CANCELED)),

    CASHOUT_IN_PROCESS(CASHOUT, Status.IN_PROCESS, to(Status.PAID, Status.DENIED), to()),

    /** The receiver's bank returned the money. */
    CASHOUT_PAID(CASHOUT, Status.PAID, to(), to(Status.REFUND));

    private static final Transition[] ROWS = values();

    private final Operation operation;
    private final Status from;
    private final Set<Status> implemented;
    private final Set<Status> allowed;

    Transition(Operation operation, Status from, EnumSet<Status> implemented, EnumSet<Status> notYetImplemented) {
        this.operation = operation;
        this.from = from;
        this.implemented = Collections.unmodifiableSet(implemented);
        EnumSet<Status> all = EnumSet.copyOf(implemented);
        all.addAll(notYetImplemented);
        this.allowed = Collections.unmodifiableSet(all);
    }

    private static EnumSet<Status> to(Status... statuses) {
        EnumSet<Status> set = EnumSet.noneOf(Status.class);
        Collections.addAll(set, statuses);
        return set;
    }

    /** The statuses to which a transaction of {@code operation} may move from {@code from}, in the order of {@link Status}. */
    public static Set<Status> allowed(Operation operation, Status from) {
        Transition row = row(operation, from);
        return row == null ? Set.of() : row.allowed;
    }

    /** The part of {@link #allowed} that commands and rail outcomes of this version reach, in the order of {@link Status}. */
    public static Set<Status> implemented(Operation operation, Status from) {
        Transition row = row(operation, from);
        return row == null ? Set.of() : row.implemented;
    }

    private static @Nullable Transition row(Operation operation, Status from) {
        for (Transition row : ROWS) {
            if (row.operation == operation && row.from == from) {
                return row;
            }
        }
        return null;
    }
}
