package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.support.kafka.DeadLetterHeaders;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record of a dead-letter topic. A header or a key of an unexpected form reads as null. The value is not read, because it contains
 * personal data.
 */
record DeadLetterRecord(ConsumerRecord<byte[], byte[]> record) {

    /** A longer header was not written by this system; it is not shown. */
    private static final int HEADER_BYTES_MAX = 300;

    DeadLetterId id() {
        return new DeadLetterId(record.partition(), record.offset());
    }

    /** When the record became a dead letter. */
    Instant at() {
        return Instant.ofEpochMilli(record.timestamp());
    }

    @Nullable
    String reason() {
        return header(DeadLetterHeaders.REASON);
    }

    /** The position of the fault in an invalid message. */
    @Nullable
    String detail() {
        return header(DeadLetterHeaders.DETAIL);
    }

    @Nullable
    String exception() {
        return header(DeadLetterHeaders.EXCEPTION_CLASS);
    }

    @Nullable
    Long originalPartition() {
        return number(DeadLetterHeaders.ORIGINAL_PARTITION);
    }

    @Nullable
    Long originalOffset() {
        return number(DeadLetterHeaders.ORIGINAL_OFFSET);
    }

    /** The key, if it is a transaction id. */
    @Nullable
    TransactionId transactionId() {
        return record.key() == null
                ? null
                : TransactionId.parse(new String(record.key(), StandardCharsets.UTF_8))
                        .orElse(null);
    }

    /**
     * The record as it was before it became a dead letter: key, value and headers. The key selects the partition, so it follows the
     * other records of its transaction. Its time is that of sending, since a topic is read and deleted in the order of time.
     */
    ProducerRecord<byte[], byte[]> original(DeadLetterTopic topic) {
        ProducerRecord<byte[], byte[]> original =
                new ProducerRecord<>(topic.code(), null, record.key(), record.value(), record.headers());
        DeadLetterHeaders.NAMES.forEach(original.headers()::remove);
        return original;
    }

    private @Nullable Long number(String name) {
        String text = header(name);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException malformed) {
            return null;
        }
    }

    private @Nullable String header(String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null || header.value().length > HEADER_BYTES_MAX
                ? null
                : new String(header.value(), StandardCharsets.UTF_8);
    }
}
