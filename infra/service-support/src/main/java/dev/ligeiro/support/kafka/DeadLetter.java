package dev.ligeiro.support.kafka;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.transaction.Coded;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that can never be processed.
 *
 * @param reason a constant of an enum, because it is the tag of a metric
 * @param fault null if the record was refused without an exception
 */
public record DeadLetter(ConsumerRecord<byte[], byte[]> source, Coded reason, @Nullable Throwable fault) {

    /** The reasons that all services have. A service adds its own reasons to refuse a message. */
    enum CommonReason implements Coded {
        INVALID_MESSAGE,
        FAILED
    }

    /** A record whose value is not a valid message. */
    public static DeadLetter invalid(ConsumerRecord<byte[], byte[]> source, InvalidMessage invalid) {
        return new DeadLetter(source, CommonReason.INVALID_MESSAGE, invalid);
    }

    /** A valid message that the service refuses to process. */
    public static DeadLetter refused(ConsumerRecord<byte[], byte[]> source, Coded reason) {
        return new DeadLetter(source, reason, null);
    }

    /** A valid message whose processing always fails. */
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
