package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.support.work.StartLoop;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Lets a few reads of one kind run at once ({@link Turns}). Others wait for a short time. A read that gets no turn fails with 429 when its
 * tenant is at its limit, with 503 otherwise.
 *
 * <p>A read that runs keeps its slot until MongoDB has answered, also when its client has disconnected: MongoDB goes on counting then,
 * and a client that asks and disconnects again and again would get past the limit.
 */
final class ReadSlots {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final String what;
    private final int perTenantMax;
    private final Turns<Read> turns;
    private final Duration waitMax;
    private final Scheduler timer;
    /** Reads that waited and have their turn now. */
    private final Queue<Read> begun = new ConcurrentLinkedQueue<>();

    private final StartLoop starts = new StartLoop(this::startNext);

    /**
     * @param what the reads, in the plural, as the problem's detail names them
     * @param waitingPerTenantMax twenty times as many wait in all
     */
    ReadSlots(String what, int perTenantMax, int max, int waitingPerTenantMax, Duration waitMax, Scheduler timer) {
        this.what = what;
        this.perTenantMax = perTenantMax;
        this.turns = new Turns<>(perTenantMax, max, waitingPerTenantMax);
        this.waitMax = waitMax;
        this.timer = timer;
    }

    /** The result of {@code query}, which is subscribed to when it is its turn. */
    <T> Mono<T> run(Tenant tenant, Mono<T> query) {
        return Mono.create(result -> {
            WaitingRead<T> waiting = new WaitingRead<>(query, result);
            Read read = new Read(tenant, waiting);
            result.onCancel(() -> leave(read));
            if (!waiting.hasLeft()) {
                begin(read, result);
            }
        });
    }

    /** How many reads run or wait. */
    int underWay() {
        return turns.underWay();
    }

    private void begin(Read read, MonoSink<?> result) {
        switch (turns.arrive(read)) {
            case RUNS -> start(read);
            case WAITS -> waitForTurn(read, result);
            case REFUSED -> read.query.fail(refusal(read.tenant));
        }
    }

    private void start(Read read) {
        read.query.start(() -> ended(read.tenant));
    }

    private void waitForTurn(Read read, MonoSink<?> result) {
        result.onDispose(timer.schedule(() -> giveUp(read), waitMax.toMillis(), TimeUnit.MILLISECONDS));
        if (read.query.hasLeft()) {
            // its client disconnected before it began to wait
            turns.stopWaiting(read);
        }
    }

    private void giveUp(Read read) {
        if (turns.stopWaiting(read)) {
            read.query.fail(refusal(read.tenant));
        }
    }

    private void leave(Read read) {
        read.query.leave();
        turns.stopWaiting(read);
    }

    private void ended(Tenant tenant) {
        Read next = turns.end(tenant);
        if (next != null) {
            begun.add(next);
            starts.run();
        }
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
        return turns.isAtLimit(tenant)
                ? Problem.of(
                                ProblemCode.RATE_LIMITED,
                                "At most " + perTenantMax + " of your " + what
                                        + " run at once; send one after the other")
                        .retryAfter(RETRY_AFTER)
                : Problem.overloaded("Too many " + what + " are running", RETRY_AFTER);
    }

    private record Read(Tenant tenant, WaitingRead<?> query) implements Turns.OfTenant {}
}
