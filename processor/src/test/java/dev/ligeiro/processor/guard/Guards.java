package dev.ligeiro.processor.guard;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.CashoutGuard.CountLimit;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;

/** Guards with one limit. */
public final class Guards {

    public static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    private Guards() {}

    public static CashoutGuard none(Tenant tenant) {
        return new CashoutGuard(
                tenant, null, null, null, null, null, false, null, null, ZONE, Instant.EPOCH.plusSeconds(1));
    }

    public static CashoutGuard ofDay(Tenant tenant, long cents) {
        CashoutGuard none = none(tenant);
        return new CashoutGuard(
                tenant, new Amount(cents), null, null, null, null, false, null, null, ZONE, none.totalsSince());
    }

    /** A guard that was set at this time. */
    public static CashoutGuard since(Instant at, CashoutGuard like) {
        return new CashoutGuard(
                like.tenant(),
                like.dayMax(),
                like.nightMax(),
                like.amountMax(),
                like.approvalAbove(),
                like.count(),
                like.fundsCheck(),
                like.keys(),
                like.documents(),
                like.zone(),
                at);
    }

    static CashoutGuard ofNight(Tenant tenant, long cents) {
        CashoutGuard none = none(tenant);
        return new CashoutGuard(
                tenant, null, new Amount(cents), null, null, null, false, null, null, ZONE, none.totalsSince());
    }

    public static CashoutGuard ofAmount(Tenant tenant, long cents) {
        CashoutGuard none = none(tenant);
        return new CashoutGuard(
                tenant, null, null, new Amount(cents), null, null, false, null, null, ZONE, none.totalsSince());
    }

    public static CashoutGuard ofCount(Tenant tenant, int max, Duration window) {
        CashoutGuard none = none(tenant);
        return new CashoutGuard(
                tenant,
                null,
                null,
                null,
                null,
                new CountLimit(max, window),
                false,
                null,
                null,
                ZONE,
                none.totalsSince());
    }

    public static CashoutGuard ofFunds(Tenant tenant) {
        CashoutGuard none = none(tenant);
        return new CashoutGuard(tenant, null, null, null, null, null, true, null, null, ZONE, none.totalsSince());
    }

    /** {@code like} with an approval above the amount. */
    public static CashoutGuard withApproval(CashoutGuard like, long aboveCents) {
        return new CashoutGuard(
                like.tenant(),
                like.dayMax(),
                like.nightMax(),
                like.amountMax(),
                new Amount(aboveCents),
                like.count(),
                like.fundsCheck(),
                like.keys(),
                like.documents(),
                like.zone(),
                like.totalsSince());
    }

    public static CashoutGuard ofReceivers(Tenant tenant, Set<String> keys, Set<String> documents) {
        CashoutGuard none = none(tenant);
        return new CashoutGuard(
                tenant,
                null,
                null,
                null,
                null,
                null,
                false,
                keys.isEmpty() ? null : keys,
                documents.isEmpty() ? null : documents,
                ZONE,
                none.totalsSince());
    }
}
