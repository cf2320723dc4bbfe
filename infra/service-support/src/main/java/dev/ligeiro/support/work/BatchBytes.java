package dev.ligeiro.support.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * How many bytes a consumer processes at once. The limit is small after each start, so that no stored batch can kill every process that
 * reads it: it doubles with each part that succeeds and halves with each one that fails. Safe for use by several threads.
 */
public final class BatchBytes {

    private final long max;
    private final AtomicLong limit;

    /**
     * @param start limit of the first part, from 1 to {@code max}
     * @param max limit after parts that succeeded
     */
    public BatchBytes(long start, long max) {
        if (start < 1 || start > max) {
            throw new IllegalArgumentException("start: " + start + " (expected: 1 to " + max + ")");
        }
        this.max = max;
        this.limit = new AtomicLong(start);
    }

    /** Bytes of the next part at most, from 1 to the maximum. */
    public long limit() {
        return limit.get();
    }

    /** Whether the limit is still below its maximum: after a start, or after a failure. */
    public boolean belowMax() {
        return limit.get() < max;
    }

    public void succeeded() {
        limit.updateAndGet(bytes -> bytes > max / 2 ? max : bytes * 2);
    }

    /** @param partBytes the bytes of the part that failed, which may be less than the limit */
    public void failed(long partBytes) {
        limit.updateAndGet(bytes -> Math.max(1, Math.min(bytes, partBytes) / 2));
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
