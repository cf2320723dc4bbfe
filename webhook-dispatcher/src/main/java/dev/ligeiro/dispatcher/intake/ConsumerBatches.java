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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The partitions of one consumer and its batches that are not committed yet: at most two batches run, so that memory is bounded. A batch is
 * committed when it and all earlier ones have ended. All methods are called by the consumer's thread.
 */
final class ConsumerBatches {

    /** Two batches that run, and one that has ended since the last commit. */
    private static final int UNCOMMITTED_BATCHES_MAX = DispatcherMemoryBudget.RUNNING_BATCHES_MAX + 1;

    private final long uncommittedMax;
    private final Map<Integer, Assignment> assignments = new HashMap<>();
    private final Sinks.Empty<Void> canceled = Sinks.empty();
    private CompletableFuture<Void> previous = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> latest = previous;

    /** @param batchMax the maximum events of a batch */
    ConsumerBatches(int batchMax) {
        this.uncommittedMax = (long) UNCOMMITTED_BATCHES_MAX * batchMax;
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
        assignments.put(partition.partition(), new Assignment(end, uncommittedMax));
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
        return new EventBatch(records, ofBatch);
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

    /** Waits until at most one batch runs; false if that takes longer than {@code max}, or after {@link #cancel}. */
    boolean awaitRoom(Duration max) {
        return await(previous, max);
    }

    /**
     * Begins {@code work} on a batch; call {@link #awaitRoom} before.
     *
     * @param commit runs on any thread, in the order of the batches
     */
    void begin(Mono<Void> work, Runnable commit) {
        previous = latest;
        latest = Mono.firstWithSignal(work, canceled.asMono())
                .toFuture()
                .thenCombine(previous, (ended, before) -> ended)
                .thenRun(commit);
    }

    /** Waits until all batches are committed; false if that takes longer than {@code max}, or if they were canceled. */
    boolean awaitAll(Duration max) {
        return await(latest, max);
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
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }
}
