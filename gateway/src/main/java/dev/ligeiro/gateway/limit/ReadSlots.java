package dev.ligeiro.gateway.limit;

import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Lets a few reads of one kind run at once, of each tenant and in all. Others wait for a short time, in order of arrival; the turn of a
 * tenant that is at its own limit passes to the next one. A read that gets no turn fails with 429 when its tenant is at its limit, with
 * 503 otherwise.
 *
 * <p>A read that runs keeps its slot until MongoDB has answered, also when its client has disconnected: MongoDB goes on counting then,
 * and a client that asks and disconnects again and again would get past the limit.
 */
final class ReadSlots {

    private static final int WAITING_TENANTS = 20;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final String what;
    private final int perTenantMax;
    private final int max;
    private final int waitingPerTenantMax;
    private final Duration waitMax;
    private final Scheduler timer;

    /** The fields below are guarded by this. */
    private final Map<Tenant, Integer> running = new HashMap<>();

    private final List<Read<?>> waiting = new ArrayList<>();
    private int runningInAll;

    /**
     * @param what the reads, in the plural, as the problem's detail names them
     * @param waitingPerTenantMax twenty times as many wait in all
     */
    ReadSlots(String what, int perTenantMax, int max, int waitingPerTenantMax, Duration waitMax, Scheduler timer) {
        this.what = what;
        this.perTenantMax = perTenantMax;
        this.max = max;
        this.waitingPerTenantMax = waitingPerTenantMax;
        this.waitMax = waitMax;
        this.timer = timer;
    }

    /** The result of {@code query}, which is subscribed to when it is its turn. */
    <T> Mono<T> run(Tenant tenant, Mono<T> query) {
        return Mono.create(result -> {
            Read<T> read = new Read<>(tenant, query, result);
            result.onCancel(read::leave);
            switch (admit(read)) {
                case RUNS -> read.start();
                case WAITS ->
                    result.onDispose(timer.schedule(() -> giveUp(read), waitMax.toMillis(), TimeUnit.MILLISECONDS));
                case REFUSED -> result.error(refusal(tenant));
                case LEFT -> {}
            }
        });
    }

    /** One step: between two, the last running read could end without finding this one among the waiting. */
    private synchronized Admission admit(Read<?> read) {
        if (read.left) {
            return Admission.LEFT;
        }
        if (tryTakeSlot(read.tenant)) {
            return Admission.RUNS;
        }
        return tryWait(read) ? Admission.WAITS : Admission.REFUSED;
    }

    private synchronized boolean tryTakeSlot(Tenant tenant) {
        if (runningInAll >= max || isAtLimit(tenant)) {
            return false;
        }
        runningInAll++;
        running.merge(tenant, 1, Integer::sum);
        return true;
    }

    private synchronized boolean isAtLimit(Tenant tenant) {
        return running.getOrDefault(tenant, 0) >= perTenantMax;
    }

    private synchronized boolean tryWait(Read<?> read) {
        long ofTenant = waiting.stream()
                .filter(other -> other.tenant.equals(read.tenant))
                .count();
        return waiting.size() < WAITING_TENANTS * waitingPerTenantMax
                && ofTenant < waitingPerTenantMax
                && waiting.add(read);
    }

    private synchronized boolean stopWaiting(Read<?> read) {
        return waiting.remove(read);
    }

    private void giveUp(Read<?> read) {
        if (stopWaiting(read)) {
            read.result.error(refusal(read.tenant));
        }
    }

    private void ended(Tenant tenant) {
        Read<?> next = nextAfter(tenant);
        if (next != null) {
            next.start();
        }
    }

    /** Frees a slot of {@code tenant} and takes one for the first waiting read that may run. */
    private synchronized @Nullable Read<?> nextAfter(Tenant tenant) {
        runningInAll--;
        running.computeIfPresent(tenant, (same, count) -> count == 1 ? null : count - 1);
        for (Iterator<Read<?>> reads = waiting.iterator(); reads.hasNext(); ) {
            Read<?> read = reads.next();
            if (tryTakeSlot(read.tenant)) {
                reads.remove();
                return read;
            }
        }
        return null;
    }

    private Problem refusal(Tenant tenant) {
        return isAtLimit(tenant)
                ? Problem.of(
                                ProblemCode.RATE_LIMITED,
                                "At most " + perTenantMax + " of your " + what
                                        + " run at once; send one after the other")
                        .retryAfter(RETRY_AFTER)
                : Problem.overloaded("Too many " + what + " are running", RETRY_AFTER);
    }

    private enum Admission {
        RUNS,
        WAITS,
        REFUSED,
        /** Its client has disconnected before. */
        LEFT
    }

    private final class Read<T> {

        private final Tenant tenant;
        private final Mono<T> query;
        private final MonoSink<T> result;
        private volatile boolean left;

        private Read(Tenant tenant, Mono<T> query, MonoSink<T> result) {
            this.tenant = tenant;
            this.query = query;
            this.result = result;
        }

        private void start() {
            query.doFinally(signal -> ended(tenant)).subscribe(result::success, this::fail, result::success);
        }

        /** Its client has disconnected or its time is over. */
        private void leave() {
            synchronized (ReadSlots.this) {
                left = true;
                waiting.remove(this);
            }
        }

        /** Drops the failure when the client has disconnected; Reactor would log it as an error. */
        private void fail(Throwable failure) {
            if (!left) {
                result.error(failure);
            }
        }
    }
}
