package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a feed: events with consecutive numbers.
 *
 * @param next the place after the last one, or where the request was at the end of the feed
 */
record FeedPage(List<FeedRow> rows, FeedCursor next) {

    /**
     * The page of a request. Events are deleted after 30 days, not always in the order of their numbers; a page ends before a missing
     * one, so no event is left out silently.
     *
     * @param feed as it was read before {@code found}
     * @param found the stored events from the number of the cursor on, that number included
     * @throws Problem 410 if the event after the cursor is deleted; 422 for a cursor of another feed, or behind the end
     */
    static FeedPage of(Feed feed, FeedQuery query, List<FeedRow> found) {
        FeedCursor after = query.after();
        if (after != null && !after.feedId().equals(feed.id())) {
            throw FeedQuery.unknownCursor();
        }
        long from = after == null ? oldest(feed, found) : checked(after.number(), feed, found);
        List<FeedRow> rows = consecutive(found, from, query.limit());
        return new FeedPage(rows, new FeedCursor(feed.id(), from + rows.size()));
    }

    /** The number of the first event to read. */
    static long firstNumber(@Nullable FeedCursor after) {
        return after == null ? Feed.FIRST_NUMBER : after.number();
    }

    /** The place before the oldest event. */
    private static long oldest(Feed feed, List<FeedRow> found) {
        return found.isEmpty() ? feed.lastNumber() : found.get(0).number() - 1;
    }

    private static long checked(long after, Feed feed, List<FeedRow> found) {
        boolean nothingFollows = found.isEmpty();
        if (nothingFollows && after > feed.lastNumber()) {
            throw FeedQuery.unknownCursor();
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

    private static List<FeedRow> consecutive(List<FeedRow> found, long from, int limit) {
        List<FeedRow> after =
                found.stream().filter(row -> row.number() > from).limit(limit).toList();
        int count = 0;
        while (count < after.size() && after.get(count).number() == from + count + 1) {
            count++;
        }
        return after.subList(0, count);
    }
}
