package dev.ligeiro.dispatcher.http;

import dev.ligeiro.transaction.Tenant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of DNS lookups. A lookup blocks its thread, for many seconds if the name server is dead, and can outlast its attempt. So a
 * tenant has at most a quarter of the threads. None waits for a thread: its attempt is made later.
 */
final class Lookups {

    static final int PER_TENANT_MAX = 32;
    private static final int MAX = 4 * PER_TENANT_MAX;
    private static final int IDLE_SECONDS = 10;

    private final ExecutorService threads =
            new ThreadPoolExecutor(0, MAX, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "webhook-dns");
                thread.setDaemon(true);
                return thread;
            });
    private final ConcurrentHashMap<Tenant, Integer> perTenant = new ConcurrentHashMap<>();

    void execute(Tenant tenant, Runnable lookup) throws TooManyLookups {
        boolean fits = perTenant.merge(tenant, 1, Integer::sum) <= PER_TENANT_MAX;
        if (!fits || !started(tenant, lookup)) {
            ended(tenant);
            throw new TooManyLookups();
        }
    }

    private boolean started(Tenant tenant, Runnable lookup) {
        try {
            threads.execute(() -> {
                try {
                    lookup.run();
                } finally {
                    ended(tenant);
                }
            });
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }

    private void ended(Tenant tenant) {
        perTenant.computeIfPresent(tenant, (same, count) -> count == 1 ? null : count - 1);
    }
}
