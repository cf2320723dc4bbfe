package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.StartLoop;
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
import reactor.core.scheduler.Scheduler;

/**
 * Lets a few reads of one kind run at once, of each tenant and in all. Others wait for a short time, in order of arrival; the turn of a
 * tenant that is at its own limit passes to the next one. A read that gets no turn fails with 503 when the reads of others take all places,
 * with 429 otherwise.
 *
 * <p>A read that runs keeps its slot until MongoDB has answered, also when its client has disconnected: MongoDB goes on counting then,
 * and a client that asks and disconnects again and again would get past the limit.
 */
final class FairReadQueue {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final String what;
    private final Bounds bounds;
    private final Scheduler timer;

    /** Guarded by this, as are the next two fields. */
    private final Map<Tenant, Integer> running = new HashMap<>();

    private final List<Read> waiting = new ArrayList<>();
    private int runningInAll;

    private final StartLoop starts = new StartLoop(this::startNext);

    private record Read(Tenant tenant, WaitingRead<?> query) {}

    /**
     * @param perTenant the reads of one tenant that run at once
     * @param inAll the reads of all tenants that run at once
     * @param waitingPerTenant the further reads of one tenant that wait
     * @param waitingInAll the further reads of all tenants that wait
     * @param waitMax how long a read waits for its turn
     */
    record Bounds(int perTenant, int inAll, int waitingPerTenant, int waitingInAll, Duration waitMax) {}

    /** @param what the name of the reads in a problem's detail, in the plural */
    FairReadQueue(String what, Bounds bounds, Scheduler timer) {
        this.what = what;
        this.bounds = bounds;
        this.timer = timer;
    }

    /** The result of {@code query}, which is subscribed to when it is its turn. */
    <T> Mono<T> run(Tenant tenant, Mono<T> query) {
        return Mono.create(result -> {
            Read read = new Read(tenant, new WaitingRead<>(query, result));
            result.onCancel(() -> leave(read));
            if (!tryWait(read)) {
                read.query.fail(refusal(tenant));
                return;
            }
            starts.run();
            if (isWaiting(read)) {
                result.onDispose(
                        timer.schedule(() -> giveUp(read), bounds.waitMax().toMillis(), TimeUnit.MILLISECONDS));
            }
        });
    }

    /** How many reads run or wait. */
    synchronized int underWay() {
        return runningInAll + waiting.size();
    }

    /** False when the read can neither start now nor wait. */
    private synchronized boolean tryWait(Read read) {
        long ofTenant = waiting.stream()
                .filter(other -> other.tenant.equals(read.tenant))
                .count();
        boolean hasRoom = waiting.size() < bounds.waitingInAll() && ofTenant < bounds.waitingPerTenant();
        return (hasRoom || mayStart(read.tenant)) && waiting.add(read);
    }

    private synchronized boolean isWaiting(Read read) {
        return waiting.contains(read);
    }

    private boolean startNext() {
        Read next = takeNext();
        if (next == null) {
            return false;
        }
        next.query.start(() -> ended(next.tenant));
        return true;
    }

    /** The first waiting read that may start. */
    private synchronized @Nullable Read takeNext() {
        // a client may disconnect just before its read begins to wait
        waiting.removeIf(read -> read.query.hasLeft());
        for (Iterator<Read> reads = waiting.iterator(); reads.hasNext(); ) {
            Read read = reads.next();
            if (mayStart(read.tenant)) {
                reads.remove();
                runningInAll++;
                running.merge(read.tenant, 1, Integer::sum);
                return read;
            }
        }
        return null;
    }

    private boolean mayStart(Tenant tenant) {
        return runningInAll < bounds.inAll() && !isAtLimit(tenant);
    }

    private synchronized boolean isAtLimit(Tenant tenant) {
        return running.getOrDefault(tenant, 0) >= bounds.perTenant();
    }

    private void ended(Tenant tenant) {
        synchronized (this) {
            runningInAll--;
            running.computeIfPresent(tenant, (same, count) -> count == 1 ? null : count - 1);
        }
        starts.run();
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

    /** Also right if a read has ended since this one was refused: a tenant that is alone never reads that there are too many of all. */
    private synchronized Problem refusal(Tenant tenant) {
        boolean isFull = runningInAll >= bounds.inAll()
                || waiting.size() >= bounds.waitingInAll()
                        && waiting.stream().anyMatch(other -> !other.tenant.equals(tenant));
        return isFull && !isAtLimit(tenant)
                ? Problem.overloaded("Too many " + what + " are running", RETRY_AFTER)
                : Problem.of(
                                ProblemCode.RATE_LIMITED,
                                "At most " + bounds.perTenant() + " of your " + what
                                        + " run at once; send one after the other")
                        .retryAfter(RETRY_AFTER);
    }
}
