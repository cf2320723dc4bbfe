package dev.ligeiro.transaction;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operator permits the cashouts of a tenant.
 *
 * @param dayMax the sum of a day; null for no limit
 * @param nightMax the sum of a night, from 20:00 to 06:00; null for no limit
 * @param amountMax the largest amount of one cashout; null for no limit
 * @param approvalAbove a cashout of more than this waits until a person approves it; null if none waits
 * @param count how many in a window; null for no limit
 * @param fundsCheck whether cashouts must be covered by the merchant's balance
 * @param keys the Pix keys that may get money, in their normal form; null for all
 * @param documents the tax ids whose owners may get money; null for all. With keys too, a cashout needs one of both
 * @param zone of days and nights
 * @param totalsSince since when cashouts must have been counted: what was counted under an earlier guard does not hold
 */
public record CashoutGuard(
        Tenant tenant,
        @Nullable Amount dayMax,
        @Nullable Amount nightMax,
        @Nullable Amount amountMax,
        @Nullable Amount approvalAbove,
        @Nullable CountLimit count,
        boolean fundsCheck,
        @Nullable Set<String> keys,
        @Nullable Set<String> documents,
        ZoneId zone,
        Instant totalsSince) {

    /** At most so many within each window of this length. */
    public record CountLimit(int max, Duration window) {}

    public static CashoutGuard none(Tenant tenant, ZoneId zone, Instant since) {
        return new CashoutGuard(tenant, null, null, null, null, null, false, null, null, zone, since);
    }

    public CashoutGuard {
        keys = keys == null ? null : Set.copyOf(keys);
        documents = documents == null ? null : Set.copyOf(documents);
    }

    public CashoutGuard withTotalsSince(Instant since) {
        return new CashoutGuard(
                tenant, dayMax, nightMax, amountMax, approvalAbove, count, fundsCheck, keys, documents, zone, since);
    }

    /** Whether cashouts are reserved and counted: the check of funds and the limits of days, nights and windows need it. */
    public boolean hasTotals() {
        return fundsCheck || dayMax != null || nightMax != null || count != null;
    }
}
