package dev.ligeiro.processor.notice;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What catch-up knows of one account's older hours: the last look at each, in any order. It is public for the codec of records. */
public record OlderHours(List<Look> hours) {

    private static final Duration HOUR = Duration.ofHours(1);

    /** How far back it looks. */
    private static final Duration OF = Duration.ofHours(72);

    /**
     * The last look at an hour.
     *
     * @param from the beginning of the hour
     * @param payments how many the bank had, all of which have been read
     */
    public record Look(Instant from, long payments, Instant at) {}

    /**
     * How far the older payments with refunds are read, in a document of its own.
     *
     * @param from the days end at this time
     * @param days how many of them are read
     */
    public record Returned(Instant from, int days) {}

    /**
     * The hours in the order of their next look: first the hours without a look, the latest first, then those whose last look
     * is longest ago.
     *
     * @param end the hours end before it
     */
    Stream<Instant> inOrder(Instant now, Instant end) {
        Map<Instant, Look> looks = hours.stream().collect(Collectors.toMap(Look::from, Function.identity()));
        Comparator<Instant> lastLook = Comparator.comparing(hour -> {
            Look look = looks.get(hour);
            return look == null ? Instant.MIN : look.at();
        });
        return Stream.iterate(end.minus(HOUR).truncatedTo(ChronoUnit.HOURS), hour -> hour.minus(HOUR))
                .takeWhile(hour -> !hour.isBefore(now.minus(OF)))
                .sorted(lastLook);
    }

    /** Whether all payments that the bank has in the hour have been read. */
    boolean isRead(Instant hour, long payments) {
        long read = hours.stream()
                .filter(look -> look.from().equals(hour))
                .mapToLong(Look::payments)
                .sum();
        return payments == read;
    }

    /** With this look, and without those at hours that are too old. */
    OlderHours with(Look look) {
        List<Look> all = new ArrayList<>(hours);
        all.removeIf(each -> each.from().equals(look.from())
                || each.from().isBefore(look.at().minus(OF)));
        all.add(look);
        return new OlderHours(all);
    }
}
