package dev.ligeiro.processor.guard;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.CashoutGuard.CountLimit;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Guards with one limit. */
public final class Guards {

    public static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    private Guards() {}

    public static CashoutGuard none(Tenant tenant) {
        return of(tenant, null, null, null, null, false);
    }

    public static CashoutGuard ofDay(Tenant tenant, long cents) {
        return of(tenant, new Amount(cents), null, null, null, false);
    }

    static CashoutGuard ofNight(Tenant tenant, long cents) {
        return of(tenant, null, new Amount(cents), null, null, false);
    }

    public static CashoutGuard ofAmount(Tenant tenant, long cents) {
        return of(tenant, null, null, new Amount(cents), null, false);
    }

    public static CashoutGuard ofCount(Tenant tenant, int max, Duration window) {
        return of(tenant, null, null, null, new CountLimit(max, window), false);
    }

    public static CashoutGuard ofFunds(Tenant tenant) {
        return of(tenant, null, null, null, null, true);
    }

    private static CashoutGuard of(
            Tenant tenant,
            @Nullable Amount day,
            @Nullable Amount night,
            @Nullable Amount amount,
            @Nullable CountLimit count,
            boolean funds) {
        Instant since = Instant.EPOCH.plusSeconds(1);
        return new CashoutGuard(tenant, day, night, amount, null, count, funds, null, null, ZONE, since);
    }

    /** A guard that was set at this time. */
    public static CashoutGuard since(Instant at, CashoutGuard like) {
        return like(like, like.approvalAbove(), at);
    }

    /** {@code like} with an approval above the amount. */
    public static CashoutGuard withApproval(CashoutGuard like, long aboveCents) {
        return like(like, new Amount(aboveCents), like.totalsSince());
    }

    private static CashoutGuard like(CashoutGuard like, @Nullable Amount approvalAbove, Instant since) {
        return new CashoutGuard(
                like.tenant(),
                like.dayMax(),
                like.nightMax(),
                like.amountMax(),
                approvalAbove,
                like.count(),
                like.fundsCheck(),
                like.keys(),
                like.documents(),
                like.zone(),
                since);
    }

    public static CashoutGuard ofReceivers(Tenant tenant, Set<String> keys, Set<String> documents) {
        @Nullable Set<String> allowedKeys = keys.isEmpty() ? null : keys;
        @Nullable Set<String> allowed = documents.isEmpty() ? null : documents;
        Instant since = Instant.EPOCH.plusSeconds(1);
        return new CashoutGuard(tenant, null, null, null, null, null, false, allowedKeys, allowed, ZONE, since);
    }
}
