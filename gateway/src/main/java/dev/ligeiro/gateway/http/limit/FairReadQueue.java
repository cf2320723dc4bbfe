package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.support.work.StartLoop;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Lets a few reads of one kind run at once, of each tenant and in all. Others wait for a short time, in order of arrival; the turn of a
 * tenant that is at its own limit passes to the next one. A read that gets no turn fails with 429 when its tenant is at its limit, with 503
 * otherwise.
 *
 * <p>A read that runs keeps its slot until MongoDB has answered, also when its client has disconnected: MongoDB goes on counting then,
 * and a client that asks and disconnects again and again would get past the limit.
 */
final class FairReadQueue {

    private static final int WAITING_TENANTS = 20;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final String what;
    private final int perTenantMax;
    private final int max;
    private final int waitingPerTenantMax;
    private final Duration waitMax;
    private final Scheduler timer;

    /** Guarded by this, as are the next two fields. */
    private final Map<Tenant, Integer> running = new HashMap<>();

    private final List<Read> waiting = new ArrayList<>();
    private int runningInAll;

    /** Reads that waited and have their turn now. */
    private final Queue<Read> begun = new ConcurrentLinkedQueue<>();

    private final StartLoop starts = new StartLoop(this::startNext);

    private record Read(Tenant tenant, WaitingRead<?> query) {}

    private enum Admission {
        RUNS,
        WAITS,
        REFUSED
    }

    /**
     * @param what the reads, in the plural, as the problem's detail names them
     * @param waitingPerTenantMax twenty times as many wait in all
     */
    FairReadQueue(String what, int perTenantMax, int max, int waitingPerTenantMax, Duration waitMax, Scheduler timer) {
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
            WaitingRead<T> reader = new WaitingRead<>(query, result);
            Read read = new Read(tenant, reader);
            result.onCancel(() -> leave(read));
            if (!reader.hasLeft()) {
                begin(read, result);
            }
        });
    }

    /** How many reads run or wait. */
    synchronized int underWay() {
        return runningInAll + waiting.size();
    }

    private void begin(Read read, MonoSink<?> result) {
        switch (admit(read)) {
            case RUNS -> start(read);
            case WAITS -> waitForTurn(read, result);
            case REFUSED -> read.query.fail(refusal(read.tenant));
        }
    }

    /** One step: no read can end between the look for a free slot and the wait for one, so a read that waits is always behind a running one. */
    private synchronized Admission admit(Read read) {
        if (tryTakeSlot(read.tenant)) {
            return Admission.RUNS;
        }
        if (!hasRoomToWait(read.tenant)) {
            return Admission.REFUSED;
        }
        waiting.add(read);
        return Admission.WAITS;
    }

    private boolean tryTakeSlot(Tenant tenant) {
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

    private boolean hasRoomToWait(Tenant tenant) {
        long ofTenant =
                waiting.stream().filter(other -> other.tenant.equals(tenant)).count();
        return waiting.size() < WAITING_TENANTS * waitingPerTenantMax && ofTenant < waitingPerTenantMax;
    }

    private void start(Read read) {
        read.query.start(() -> ended(read.tenant));
    }

    private void waitForTurn(Read read, MonoSink<?> result) {
        result.onDispose(timer.schedule(() -> giveUp(read), waitMax.toMillis(), TimeUnit.MILLISECONDS));
        if (read.query.hasLeft()) {
            // its client disconnected before it began to wait
            stopWaiting(read);
        }
    }

    private void giveUp(Read read) {
        if (stopWaiting(read)) {
            read.query.fail(refusal(read.tenant));
        }
    }

    private void leave(Read read) {
        read.query.leave();
        stopWaiting(read);
    }

    /** False when the read does not wait. */
    private synchronized boolean stopWaiting(Read read) {
        return waiting.remove(read);
    }

    private void ended(Tenant tenant) {
        Read next = passTurn(tenant);
        if (next != null) {
            begun.add(next);
            starts.run();
        }
    }

    /** The first waiting read that may run now that one of {@code tenant} has ended. */
    private synchronized @Nullable Read passTurn(Tenant tenant) {
        runningInAll--;
        running.computeIfPresent(tenant, (same, count) -> count == 1 ? null : count - 1);
        for (Iterator<Read> reads = waiting.iterator(); reads.hasNext(); ) {
            Read read = reads.next();
            if (tryTakeSlot(read.tenant)) {
                reads.remove();
                return read;
            }
        }
        return null;
    }

    private boolean startNext() {
        Read next = begun.poll();
        if (next == null) {
            return false;
        }
        start(next);
        return true;
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
}
