package dev.ligeiro.processor.intake;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Gives a processor only the records of some transactions, as if the topic had no others. */
public final class OwnRecords implements ConsumerInterceptor<byte[], byte[]> {

    private static final String KEYS = "test.own-keys";

    private Set<String> keys = Set.of();

    static List<String> settings(Set<String> keys) {
        return List.of(
                "spring.kafka.consumer.properties.interceptor.classes=" + OwnRecords.class.getName(),
                "spring.kafka.consumer.properties." + KEYS + "=" + String.join(",", keys));
    }

    @Override
    public void configure(Map<String, ?> settings) {
        keys = Set.of(String.valueOf(settings.get(KEYS)).split(","));
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        return filtered(records, record -> keys.contains(key(record)));
    }

    static ConsumerRecords<byte[], byte[]> filtered(
            ConsumerRecords<byte[], byte[]> records, Predicate<ConsumerRecord<byte[], byte[]>> kept) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> left = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (kept.test(record)) {
                left.computeIfAbsent(
                                new TopicPartition(record.topic(), record.partition()), partition -> new ArrayList<>())
                        .add(record);
            }
        }
        return new ConsumerRecords<>(left, records.nextOffsets());
    }

    static String key(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.US_ASCII);
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
}
