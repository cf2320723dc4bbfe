package dev.ligeiro.desk.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.support.kafka.DeadLetterHeaders;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record of a dead-letter topic, as the response shows it. A header or a key of an unexpected form reads as null. The value is not read,
 * because it contains personal data.
 *
 * @param detail the position of the fault in an invalid message
 * @param transactionId the key, if it is a transaction id
 * @param at when the record became a dead letter
 */
public record DeadLetter(
        RecordPlace id,
        DeadLetterTopic topic,
        @Nullable Long originalPartition,
        @Nullable Long originalOffset,
        @Nullable String reason,
        @Nullable String detail,
        @Nullable String exception,
        @Nullable UUID transactionId,
        Instant at,
        @JsonIgnore ConsumerRecord<byte[], byte[]> record) {

    /** A longer header was not written by this system; it is not shown. */
    private static final int HEADER_BYTES_MAX = 300;

    static DeadLetter of(DeadLetterTopic topic, ConsumerRecord<byte[], byte[]> record) {
        return new DeadLetter(
                RecordPlace.of(record),
                topic,
                number(record, DeadLetterHeaders.ORIGINAL_PARTITION),
                number(record, DeadLetterHeaders.ORIGINAL_OFFSET),
                header(record, DeadLetterHeaders.REASON),
                header(record, DeadLetterHeaders.DETAIL),
                header(record, DeadLetterHeaders.EXCEPTION_CLASS),
                transactionId(record.key()),
                Instant.ofEpochMilli(record.timestamp()),
                record);
    }

    /**
     * The record as it was before it became a dead letter: key, value and headers. The key selects the partition, so it follows the
     * other records of its transaction. Its time is that of sending, since a topic is read and deleted in the order of time.
     */
    ProducerRecord<byte[], byte[]> original() {
        ProducerRecord<byte[], byte[]> original =
                new ProducerRecord<>(topic.code(), null, record.key(), record.value(), record.headers());
        DeadLetterHeaders.NAMES.forEach(original.headers()::remove);
        return original;
    }

    private static @Nullable UUID transactionId(byte @Nullable [] key) {
        return key == null
                ? null
                : TransactionId.parse(new String(key, StandardCharsets.UTF_8))
                        .map(TransactionId::value)
                        .orElse(null);
    }

    private static @Nullable Long number(ConsumerRecord<byte[], byte[]> record, String name) {
        String text = header(record, name);
        return text != null && text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null || header.value().length > HEADER_BYTES_MAX
                ? null
                : new String(header.value(), StandardCharsets.UTF_8);
    }
}
