package dev.ligeiro.support.work;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How many bytes a consumer processes at once. A batch is processed in parts, and its offsets are committed when all are done. The limit of
 * a batch is small after each start and after a part that took too long, and doubles with each batch that is done: so no stored batch can
 * kill every process that reads it, wherever in it the fatal part is. Within that limit, the next part is halved after one that
 * failed and doubled after one that succeeded. Safe for use by several threads.
 */
public final class BatchBytes {

    private final long max;
    private long ofBatch;
    private long ofPart;

    /**
     * @param start limit of the first part, from 1 to {@code max}
     * @param max limit after batches that are done
     */
    public BatchBytes(long start, long max) {
        if (start < 1 || start > max) {
            throw new IllegalArgumentException("start: " + start + " (expected: 1 to " + max + ")");
        }
        this.max = max;
        this.ofBatch = start;
        this.ofPart = start;
    }

    /** Bytes of the next part at most, from 1 to the maximum. */
    public synchronized long limit() {
        return ofPart;
    }

    /** Whether the limit is still below its maximum: after a start, or after a failure. */
    public synchronized boolean belowMax() {
        return ofPart < max;
    }

    public synchronized void partDone() {
        ofPart = doubled(ofPart, ofBatch);
    }

    public synchronized void batchDone() {
        ofBatch = doubled(ofBatch, max);
        partDone();
    }

    /** @param partBytes the bytes of the part that failed, which may be less than the limit */
    public synchronized void partFailed(long partBytes) {
        ofPart = Math.max(1, Math.min(ofPart, partBytes) / 2);
    }

    /** The batch has no larger parts any more. */
    public synchronized void partTimedOut(long partBytes) {
        partFailed(partBytes);
        ofBatch = ofPart;
    }

    private static long doubled(long bytes, long max) {
        return bytes > max / 2 ? max : bytes * 2;
    }

    /** The items in their order, in parts of at most {@code limit} bytes. An item with more bytes is a part of its own. */
    public static <T> List<List<T>> split(List<T> items, ToLongFunction<T> bytes, long limit) {
        List<List<T>> parts = new ArrayList<>();
        int start = 0;
        long partBytes = 0;
        for (int i = 0; i < items.size(); i++) {
            long itemBytes = bytes.applyAsLong(items.get(i));
            if (i > start && partBytes + itemBytes > limit) {
                parts.add(items.subList(start, i));
                start = i;
                partBytes = 0;
            }
            partBytes += itemBytes;
        }
        if (start < items.size()) {
            parts.add(items.subList(start, items.size()));
        }
        return parts;
    }
}
