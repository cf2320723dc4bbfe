package dev.ligeiro.transaction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a payment that its disputes block, computed from the history: the claimed amount that has not come back to the payer, never
 * more than the rest of the payment. The amount of a lost dispute stays blocked until the rail has moved it back, or {@link
 * Dispute#RETURNED_WITHIN} is over. A rail need not tell to which dispute a return belongs, so it is counted to the lost ones that were
 * opened before it, the first lost first.
 */
public final class BlockedAmount {

    private final Map<UUID, Part> undecided = new HashMap<>();
    private final Map<UUID, Part> lost = new LinkedHashMap<>();
    private final Map<RefundId, Entry.RefundRequested> refunds = new HashMap<>();
    /** What the rail has moved back and is not counted to a dispute. */
    private final List<Part> returned = new ArrayList<>();
    /** What no refund has moved back. */
    private long left;
    /** What refunds may still move back. Money that the rail moves by itself is reported when it has moved. */
    private long inFlight;

    private BlockedAmount(Transaction transaction, List<Entry> entries) {
        left = transaction.terms().amount().cents();
        entries.forEach(this::add);
    }

    /** What {@code entry}, one of the history, adds to it in cents; negative if it releases some, null if it changes nothing. */
    public static @Nullable Long changeBy(Transaction transaction, Entry entry) {
        List<Entry> entries = transaction.history().entries();
        if (entries.stream().noneMatch(Entry.DisputeOpened.class::isInstance)) {
            return null;
        }
        BlockedAmount blocked = new BlockedAmount(transaction, entries.subList(0, entries.indexOf(entry)));
        long before = blocked.cents();
        blocked.add(entry);
        long change = blocked.cents() - before;
        return change == 0 ? null : change;
    }

    /** Whether the dispute is lost, and the rail may still move some of its amount back. */
    public static boolean waitsForReturn(Transaction transaction, UUID dispute) {
        BlockedAmount blocked =
                new BlockedAmount(transaction, transaction.history().entries());
        Part claim = blocked.lost.get(dispute);
        return claim != null && claim.cents > 0 && blocked.left > 0;
    }

    private long cents() {
        long claimed = Stream.concat(undecided.values().stream(), lost.values().stream())
                .mapToLong(claim -> claim.cents)
                .sum();
        return Math.min(claimed, left - inFlight);
    }

    private void add(Entry entry) {
        if (entry instanceof Entry.RefundRequested requested) {
            refunds.put(requested.refund(), requested);
            inFlight += requested.wasAskedFor() ? requested.amount().cents() : 0;
        } else if (entry instanceof Entry.RefundFailed failed) {
            ended(refunds.get(failed.refund()), null);
        } else if (entry instanceof Entry.RefundMade made) {
            ended(refunds.get(made.refund()), made.at());
        } else if (entry instanceof Entry.DisputeOpened opened) {
            undecided.put(opened.dispute(), new Part(opened.openedAt(), opened.amount()));
        } else if (entry instanceof Entry.DisputeClosed closed) {
            Part claim = undecided.remove(closed.dispute());
            if (claim != null && closed.outcome() == Dispute.Status.LOST) {
                lost.put(closed.dispute(), claim);
            }
        } else if (entry instanceof Entry.DisputeReleased released) {
            lost.remove(released.dispute());
        }
        lost.values().forEach(this::count);
    }

    private void ended(Entry.@Nullable RefundRequested refund, @Nullable Instant madeAt) {
        if (refund == null) {
            return;
        }
        inFlight -= refund.wasAskedFor() ? refund.amount().cents() : 0;
        left -= madeAt == null ? 0 : refund.amount().cents();
        if (madeAt != null && refund.source() == Source.RAIL && mayBeOfClaim(refund.rail())) {
            returned.add(new Part(madeAt, refund.amount()));
        }
    }

    /** Unless the rail says that it has moved the money for another reason. */
    private static boolean mayBeOfClaim(@Nullable RailReturn said) {
        return said == null || said.nature() == null || said.nature().startsWith("MED_");
    }

    private void count(Part claim) {
        for (Part money : returned) {
            long counted = money.at.isBefore(claim.at) ? 0 : Math.min(claim.cents, money.cents);
            claim.cents -= counted;
            money.cents -= counted;
        }
    }

    /** Money since a time: claimed, or moved back. */
    private static final class Part {
        final Instant at;
        long cents;

        Part(Instant at, Amount amount) {
            this.at = at;
            this.cents = amount.cents();
        }
    }
}
