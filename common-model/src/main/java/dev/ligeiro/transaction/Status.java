package dev.ligeiro.transaction;

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

    private final boolean finished;

    Status(boolean finished) {
        this.finished = finished;
    }

    /** Whether the API shows a time in {@code finished}. It shows none for a paid transaction, which can still be refunded. */
    public boolean isFinished() {
        return finished;
    }
}
