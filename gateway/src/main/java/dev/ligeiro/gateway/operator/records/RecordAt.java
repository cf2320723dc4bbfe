package dev.ligeiro.gateway.operator.records;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The place of a record. */
public record RecordAt(TopicPartition partition, long offset) {

    public RecordAt(String topic, int partition, long offset) {
        this(new TopicPartition(topic, partition), offset);
    }

    public static RecordAt of(ConsumerRecord<byte[], byte[]> record) {
        return new RecordAt(record.topic(), record.partition(), record.offset());
    }
}
