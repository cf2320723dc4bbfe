package dev.ligeiro.gateway.republish;

import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far the sweeper has come: each transaction created before {@code settledUntil} is accepted or is in {@code open}.
 *
 * @param open the transactions that are republished, or undecodable, and not known to be accepted
 */
record Progress(Instant settledUntil, List<Republished> open) {

    /** Nothing is known yet: the scan begins at the oldest transaction. */
    static final Progress NONE = new Progress(Instant.EPOCH, List.of());

    /** Longer than a wrong clock is likely to stay unnoticed. */
    private static final Duration RESCAN = Duration.ofDays(1);

    Progress {
        open = List.copyOf(open);
    }

    Progress settledUntil(Instant until) {
        return new Progress(until, open);
    }

    /** Whether a gateway whose clock was ahead has written it: other gateways only settle times that are over. */
    boolean isAhead(Instant now) {
        return settledUntil.isAfter(now);
    }

    /**
     * The progress from which a scan continues after a gateway whose clock was ahead. That gateway has settled transactions before they
     * were created, so the last day is scanned again; copies of an open transaction were sent by now at the latest.
     */
    Progress rescan(Instant now) {
        return new Progress(
                now.minus(RESCAN), open.stream().map(each -> each.sentBy(now)).toList());
    }

    Set<TransactionId> openIds() {
        return open.stream().map(Republished::id).collect(Collectors.toSet());
    }

    /** Without those among {@code ids} that are not in {@code unaccepted}. */
    Progress keep(Collection<TransactionId> ids, Set<TransactionId> unaccepted) {
        Set<TransactionId> accepted = new HashSet<>(ids);
        accepted.removeAll(unaccepted);
        return new Progress(
                settledUntil,
                open.stream().filter(each -> !accepted.contains(each.id())).toList());
    }

    /** With one more copy of each of {@code ids}. */
    Progress republish(Collection<TransactionId> ids, Instant at) {
        Set<TransactionId> first = new HashSet<>(ids);
        List<Republished> next = new ArrayList<>(open.size() + first.size());
        for (Republished each : open) {
            next.add(first.remove(each.id()) ? each.again(at) : each);
        }
        ids.stream()
                .filter(first::contains)
                .map(id -> Republished.first(id, at))
                .forEach(next::add);
        return new Progress(settledUntil, next);
    }

    /** The open transactions that may be republished again, the longest waiting first. */
    Stream<TransactionId> due(RepublishSchedule schedule, Instant passed) {
        return open.stream()
                .filter(each -> schedule.isDue(each, passed))
                .sorted(Comparator.comparing(Republished::lastAt))
                .map(Republished::id);
    }
}
