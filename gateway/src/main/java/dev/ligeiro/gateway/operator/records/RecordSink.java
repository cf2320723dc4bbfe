package dev.ligeiro.gateway.operator.records;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Takes the records of a page, in their order. */
public interface RecordSink {

    /** A full page gets no further record; the next page begins with that. */
    boolean isFull();

    void add(ConsumerRecord<byte[], byte[]> record);

    /** The last record of this page; null while it is empty. */
    @Nullable
    RecordAt last();
}
