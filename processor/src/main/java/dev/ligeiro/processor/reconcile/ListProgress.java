package dev.ligeiro.processor.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a rail's list is read. Each hour is read some time after its end, and again when its day has been over for some hours: banks date
 * payments back, and the books may lag. It is public for the codec of records.
 *
 * @param since movements and postings from this time on are compared
 * @param first the next hour to be read for the first time
 * @param again the next hour to be read again
 */
public record ListProgress(Instant since, Instant first, Instant again) {

    private static final Duration HOUR = Duration.ofHours(1);

    /** Of the progress of a rail, among the leases. */
    static String id(String rail) {
        return "reconcile/" + rail;
    }

    /**
     * Nothing is read yet. Postings from before an upgrade are not marked, so the comparison begins with the next hour. The hour before it is
     * read too: its movements may have postings of the next one.
     */
    static ListProgress at(Instant now) {
        Instant since = now.truncatedTo(ChronoUnit.HOURS).plus(HOUR);
        return new ListProgress(since, since.minus(HOUR), since.minus(HOUR));
    }

    /**
     * An hour that is due.
     *
     * @param endsDaysUntil null, or the end of a day that is then read again
     */
    record Due(Instant hour, @Nullable Instant endsDaysUntil, ListProgress after) {}

    Optional<Due> due(Instant now, ReconcileProperties properties) {
        if (!first.plus(HOUR).plus(properties.hourAfter()).isAfter(now)) {
            return Optional.of(new Due(first, null, new ListProgress(since, first.plus(HOUR), again)));
        }
        Instant next = again.plus(HOUR);
        LocalDate day = day(again, properties.timeZone());
        Instant dayEnds = day.plusDays(1).atStartOfDay(properties.timeZone()).toInstant();
        return again.isBefore(first) && !dayEnds.plus(properties.dayAfter()).isAfter(now)
                ? Optional.of(
                        new Due(again, next.isBefore(dayEnds) ? null : dayEnds, new ListProgress(since, first, next)))
                : Optional.empty();
    }

    private static LocalDate day(Instant at, ZoneId zone) {
        return at.atZone(zone).toLocalDate();
    }
}
