package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The UTC days with which the search tokens of some transactions are stored: see {@link SearchTokens#stored}. Days are numbers since 1970.
 *
 * @param from the first day whose transactions have tokens with their day
 * @param until the last day on which transactions can have been created
 */
record TokenDays(long from, long until) {

    /** MongoDB merges at most so many ranges of an index in the order of ids; more are sorted, however many keys they have. */
    static final int MERGED_RANGES_MAX = 200;

    /** By so much the clock of a gateway that creates transactions may be ahead. */
    private static final Duration AHEAD_MAX = Duration.ofMinutes(5);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** @throws Problem 503 before the setup is done */
    static TokenDays now(CollectionSetup setup, Clock clock) {
        if (!setup.isDone()) {
            throw Problem.unavailable("The gateway is not ready yet", RETRY_AFTER);
        }
        return new TokenDays(
                setup.tokenDaysFrom(), day(clock.instant().plus(AHEAD_MAX).toEpochMilli()));
    }

    static long day(long millis) {
        return Math.floorDiv(millis, TimeUnit.DAYS.toMillis(1));
    }

    /**
     * The days of the transactions in these spans, the newest first. {@link SearchTokens#NO_DAY}, which stands for all days without tokens of
     * their own, is the last.
     *
     * @param spans the newest first
     * @param first the day of the first transaction
     */
    List<Long> of(List<Span> spans, long first) {
        List<Long> days = new ArrayList<>();
        boolean withoutDay = false;
        long next = until;
        for (Span span : spans) {
            long oldest = Math.max(first, day(span.firstMilli()));
            next = Math.min(next, day(span.lastMilli()));
            withoutDay |= oldest < from && oldest <= next;
            for (; next >= Math.max(oldest, from); next--) {
                days.add(next);
            }
        }
        if (withoutDay) {
            days.add(SearchTokens.NO_DAY);
        }
        return days;
    }

    /** The days of these transactions. */
    List<Long> of(List<TransactionId> ids) {
        return ids.stream().map(id -> SearchTokens.day(id, from)).distinct().toList();
    }
}
