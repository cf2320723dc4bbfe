package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.MemoryBudget;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The partitions that one consumer has, of one topic. All methods are called by the consumer's thread. */
final class Assignments {

    /** Two batches that run, and one that has ended since the last commit. */
    private static final int UNCOMMITTED_BATCHES_MAX = MemoryBudget.RUNNING_BATCHES_MAX + 1;

    private final Map<Integer, Assignment> byPartition = new HashMap<>();
    private final long uncommittedMax;

    /** @param batchMax the maximum events of a batch */
    Assignments(int batchMax) {
        this.uncommittedMax = (long) UNCOMMITTED_BATCHES_MAX * batchMax;
    }

    /** @param end the partition's end now */
    void begin(TopicPartition partition, long end) {
        byPartition.put(partition.partition(), new Assignment(end, uncommittedMax));
    }

    void end(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            Assignment ended = byPartition.remove(partition.partition());
            if (ended != null) {
                ended.end();
            }
        }
    }

    Batch batch(List<ConsumerRecord<byte[], byte[]>> records) {
        Map<Integer, Assignment> ofBatch = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            ofBatch.computeIfAbsent(record.partition(), this::current).received(record.offset());
        }
        return new Batch(records, ofBatch);
    }

    /** Spring retries a refused batch, even if its partitions have been given back meanwhile. */
    private Assignment current(int partition) {
        Assignment current = byPartition.get(partition);
        if (current != null) {
            return current;
        }
        Assignment ended = new Assignment(0, 0);
        ended.end();
        return ended;
    }
}
