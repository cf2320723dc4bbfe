package dev.ligeiro.processor.intake;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Skips the records that the killed processor of their {@link CrashCase} has committed. One healthy processor thus takes over from all of
 * them, each with its own offsets.
 */
public final class NotCommitted implements ConsumerInterceptor<byte[], byte[]> {

    static final String SETTING =
            "spring.kafka.consumer.properties.interceptor.classes=" + NotCommitted.class.getName();

    private static final Map<String, Map<TopicPartition, Long>> BY_KEY = new ConcurrentHashMap<>();

    /** Skips the records of {@code crash} before these offsets. */
    static void skip(CrashCase crash, Map<TopicPartition, Long> committed) {
        crash.keys().forEach(key -> BY_KEY.put(key, committed));
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        return OwnRecords.filtered(records, NotCommitted::isNotCommitted);
    }

    private static boolean isNotCommitted(ConsumerRecord<byte[], byte[]> record) {
        Map<TopicPartition, Long> committed = BY_KEY.getOrDefault(OwnRecords.key(record), Map.of());
        return record.offset() >= committed.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L);
    }

    @Override
    public void configure(Map<String, ?> settings) {}

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
}
