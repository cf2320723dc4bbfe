package dev.ligeiro.processor.notice;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What catch-up knows of one account's older hours.
 *
 * @param looks by the beginnings of the hours
 */
record OlderHours(Map<Instant, Look> looks) {

    private static final Duration HOUR = Duration.ofHours(1);

    /** How far back it looks. */
    private static final Duration OF = Duration.ofHours(72);

    /** The last look at an hour: how many payments the bank had, all of which have been read. */
    record Look(long payments, Instant at) {}

    /**
     * The hours in the order of their next look: first the hours without a look, the latest first, then those whose last look
     * is longest ago.
     *
     * @param end the hours end before it
     */
    Stream<Instant> inOrder(Instant now, Instant end) {
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
        Look look = looks.get(hour);
        return payments == (look == null ? 0 : look.payments());
    }

    /** With this look, and without those at hours that are too old. */
    OlderHours with(Instant hour, Look look) {
        Map<Instant, Look> all = new HashMap<>(looks);
        all.keySet().removeIf(each -> each.isBefore(look.at().minus(OF)));
        all.put(hour, look);
        return new OlderHours(all);
    }
}
