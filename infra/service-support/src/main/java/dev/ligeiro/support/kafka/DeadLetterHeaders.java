package dev.ligeiro.support.kafka;

import java.util.Set;

/** The text headers that {@link DeadLetters} adds to a record. The other headers of a dead letter are those of the record. */
public final class DeadLetterHeaders {

    /** The code of the reason. */
    public static final String REASON = "reason";
    /** The position of the fault in an invalid message, or the size of a value that was left out; absent for other dead letters. */
    public static final String DETAIL = "detail";
    /** The class of the exception; absent if the record was refused without one. */
    public static final String EXCEPTION_CLASS = "exception-class";

    public static final String ORIGINAL_TOPIC = "original-topic";
    public static final String ORIGINAL_PARTITION = "original-partition";
    public static final String ORIGINAL_OFFSET = "original-offset";
    /** An instant in ISO 8601. */
    public static final String ORIGINAL_TIMESTAMP = "original-timestamp";

    /** All of them. */
    public static final Set<String> NAMES = Set.of(
            REASON, DETAIL, EXCEPTION_CLASS, ORIGINAL_TOPIC, ORIGINAL_PARTITION, ORIGINAL_OFFSET, ORIGINAL_TIMESTAMP);

    private DeadLetterHeaders() {}
}
