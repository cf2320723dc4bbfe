package dev.ligeiro.support.kafka;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.transaction.Coded;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that can never be processed.
 *
 * @param reason a constant of an enum, because it is the tag of a metric
 * @param fault null if the record was refused without an exception
 */
public record DeadLetter(ConsumerRecord<byte[], byte[]> source, Coded reason, @Nullable Throwable fault) {

    // the headers of a dead letter, beside those of its record

    /** The code of the reason. */
    public static final String REASON = "reason";
    /** The position of the fault in an invalid message, or the size of a value that was left out; absent for other dead letters. */
    public static final String DETAIL = "detail";

    public static final String EXCEPTION_CLASS = "exception-class";

    public static final String ORIGINAL_TOPIC = "original-topic";
    public static final String ORIGINAL_PARTITION = "original-partition";
    public static final String ORIGINAL_OFFSET = "original-offset";
    /** An instant in ISO 8601. */
    public static final String ORIGINAL_TIMESTAMP = "original-timestamp";

    /** The names of all of them. */
    public static final Set<String> HEADERS = Set.of(
            REASON, DETAIL, EXCEPTION_CLASS, ORIGINAL_TOPIC, ORIGINAL_PARTITION, ORIGINAL_OFFSET, ORIGINAL_TIMESTAMP);

    /** The reasons that all services have. A service adds its own reasons to refuse a message. */
    enum CommonReason implements Coded {
        INVALID_MESSAGE,
        FAILED
    }

    public static DeadLetter invalid(ConsumerRecord<byte[], byte[]> source, InvalidMessage invalid) {
        return new DeadLetter(source, CommonReason.INVALID_MESSAGE, invalid);
    }

    public static DeadLetter refused(ConsumerRecord<byte[], byte[]> source, Coded reason) {
        return new DeadLetter(source, reason, null);
    }

    public static DeadLetter failed(ConsumerRecord<byte[], byte[]> source, Throwable fault) {
        return new DeadLetter(source, CommonReason.FAILED, fault);
    }

    /**
     * The position of the fault in an invalid message. Null for other exceptions: they may quote the record, which contains
     * personal data.
     */
    @Nullable
    String detail() {
        return fault instanceof InvalidMessage ? fault.getMessage() : null;
    }
}
