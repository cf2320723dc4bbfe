package dev.ligeiro.webhook;

import java.time.Duration;
import java.time.Instant;

/**
 * A request to send the events of a time again.
 *
 * @param from the time of the first event
 * @param to the time of the last event
 * @param status the deliveries to send again, as they are when the replay comes to them
 */
public record ReplayRequest(Instant from, Instant to, StatusFilter status) {

    /** Ended deliveries are kept for as long. */
    public static final Duration SPAN_MAX = Duration.ofDays(30);

    /** Whether the time is in the range, both ends included. */
    public boolean includes(Instant eventAt) {
        return !eventAt.isBefore(from) && !eventAt.isAfter(to);
    }
}
