package dev.ligeiro.transaction;

import java.util.List;

/**
 * What a merchant is shown of a transaction's refunds: the totals of all of them, and a bounded number of single ones.
 *
 * @param refunded the sum of those that were made
 * @param count the number of all refunds, in every state
 * @param shown some of them, the oldest first; at most {@value #SHOWN_MAX}
 */
public record RefundSummary(Amount refunded, int count, List<Refund> shown) {

    /** Bounds the size of a shown transaction; the API has all refunds on a page of their own. */
    public static final int SHOWN_MAX = 20;

    public static final RefundSummary NONE = new RefundSummary(new Amount(0), 0, List.of());

    public RefundSummary {
        shown = List.copyOf(shown);
    }

    /** @param all the refunds of a transaction, the oldest first */
    static RefundSummary newest(List<Refund> all) {
        return of(all, all.subList(Math.max(0, all.size() - SHOWN_MAX), all.size()));
    }

    /** Shows only the refund that {@code entry} ends; none if it ends none. */
    static RefundSummary endedBy(Entry entry, List<Refund> all) {
        RefundId ended = null;
        if (entry instanceof Entry.RefundMade made) {
            ended = made.refund();
        } else if (entry instanceof Entry.RefundFailed failed) {
            ended = failed.refund();
        }
        RefundId shown = ended;
        return of(all, all.stream().filter(refund -> refund.id().equals(shown)).toList());
    }

    private static RefundSummary of(List<Refund> all, List<Refund> shown) {
        return all.isEmpty() ? NONE : new RefundSummary(Refund.made(all), all.size(), shown);
    }
}
