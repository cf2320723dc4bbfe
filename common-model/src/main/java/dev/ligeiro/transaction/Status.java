package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/** The status of a transaction; {@link Transition} lists the moves between them. */
public enum Status implements Coded {
    PENDING("pending", false),
    PAID("paid", false),
    DENIED("denied", true),
    CANCELED("canceled", true),
    REFUND("refund", true),
    IN_PROCESS("in_process", false),
    IN_ANALYSIS("in_analysis", false),
    EXPIRED("expired", true);

    private static final Codes<Status> CODES = new Codes<>(Status.class);

    private final String code;
    private final boolean finished;

    Status(String code, boolean finished) {
        this.code = code;
        this.finished = finished;
    }

    @Override
    @JsonValue
    public String code() {
        return code;
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
