package dev.ligeiro.support.kafka;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.transaction.Coded;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that can never be processed.
 *
 * @param reason a constant of an enum, since it is a metric's tag
 * @param fault the exception, or null where the record was refused without one
 */
public record DeadLetter(ConsumerRecord<byte[], byte[]> source, Coded reason, @Nullable Throwable fault) {

    /** A record that is not a message of Ligeiro. */
    public static DeadLetter invalid(ConsumerRecord<byte[], byte[]> source, InvalidMessage invalid) {
        return new DeadLetter(source, DeadLetterReason.INVALID_MESSAGE, invalid);
    }

    /** A message that the service decides not to act on. */
    public static DeadLetter refused(ConsumerRecord<byte[], byte[]> source, Coded reason) {
        return new DeadLetter(source, reason, null);
    }

    /** A message whose processing fails each time. */
    public static DeadLetter failed(ConsumerRecord<byte[], byte[]> source, Throwable fault) {
        return new DeadLetter(source, DeadLetterReason.FAILED, fault);
    }

    /** The place in the message that cannot be read, or null. Other exceptions may quote the record, which holds personal data. */
    @Nullable
    String detail() {
        return fault instanceof InvalidMessage ? fault.getMessage() : null;
    }
}
