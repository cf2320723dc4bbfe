package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.support.work.StartLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Lets a few reads of one kind run at once, of each owner and in all. Others wait, in order of arrival; the turn of an owner that is at its
 * own limit passes to the next one. A read that gets no turn in time fails with 503 when the reads of others take all places, with 429
 * otherwise.
 *
 * <p>A read that runs keeps its turn until MongoDB has answered, also when its client has disconnected: MongoDB goes on counting then,
 * and a client that asks and disconnects again and again would get past the limit.
 */
final class Turns {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final String what;
    private final Bounds bounds;
    private final LongUnaryOperator restNanos;
    private final Scheduler timer;

    /** Guarded by this, as are the next two fields. */
    private final Map<Object, Integer> running = new HashMap<>();

    private final List<Read> waiting = new ArrayList<>();
    private int runningInAll;

    private final StartLoop starts = new StartLoop(this::startNext);

    /** A read, which {@code start} subscribes to. */
    private record Read(Object owner, CompletableFuture<?> result, Runnable start) {}

    /**
     * @param perOwner the reads of one owner that run at once
     * @param inAll the reads of all owners that run at once
     * @param waitingPerOwner the further reads of one owner that wait
     * @param waitingInAll the further reads of all owners that wait
     * @param waitMax how long a read waits for its turn; null: as long as its client
     */
    record Bounds(int perOwner, int inAll, int waitingPerOwner, int waitingInAll, @Nullable Duration waitMax) {}

    /**
     * @param what the name of the reads in a problem's detail, in the plural
     * @param restNanos how long a turn stays unused after a read of so many nanoseconds
     */
    Turns(String what, Bounds bounds, LongUnaryOperator restNanos, Scheduler timer) {
        this.what = what;
        this.bounds = bounds;
        this.restNanos = restNanos;
        this.timer = timer;
    }

    /** The result of {@code query}, which is subscribed to when it is its turn. */
    <T> Mono<T> run(Object owner, Mono<T> query) {
        return Mono.defer(() -> {
            CompletableFuture<T> result = new CompletableFuture<>();
            Read read = new Read(owner, result, () -> start(owner, query, result));
            if (!tryWait(read)) {
                return Mono.error(refusal(owner));
            }
            starts.run();
            Disposable wait = bounds.waitMax() != null && isWaiting(read)
                    ? timer.schedule(() -> giveUp(read), bounds.waitMax().toMillis(), TimeUnit.MILLISECONDS)
                    : Disposables.disposed();
            return Mono.fromFuture(result, true).doFinally(signal -> {
                wait.dispose();
                // a failure after the client has left would be logged as an error
                result.cancel(false);
                stopWaiting(read);
            });
        });
    }

    private <T> void start(Object owner, Mono<T> query, CompletableFuture<T> result) {
        long startedNanos = timer.now(TimeUnit.NANOSECONDS);
        query.doFinally(signal -> ended(owner, timer.now(TimeUnit.NANOSECONDS) - startedNanos))
                .subscribe(result::complete, result::completeExceptionally, () -> result.complete(null));
    }

    /** How many reads run or wait. */
    synchronized int underWay() {
        return runningInAll + waiting.size();
    }

    /** False when the read can neither start now nor wait. */
    private synchronized boolean tryWait(Read read) {
        long ofOwner =
                waiting.stream().filter(other -> other.owner.equals(read.owner)).count();
        boolean hasRoom = waiting.size() < bounds.waitingInAll() && ofOwner < bounds.waitingPerOwner();
        return (hasRoom || mayStart(read.owner)) && waiting.add(read);
    }

    private synchronized boolean isWaiting(Read read) {
        return waiting.contains(read);
    }

    private boolean startNext() {
        Read next = takeNext();
        if (next == null) {
            return false;
        }
        next.start.run();
        return true;
    }

    /** The first waiting read that may start. */
    private synchronized @Nullable Read takeNext() {
        for (Iterator<Read> reads = waiting.iterator(); reads.hasNext(); ) {
            Read read = reads.next();
            if (mayStart(read.owner)) {
                reads.remove();
                runningInAll++;
                running.merge(read.owner, 1, Integer::sum);
                return read;
            }
        }
        return null;
    }

    private boolean mayStart(Object owner) {
        return runningInAll < bounds.inAll() && !isAtLimit(owner);
    }

    private synchronized boolean isAtLimit(Object owner) {
        return running.getOrDefault(owner, 0) >= bounds.perOwner();
    }

    private void ended(Object owner, long tookNanos) {
        long rest = restNanos.applyAsLong(tookNanos);
        if (rest == 0) {
            endTurn(owner);
        } else {
            timer.schedule(() -> endTurn(owner), rest, TimeUnit.NANOSECONDS);
        }
    }

    private void endTurn(Object owner) {
        synchronized (this) {
            runningInAll--;
            running.computeIfPresent(owner, (same, count) -> count == 1 ? null : count - 1);
        }
        starts.run();
    }

    private void giveUp(Read read) {
        if (stopWaiting(read)) {
            read.result.completeExceptionally(refusal(read.owner));
        }
    }

    /** False when the read does not wait. */
    private synchronized boolean stopWaiting(Read read) {
        return waiting.remove(read);
    }

    /** Also right if a read has ended since this one was refused: an owner that is alone never reads that there are too many of all. */
    private synchronized Problem refusal(Object owner) {
        boolean isFull = runningInAll >= bounds.inAll()
                || waiting.size() >= bounds.waitingInAll()
                        && waiting.stream().anyMatch(other -> !other.owner.equals(owner));
        return isFull && !isAtLimit(owner)
                ? Problem.overloaded("Too many " + what + " are running", RETRY_AFTER)
                : Problem.of(
                                ProblemCode.RATE_LIMITED,
                                "At most " + bounds.perOwner() + " of your " + what
                                        + " run at once; send one after the other")
                        .retryAfter(RETRY_AFTER);
    }
}
