package dev.ligeiro.processor.intake;

import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.support.kafka.OriginHeaders;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A command and its record, which is needed for a dead letter, the origin and the time. */
record ReceivedCommand(TransactionCommand command, ConsumerRecord<byte[], byte[]> source) {

    /** The bytes of the record's value. */
    long bytes() {
        return source.serializedValueSize();
    }

    Origin origin() {
        return OriginHeaders.of(source.headers());
    }

    /** By the broker's clock, because the topic has {@code message.timestamp.type=LogAppendTime}. */
    Instant appendedAt() {
        return Instant.ofEpochMilli(source.timestamp());
    }
}
