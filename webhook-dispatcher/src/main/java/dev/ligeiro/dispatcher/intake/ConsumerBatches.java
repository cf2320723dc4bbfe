package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The partitions of one consumer and its batches that are not committed yet. A batch is committed when it and all earlier ones have ended.
 * All methods are called by the consumer's thread.
 *
 * <p>Memory: a batch begins when there is room for the largest one besides the others. When its deliveries are planned it takes
 * only what it needs, so while a small batch waits for slow endpoints, several others are processed.
 */
final class ConsumerBatches {

    /** The largest: two that run, and one that has ended since the last commit. */
    private static final int UNCOMMITTED_BATCHES_MAX = DispatcherMemoryBudget.RUNNING_BATCHES_MAX + 1;

    private final int batchMax;
    private final Semaphore room =
            new Semaphore(DispatcherMemoryBudget.RUNNING_BATCHES_MAX * DispatcherMemoryBudget.BATCH_SHARE_MAX);
    private final Map<Integer, Assignment> assignments = new HashMap<>();
    private final Sinks.Empty<Void> canceled = Sinks.empty();
    private CompletableFuture<Void> committed = CompletableFuture.completedFuture(null);

    /** @param batchMax the maximum events of a batch */
    ConsumerBatches(int batchMax) {
        this.batchMax = batchMax;
    }

    /**
     * A partition for as long as this consumer has it. Its first events may be a repetition: the partition's last owner may have processed
     * them without committing their offsets, and may have stored deliveries whose attempts a lane repeats.
     */
    static final class Assignment {

        private static final long NONE = -1;

        private final long end;
        private final long uncommittedMax;
        private long first = NONE;
        private volatile boolean ended;

        /**
         * @param end the partition's end when it was assigned: nobody can have processed later events before
         * @param uncommittedMax the maximum events that a consumer has begun and not committed
         */
        private Assignment(long end, long uncommittedMax) {
            this.end = end;
            this.uncommittedMax = uncommittedMax;
        }

        /** Called for each event, in the order of their offsets, before {@link #mayAttempt}. */
        private void received(long offset) {
            if (first == NONE) {
                first = offset;
            }
        }

        /** Whether a first attempt may be made from memory: no other process has begun the event. */
        boolean mayAttempt(long offset) {
            boolean mayBeRepeated = offset < end && offset < first + uncommittedMax;
            return !ended && !mayBeRepeated;
        }

        /** Whether the consumer has given the partition back, or has lost it. Another one may process its events again. */
        boolean hasEnded() {
            return ended;
        }
    }

    /** @param end the partition's end now */
    void assigned(TopicPartition partition, long end) {
        assignments.put(partition.partition(), new Assignment(end, (long) UNCOMMITTED_BATCHES_MAX * batchMax));
    }

    void unassigned(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            Assignment assignment = assignments.remove(partition.partition());
            if (assignment != null) {
                assignment.ended = true;
            }
        }
    }

    EventBatch batch(List<ConsumerRecord<byte[], byte[]>> records) {
        Map<Integer, Assignment> ofBatch = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            ofBatch.computeIfAbsent(record.partition(), this::current).received(record.offset());
        }
        return new EventBatch(records, ofBatch, room, batchMax);
    }

    /** Spring retries a refused batch, even if its partitions have been given back meanwhile. */
    private Assignment current(int partition) {
        Assignment current = assignments.get(partition);
        if (current != null) {
            return current;
        }
        Assignment ended = new Assignment(0, 0);
        ended.ended = true;
        return ended;
    }

    /** Takes room for the largest batch, which {@link #begin} must follow; false if there is none within {@code max}. */
    boolean awaitRoom(Duration max) {
        if (committed.isCompletedExceptionally()) {
            // nothing is committed any more
            return await(committed, max);
        }
        try {
            return room.tryAcquire(DispatcherMemoryBudget.BATCH_SHARE_MAX, max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    /**
     * Begins {@code work} on {@code batch}, whose room is free again when it is committed. Then waits until the batch has ended, but not beside
     * an earlier one: if that waits for slow endpoints, the events behind it must not.
     *
     * @param commit runs on any thread, in the order of the batches
     * @param aloneMax how long to wait at most
     */
    void begin(EventBatch batch, Mono<Void> work, Runnable commit, Duration aloneMax) {
        boolean alone = committed.isDone();
        CompletableFuture<Void> running =
                Mono.firstWithSignal(work, canceled.asMono()).toFuture();
        committed = running.thenCombine(committed, (ended, before) -> ended)
                .thenRun(commit)
                .thenRun(batch::committed);
        if (alone) {
            await(running, aloneMax);
        }
    }

    /** Waits until all batches are committed; false if that takes longer than {@code max}, or if they were canceled. */
    boolean awaitAll(Duration max) {
        return await(committed, max);
    }

    /** Ends the running batches without committing them. No further batch may begin. */
    void cancel() {
        canceled.tryEmitError(new CancellationException("the consumer has stopped"));
    }

    private static boolean await(CompletableFuture<Void> batch, Duration max) {
        try {
            batch.get(max.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CancellationException) {
                return false;
            }
            throw new IllegalStateException("a batch has ended without being stored", failed);
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    private static IllegalStateException interrupted(InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", stopped);
    }
}
