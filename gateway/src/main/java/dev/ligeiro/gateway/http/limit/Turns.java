package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which reads run and which wait: a few of each tenant and in all, in order of arrival; the turn of a tenant that is at its own
 * limit passes to the next one. Each method is one step: no read can end between the look for a free slot and the wait for one, so a
 * read that waits is always behind one that runs.
 *
 * @param <R> the reads
 */
final class Turns<R extends Turns.OfTenant> {

    private static final int WAITING_TENANTS = 20;

    private final int perTenantMax;
    private final int max;
    private final int waitingPerTenantMax;

    private final Map<Tenant, Integer> running = new HashMap<>();
    private final List<R> waiting = new ArrayList<>();
    private int runningInAll;

    /** @param waitingPerTenantMax twenty times as many wait in all */
    Turns(int perTenantMax, int max, int waitingPerTenantMax) {
        this.perTenantMax = perTenantMax;
        this.max = max;
        this.waitingPerTenantMax = waitingPerTenantMax;
    }

    interface OfTenant {

        Tenant tenant();
    }

    enum Admission {
        RUNS,
        WAITS,
        REFUSED
    }

    synchronized Admission arrive(R read) {
        if (tryTakeSlot(read.tenant())) {
            return Admission.RUNS;
        }
        if (!hasRoomToWait(read.tenant())) {
            return Admission.REFUSED;
        }
        waiting.add(read);
        return Admission.WAITS;
    }

    /** A running read of {@code tenant} has ended. Returns the waiting one that runs now, if there is one. */
    synchronized @Nullable R end(Tenant tenant) {
        runningInAll--;
        running.computeIfPresent(tenant, (same, count) -> count == 1 ? null : count - 1);
        for (Iterator<R> reads = waiting.iterator(); reads.hasNext(); ) {
            R read = reads.next();
            if (tryTakeSlot(read.tenant())) {
                reads.remove();
                return read;
            }
        }
        return null;
    }

    /** False when the read does not wait. */
    synchronized boolean stopWaiting(R read) {
        return waiting.remove(read);
    }

    /** How many reads run or wait. */
    synchronized int underWay() {
        return runningInAll + waiting.size();
    }

    synchronized boolean isAtLimit(Tenant tenant) {
        return running.getOrDefault(tenant, 0) >= perTenantMax;
    }

    private boolean tryTakeSlot(Tenant tenant) {
        if (runningInAll >= max || isAtLimit(tenant)) {
            return false;
        }
        runningInAll++;
        running.merge(tenant, 1, Integer::sum);
        return true;
    }

    private boolean hasRoomToWait(Tenant tenant) {
        long ofTenant =
                waiting.stream().filter(other -> other.tenant().equals(tenant)).count();
        return waiting.size() < WAITING_TENANTS * waitingPerTenantMax && ofTenant < waitingPerTenantMax;
    }
}
