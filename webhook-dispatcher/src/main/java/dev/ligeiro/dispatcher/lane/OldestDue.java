package dev.ligeiro.dispatcher.lane;

import java.time.Instant;

/**
 * The earliest due times of the scheduled deliveries. {@link Instant#MAX} stands for none.
 *
 * @param closed of the endpoints whose circuit breaker has not opened since their last success
 * @param opened of the other endpoints: their deliveries wait because the endpoints fail
 */
record OldestDue(Instant closed, Instant opened) {

    static final OldestDue NONE = new OldestDue(Instant.MAX, Instant.MAX);

    OldestDue and(Instant dueAt, boolean isOpened) {
        return isOpened ? new OldestDue(closed, earlier(opened, dueAt)) : new OldestDue(earlier(closed, dueAt), opened);
    }

    OldestDue and(OldestDue other) {
        return new OldestDue(earlier(closed, other.closed), earlier(opened, other.opened));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
