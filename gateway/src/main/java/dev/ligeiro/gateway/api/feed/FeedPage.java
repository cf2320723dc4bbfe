package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.message.EventId;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of a feed: events with consecutive numbers.
 *
 * @param next the place after the last one, or where the request was at the end of the feed
 */
record FeedPage(List<Row> rows, Place next) {

    private static final String EXPECTED = "expected the next_cursor of a page of your events";

    /**
     * The feed of a tenant.
     *
     * @param id the id of the endpoint behind it
     * @param lastNumber the number of its last event; it may lag behind, so events with higher numbers may be stored already; 0 without an event
     */
    record Feed(UUID id, long lastNumber) {}

    /** An event of a feed, by its number, from 1. */
    record Row(long number, EventId eventId) {}

    /** After an event of a feed; the number 0 is before the first event. */
    record Place(UUID feedId, long number) {

        Place {
            if (number < 0) {
                throw new IllegalArgumentException("number: " + number + " (expected: >= 0)");
            }
        }

        String cursor() {
            return Page.cursor(ByteBuffer.allocate(3 * Long.BYTES)
                    .putLong(feedId.getMostSignificantBits())
                    .putLong(feedId.getLeastSignificantBits())
                    .putLong(number));
        }

        /** @throws IllegalArgumentException with the expected form as its message */
        static Place parse(String cursor) {
            return Page.place(
                    cursor,
                    EXPECTED,
                    bytes -> new Place(new UUID(bytes.getLong(), bytes.getLong()), bytes.getLong()),
                    Place::cursor);
        }
    }

    /**
     * The page of a request. Events are deleted after 30 days, not always in the order of their numbers; a page ends before a missing
     * one, so no event is left out silently.
     *
     * @param feed as it was read before {@code found}
     * @param after null for the oldest kept event
     * @param limit the maximum number of events
     * @param found the stored events from {@link #firstNumber} on
     * @throws Problem 410 if the event after the place is deleted; 422 for a place in another feed, or behind the end
     */
    static FeedPage of(Feed feed, @Nullable Place after, int limit, List<Row> found) {
        long from = after == null ? oldest(feed, found) : checked(after, feed, found);
        List<Row> following =
                found.stream().filter(row -> row.number() > from).limit(limit).toList();
        int count = 0;
        while (count < following.size() && following.get(count).number() == from + count + 1) {
            count++;
        }
        return new FeedPage(following.subList(0, count), new Place(feed.id(), from + count));
    }

    /** The number of the first event to read: that of the place too, which shows that the next one is not deleted. */
    static long firstNumber(@Nullable Place after) {
        return after == null ? 1 : after.number();
    }

    /** The place before the oldest event. */
    private static long oldest(Feed feed, List<Row> found) {
        return found.isEmpty() ? feed.lastNumber() : found.get(0).number() - 1;
    }

    private static long checked(Place after, Feed feed, List<Row> found) {
        long number = after.number();
        if (!after.feedId().equals(feed.id()) || found.isEmpty() && number > feed.lastNumber()) {
            throw unknownPlace();
        }
        boolean followed =
                found.isEmpty() ? number == feed.lastNumber() : found.get(0).number() <= number + 1;
        if (!followed) {
            throw Problem.of(
                    ProblemCode.CURSOR_EXPIRED,
                    "Events after this cursor have been deleted. Without after, the feed begins with the oldest kept event");
        }
        return number;
    }

    static Problem unknownPlace() {
        return Problem.invalid("after", EXPECTED);
    }
}
