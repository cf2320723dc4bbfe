package dev.ligeiro.transaction;

import java.util.Optional;

/** The status of a transaction; {@link Transition} lists the moves between them. */
public enum Status implements Coded {
    PENDING(false),
    PAID(false),
    DENIED(true),
    CANCELED(true),
    REFUND(true),
    IN_PROCESS(false),
    IN_ANALYSIS(false),
    EXPIRED(true);

    private static final Codes<Status> CODES = new Codes<>(Status.class);

    private final boolean finished;

    Status(boolean finished) {
        this.finished = finished;
    }

    /** Whether the API shows a time in {@code finished}. It shows none for a paid transaction, which can still be refunded. */
    public boolean isFinished() {
        return finished;
    }

    /** @throws IllegalArgumentException when no status has this code */
    public static Status fromCode(String code) {
        return CODES.get(code);
    }

    /** The status with this code, or empty. */
    public static Optional<Status> findByCode(String code) {
        return CODES.find(code);
    }
}
