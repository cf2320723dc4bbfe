package dev.ligeiro.gateway.api.list;

import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.util.UUID;

/**
 * A range of transactions by their ids, which is also a range of their times of creation.
 *
 * @param from the lowest id
 * @param before the end, exclusive
 */
public record Span(TransactionId from, TransactionId before) {

    public static final Span ALL = new Span(new TransactionId(new UUID(0, 0)), new TransactionId(new UUID(-1, -1)));

    /**
     * The transactions that were created in a time, in milliseconds of the epoch.
     *
     * @param before the end, exclusive
     */
    public static Span ofMillis(long from, long before) {
        return new Span(lowest(from), lowest(before));
    }

    /** The transactions of this span that were created at this time or later, in milliseconds of the epoch. */
    public Span fromMillis(long at) {
        TransactionId lowest = lowest(at);
        return new Span(lowest.compareTo(from) > 0 ? lowest : from, before);
    }

    /** The transactions of this span that were created before this time, in milliseconds of the epoch. */
    public Span beforeMillis(long at) {
        return below(lowest(at));
    }

    /** The transactions of this span with a lower id. */
    public Span below(TransactionId id) {
        return new Span(from, id.compareTo(before) < 0 ? id : before);
    }

    public Span within(Span other) {
        return new Span(from.compareTo(other.from) > 0 ? from : other.from, other.before).below(before);
    }

    /** The earliest time of creation, in milliseconds of the epoch. */
    public long firstMilli() {
        return UuidV7.epochMilli(from.value());
    }

    /** The latest time of creation, in milliseconds of the epoch. */
    long lastMilli() {
        return before.equals(lowest(endMilli())) ? endMilli() - 1 : endMilli();
    }

    /** The end of the times of creation, exclusive, in milliseconds of the epoch: exact if {@link #before} is the lowest id of a time. */
    public long endMilli() {
        return UuidV7.epochMilli(before.value());
    }

    public boolean contains(TransactionId id) {
        return id.compareTo(from) >= 0 && id.compareTo(before) < 0;
    }

    public boolean isEmpty() {
        return from.compareTo(before) >= 0;
    }

    private static TransactionId lowest(long milli) {
        return new TransactionId(UuidV7.lowest(Math.max(0, milli)));
    }
}
