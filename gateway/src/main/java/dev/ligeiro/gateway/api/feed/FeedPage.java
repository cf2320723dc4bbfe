package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a feed: events with consecutive numbers.
 *
 * @param next the place after the last one, or where the request was at the end of the feed
 */
record FeedPage(List<FeedReadStore.Row> rows, FeedCursor next) {

    /**
     * The page of a request. Events are deleted after 30 days, not always in the order of their numbers; a page ends before a missing
     * one, so no event is left out silently.
     *
     * @param feed as it was read before {@code found}
     * @param after null for the oldest kept event
     * @param limit the maximum number of events
     * @param found the stored events from the number of the cursor on, that number included
     * @throws Problem 410 if the event after the cursor is deleted; 422 for a cursor of another feed, or behind the end
     */
    static FeedPage of(FeedReadStore.Feed feed, @Nullable FeedCursor after, int limit, List<FeedReadStore.Row> found) {
        if (after != null && !after.feedId().equals(feed.id())) {
            throw FeedCursor.unknown();
        }
        long from = after == null ? oldest(feed, found) : checked(after.number(), feed, found);
        List<FeedReadStore.Row> rows = consecutive(found, from, limit);
        return new FeedPage(rows, new FeedCursor(feed.id(), from + rows.size()));
    }

    /** The number of the first event to read. */
    static long firstNumber(@Nullable FeedCursor after) {
        return after == null ? FeedReadStore.Feed.FIRST_NUMBER : after.number();
    }

    /** The place before the oldest event. */
    private static long oldest(FeedReadStore.Feed feed, List<FeedReadStore.Row> found) {
        return found.isEmpty() ? feed.lastNumber() : found.get(0).number() - 1;
    }

    private static long checked(long after, FeedReadStore.Feed feed, List<FeedReadStore.Row> found) {
        boolean nothingFollows = found.isEmpty();
        if (nothingFollows && after > feed.lastNumber()) {
            throw FeedCursor.unknown();
        }
        boolean followed =
                nothingFollows ? after == feed.lastNumber() : found.get(0).number() <= after + 1;
        if (!followed) {
            throw Problem.of(
                    ProblemCode.CURSOR_EXPIRED,
                    "Events after this cursor have been deleted. Without after, the feed begins with the oldest kept event");
        }
        return after;
    }

    private static List<FeedReadStore.Row> consecutive(List<FeedReadStore.Row> found, long from, int limit) {
        List<FeedReadStore.Row> after =
                found.stream().filter(row -> row.number() > from).limit(limit).toList();
        int count = 0;
        while (count < after.size() && after.get(count).number() == from + count + 1) {
            count++;
        }
        return after.subList(0, count);
    }
}
