package dev.ligeiro.processor.rail;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the processors share the calls that one bank account permits at once. The sum of what they hold is never more. Whoever holds more than
 * its fair part gives up what others want, as soon as its own calls have ended. It is public for the codec of records.
 *
 * @param version changes with each change of the shares
 * @param shares by the ids of the processors
 */
public record CallShares(long version, Map<String, Share> shares) {

    /** A share is renewed when a fifth of this time is over. Without MongoDB, no call starts after its end. */
    static final Duration TERM = Duration.ofSeconds(10);

    /** If more processors want calls than the account permits, each gets its turn of this length. */
    static final Duration TURN = Duration.ofSeconds(1);

    /** A share that ends later was stored while MongoDB's clock was ahead; it counts as ended, or it would last for days. */
    private static final Duration REMAINING_MAX = Duration.ofHours(1);

    private static final Share NONE = new Share(0, 0, Instant.EPOCH, Instant.EPOCH);

    /**
     * The share of one processor.
     *
     * @param held the calls that it may make at once
     * @param wanted the calls that it lately had at once, waiting ones included
     * @param turnAt when it last got a first call after it had none
     * @param until the end of the share, unless it is renewed
     */
    public record Share(int held, int wanted, Instant turnAt, Instant until) {

        boolean lacks() {
            return wanted > held;
        }

        /** Whether it lasts at this time, or has ended by less than {@code longer} before. */
        boolean lasts(Instant now, Duration longer) {
            return until.plus(longer).isAfter(now) && until.isBefore(now.plus(REMAINING_MAX));
        }

        boolean isInTurn(Instant now) {
            return held > 0 && now.isBefore(turnAt.plus(TURN));
        }
    }

    /**
     * What one processor does next.
     *
     * @param mine its share with what it wants now, not yet with what it will hold
     * @param fair its fair part
     * @param free the calls that nobody holds
     * @param isContested whether a processor wants more than it holds
     */
    record Step(Share mine, int fair, int free, boolean isContested) {

        /** The next share. A processor gives up no call that is running. */
        Share share(int running, Instant now) {
            int held = Math.min(mine.held() + free, Math.max(fair, running));
            Instant turnAt = mine.held() == 0 && held > 0 ? now : mine.turnAt();
            return new Share(held, mine.wanted(), turnAt, now.plus(TERM));
        }
    }

    /**
     * @param calls that the account permits at once
     * @param callsEndAfter how long after the end of a share its last call may still be running
     * @param wanted the calls of this processor, running and waiting
     */
    Step next(String processor, int calls, Duration callsEndAfter, int wanted, Instant now) {
        Map<String, Share> living = new HashMap<>();
        int heldByOthers = 0;
        for (Map.Entry<String, Share> each : shares.entrySet()) {
            Share share = each.getValue();
            if (share.lasts(now, Duration.ZERO)) {
                living.put(each.getKey(), share);
            }
            if (!each.getKey().equals(processor) && share.lasts(now, callsEndAfter)) {
                heldByOthers += share.held();
            }
        }
        Share stored = shares.getOrDefault(processor, NONE);
        Share mine = new Share(stored.held(), Math.min(wanted, calls), stored.turnAt(), now);
        living.put(processor, mine);
        return new Step(
                mine,
                fairParts(living, calls, now).getOrDefault(processor, 0),
                Math.max(0, calls - heldByOthers - mine.held()),
                living.values().stream().anyMatch(Share::lacks));
    }

    /** The shares with this one, and without those that have ended for good. */
    Map<String, Share> with(String processor, Share share, Duration callsEndAfter, Instant now) {
        Map<String, Share> all = new HashMap<>(shares);
        all.values().removeIf(each -> !each.lasts(now, callsEndAfter));
        all.put(processor, share);
        return all;
    }

    /**
     * Gives each call to the processor with the fewest: first to those that want more, then half of the rest to all. The other half stays free:
     * a processor that starts after the only one has been killed need not wait. Of equal ones the first is one that is in its turn, then the one
     * whose turn is longest ago; what nobody wants stays where it is.
     */
    private static Map<String, Integer> fairParts(Map<String, Share> living, int calls, Instant now) {
        Comparator<Map.Entry<String, Share>> order = Comparator.comparing(
                        (Map.Entry<String, Share> each) -> !each.getValue().isInTurn(now))
                .thenComparing(each -> each.getValue().turnAt())
                .thenComparing(Map.Entry::getKey);
        List<Map.Entry<String, Share>> inOrder =
                living.entrySet().stream().sorted(order).toList();
        Map<String, Integer> parts = new HashMap<>();
        Comparator<Map.Entry<String, Share>> fewest =
                Comparator.comparing(each -> parts.getOrDefault(each.getKey(), 0));
        Comparator<Map.Entry<String, Share>> fewestThenHolder =
                fewest.thenComparing(each -> -each.getValue().held());
        int wanted =
                Math.min(calls, living.values().stream().mapToInt(Share::wanted).sum());
        int given = wanted + (calls - wanted + 1) / 2;
        for (int i = 0; i < given; i++) {
            inOrder.stream()
                    .filter(each -> parts.getOrDefault(each.getKey(), 0)
                            < each.getValue().wanted())
                    .min(fewest)
                    .or(() -> inOrder.stream().min(fewestThenHolder))
                    .ifPresent(each -> parts.merge(each.getKey(), 1, Integer::sum));
        }
        return parts;
    }
}
