package dev.ligeiro.dispatcher.http;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs DNS lookups on a pool of threads. A lookup blocks its thread, for many seconds if the name server is dead, so a tenant uses only
 * a share of the threads; its further lookups wait. A tenant without a lookup takes no memory.
 */
final class Lookups {

    private final Executor threads;
    private final int perTenantMax;
    private final int waitingMax;
    private final Map<Object, Share> shares = new HashMap<>();

    /**
     * @param threads takes every task, possibly into a queue
     * @param perTenantMax the threads that one tenant uses at most
     * @param waitingMax the lookups of one tenant that wait at most
     */
    Lookups(Executor threads, int perTenantMax, int waitingMax) {
        this.threads = threads;
        this.perTenantMax = perTenantMax;
        this.waitingMax = waitingMax;
    }

    /** @throws RejectedExecutionException if too many lookups of the tenant wait */
    synchronized void execute(Object tenant, Runnable lookup) {
        Share share = shares.computeIfAbsent(tenant, any -> new Share());
        if (share.running < perTenantMax) {
            start(tenant, share, lookup);
        } else if (share.waiting.size() < waitingMax) {
            share.waiting.add(lookup);
        } else {
            throw new RejectedExecutionException(waitingMax + " DNS lookups wait");
        }
    }

    private void start(Object tenant, Share share, Runnable lookup) {
        share.running++;
        threads.execute(() -> {
            try {
                lookup.run();
            } finally {
                ended(tenant, share);
            }
        });
    }

    private synchronized void ended(Object tenant, Share share) {
        share.running--;
        @Nullable Runnable next = share.waiting.poll();
        if (next != null) {
            start(tenant, share, next);
        } else if (share.running == 0) {
            shares.remove(tenant);
        }
    }

    /** The lookups of one tenant. */
    private static final class Share {

        private int running;
        private final Queue<Runnable> waiting = new ArrayDeque<>();
    }
}
