package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where a transaction stands (specification §3). Which moves exist is {@link Transition}'s to say. */
public enum Status {
    PENDING("pending", false),
    PAID("paid", false),
    DENIED("denied", true),
    CANCELED("canceled", true),
    REFUND("refund", true),
    IN_PROCESS("in_process", false),
    IN_ANALYSIS("in_analysis", false),
    EXPIRED("expired", true);

    private final String word;
    private final boolean finished;

    Status(String word, boolean finished) {
        this.word = word;
        this.finished = finished;
    }

    /** The word of the API, of messages and of the store. */
    @JsonValue
    public String word() {
        return word;
    }

    /** Whether the API shows a time in {@code finished}; a paid transaction can still be refunded, so it shows none. */
    public boolean isFinished() {
        return finished;
    }

    public static Status ofWord(String word) {
        return Words.find(values(), Status::word, word);
    }
}
