package dev.ligeiro.processor.guard;

import dev.ligeiro.pix.PixKey;
import dev.ligeiro.processor.decide.GuardVerdict;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What operators have set, as it was read last. Judges a cashout by itself; the limits of days, nights and windows need totals.
 *
 * @param unreadable the tenants whose guards cannot be read: their cashouts wait
 * @param notOpened the tenants whose cashouts nobody has opened yet
 * @param changedAt the time of the latest known change of a guard
 */
record GuardSettings(
        List<Stopped> stops,
        Map<Tenant, CashoutGuard> guards,
        Set<Tenant> unreadable,
        Set<Tenant> notOpened,
        Instant changedAt) {

    static final GuardSettings NONE = new GuardSettings(List.of(), Map.of(), Set.of(), Set.of(), Instant.EPOCH);

    /**
     * Cashouts that an operator has stopped.
     *
     * @param isFrozen whether the merchant is frozen; otherwise only cashouts are stopped
     * @param rail null for all
     * @param merchantNumber null for all
     */
    record Stopped(boolean isFrozen, @Nullable String rail, @Nullable Long merchantNumber) {

        boolean covers(Transaction cashout) {
            return (rail == null || rail.equals(cashout.terms().rail()))
                    && (merchantNumber == null
                            || merchantNumber == cashout.tenant().merchantNumber());
        }
    }

    /**
     * A change of a guard.
     *
     * @param guard null if it cannot be read
     * @param isOpen whether cashouts of the tenant have been opened
     * @param at MongoDB's time of the change
     */
    record Changed(Tenant tenant, @Nullable CashoutGuard guard, boolean isOpen, Instant at) {}

    /** These settings with other stops and changed guards. */
    GuardSettings with(List<Stopped> nowStopped, List<Changed> changed) {
        Map<Tenant, CashoutGuard> all = new HashMap<>(guards);
        Set<Tenant> damaged = new HashSet<>(unreadable);
        Set<Tenant> closed = new HashSet<>(notOpened);
        Instant latest = changedAt;
        for (Changed each : changed) {
            if (each.isOpen()) {
                closed.remove(each.tenant());
            } else {
                closed.add(each.tenant());
            }
            if (each.guard() == null) {
                all.remove(each.tenant());
                damaged.add(each.tenant());
            } else {
                all.put(each.tenant(), each.guard());
                damaged.remove(each.tenant());
            }
            latest = each.at().isAfter(latest) ? each.at() : latest;
        }
        return new GuardSettings(List.copyOf(nowStopped), all, damaged, closed, latest);
    }

    /** The guard that counts the tenant's cashouts; null if nothing counts them. */
    @Nullable
    CashoutGuard counting(Tenant tenant) {
        CashoutGuard guard = guards.get(tenant);
        return guard != null && guard.hasTotals() ? guard : null;
    }

    boolean counts(Transaction transaction) {
        return transaction.operation() == Operation.CASHOUT && counting(transaction.tenant()) != null;
    }

    /**
     * The verdict without totals. About a cashout that comes from its analysis only stops and receivers are checked again.
     *
     * @param comparesOwner whether the rail pays a cashout only if its document is that of the key's owner
     */
    GuardVerdict verdict(Transaction cashout, Predicate<Transaction> comparesOwner) {
        if (isStopped(cashout, false) || notOpened.contains(cashout.tenant())) {
            return GuardVerdict.CASHOUTS_STOPPED;
        }
        if (isStopped(cashout, true)) {
            return GuardVerdict.MERCHANT_FROZEN;
        }
        if (unreadable.contains(cashout.tenant())) {
            return GuardVerdict.WAITS;
        }
        CashoutGuard guard = guards.get(cashout.tenant());
        if (guard == null) {
            return GuardVerdict.PASSED;
        }
        if (!mayReceive(guard, cashout, comparesOwner)) {
            return GuardVerdict.KEY_NOT_ALLOWED;
        }
        boolean isTooLarge = guard.amountMax() != null
                && cashout.terms().amount().cents() > guard.amountMax().cents();
        return isTooLarge && cashout.status() == Status.PENDING ? GuardVerdict.LIMIT_AMOUNT : GuardVerdict.PASSED;
    }

    /** Whether a person must approve the new cashout, if nothing denies it. */
    boolean needsApproval(Transaction cashout) {
        CashoutGuard guard = guards.get(cashout.tenant());
        return guard != null
                && guard.approvalAbove() != null
                && cashout.status() == Status.PENDING
                && cashout.terms().amount().cents() > guard.approvalAbove().cents();
    }

    private boolean isStopped(Transaction cashout, boolean isFrozen) {
        return stops.stream().anyMatch(stop -> stop.isFrozen() == isFrozen && stop.covers(cashout));
    }

    /** A document that the rail does not compare with the key's owner is what the merchant says, and a thief would say it too. */
    private static boolean mayReceive(CashoutGuard guard, Transaction cashout, Predicate<Transaction> comparesOwner) {
        if (guard.keys() == null && guard.documents() == null) {
            return true;
        }
        PixKey key = cashout.terms().pixKey();
        if (key == null) {
            return false;
        }
        if (guard.keys() != null && guard.keys().contains(key.value())) {
            return true;
        }
        boolean isTaxId = key.type() == PixKey.Type.CPF || key.type() == PixKey.Type.CNPJ;
        return guard.documents() != null
                && (isTaxId && guard.documents().contains(key.value())
                        || guard.documents().contains(cashout.terms().payer().document())
                                && comparesOwner.test(cashout));
    }
}
