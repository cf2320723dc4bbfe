package dev.ligeiro.gateway.operator.records;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The place of a record, as text {@code <topic>-<partition>-<offset>}. */
record RecordAt(TopicPartition partition, long offset) {

    private static final Pattern FORM = Pattern.compile("(.+)-([0-9]{1,9})-([0-9]{1,18})");

    RecordAt(String topic, int partition, long offset) {
        this(new TopicPartition(topic, partition), offset);
    }

    static RecordAt of(ConsumerRecord<byte[], byte[]> record) {
        return new RecordAt(record.topic(), record.partition(), record.offset());
    }

    /** @throws IllegalArgumentException with the expected form as its message */
    static RecordAt parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return new RecordAt(matcher.group(1), Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3)));
    }

    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
