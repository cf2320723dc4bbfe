package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.intake.ConsumerBatches.Assignment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records of a batch, or of a part of it, and the state of its tries. A first attempt is made from memory only if no other process and no
 * earlier try can have begun it: in the first try of the batch, for events that cannot have been delivered before, while this consumer
 * has all partitions of the batch. All other deliveries are only stored, and a lane makes their attempts. A delivery that is already
 * stored is not changed.
 */
final class EventBatch {

    private final List<ConsumerRecord<byte[], byte[]>> records;
    private final Map<Integer, Assignment> assignments;
    private final @Nullable Semaphore room;
    private final int recordsMax;
    private int share = DispatcherMemoryBudget.BATCH_SHARE_MAX;
    private volatile boolean repeated;
    private volatile Instant attemptedUntil = Instant.EPOCH;

    /**
     * @param assignments those of all its partitions
     * @param room of which it has the share of the largest batch; null for a part: the rest of its batch needs room too
     * @param recordsMax of the largest batch
     */
    EventBatch(
            List<ConsumerRecord<byte[], byte[]>> records,
            Map<Integer, Assignment> assignments,
            @Nullable Semaphore room,
            int recordsMax) {
        this.records = records;
        this.assignments = assignments;
        this.room = room;
        this.recordsMax = recordsMax;
    }

    List<ConsumerRecord<byte[], byte[]>> records() {
        return records;
    }

    /** Some of the records, whose tries are their own from now on. */
    EventBatch part(List<ConsumerRecord<byte[], byte[]>> some) {
        EventBatch part = new EventBatch(some, assignments, null, recordsMax);
        part.repeated = repeated;
        part.attemptedUntil = attemptedUntil;
        return part;
    }

    List<EventBatch> halves() {
        int half = records.size() / 2;
        return List.of(part(records.subList(0, half)), part(records.subList(half, records.size())));
    }

    boolean mayAttempt(ConsumerRecord<?, ?> record) {
        Assignment assignment = assignments.get(record.partition());
        return !repeated && assignment != null && assignment.mayAttempt(record.offset());
    }

    /**
     * Whether this consumer has all partitions of the batch. If not, its offsets must not be committed, because the partitions' new owner
     * may have committed later ones.
     */
    boolean isHeld() {
        for (Assignment assignment : assignments.values()) {
            if (assignment.hasEnded()) {
                return false;
            }
        }
        return true;
    }

    /** Its last deliveries are planned. A whole batch gives the room back that it does not need for them. */
    void planned(int deliveries, long endpointBytes) {
        if (room == null) {
            return;
        }
        long bytes = records.stream().mapToLong(EventBatch::bytes).sum();
        keep(DispatcherMemoryBudget.batchShare(records.size(), recordsMax, bytes, deliveries, endpointBytes));
    }

    /** Gives back the rest of its room. */
    void committed() {
        keep(0);
    }

    private synchronized void keep(int needed) {
        if (room != null && needed < share) {
            room.release(share - needed);
            share = needed;
        }
    }

    static long bytes(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? 0 : record.value().length;
    }

    /** A try of the batch has failed. */
    void repeat() {
        repeated = true;
    }

    /** Attempts are made, which end before {@code until}. */
    void attempting(Instant until) {
        attemptedUntil = until;
    }

    /** When a lane may attempt a delivery of the batch: not while the attempts of a failed try may be running. */
    Instant dueAt(Instant now) {
        return repeated && attemptedUntil.isAfter(now) ? attemptedUntil : now;
    }
}
