package dev.ligeiro.gateway.http.limit;

import dev.ligeiro.support.work.StartLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs a few queries at once, in order of arrival. A turn stays unused after its query: for the query's duration times the number of other
 * reads under way, at most {@code restMax} times. Many readers together then use only a part of MongoDB's cores, in short pieces, and the
 * writes of creates find a core. Few readers wait little, and a single one never waits for a rest.
 *
 * <p>A query that runs keeps its turn until MongoDB has answered, also when its reader has left.
 */
final class PacedQueries {

    /** So that one long query does not hold all readers up. */
    private static final Duration REST_MAX = Duration.ofMillis(250);

    private final int restMax;
    private final IntSupplier reads;
    private final Scheduler timer;
    private final Deque<WaitingRead<?>> waiting = new ArrayDeque<>();
    private final StartLoop starts = new StartLoop(this::startNext);
    private int freeTurns;

    /**
     * @param max queries at once
     * @param restMax how many times as long as its query a turn rests at most; 0: never
     * @param reads how many reads run or wait
     */
    PacedQueries(int max, int restMax, IntSupplier reads, Scheduler timer) {
        this.freeTurns = max;
        this.restMax = restMax;
        this.reads = reads;
        this.timer = timer;
    }

    /** The result of {@code query}, which is subscribed to when it is its turn. */
    <T> Mono<T> query(Mono<T> query) {
        return Mono.create(result -> {
            WaitingRead<T> arrived = new WaitingRead<>(query, result);
            synchronized (waiting) {
                waiting.add(arrived);
            }
            result.onCancel(() -> leave(arrived));
            starts.run();
        });
    }

    private void leave(WaitingRead<?> query) {
        query.leave();
        synchronized (waiting) {
            waiting.remove(query);
        }
    }

    private boolean startNext() {
        WaitingRead<?> next = takeTurn();
        if (next == null) {
            return false;
        }
        long startedNanos = timer.now(TimeUnit.NANOSECONDS);
        next.start(() -> ended(timer.now(TimeUnit.NANOSECONDS) - startedNanos));
        return true;
    }

    private @Nullable WaitingRead<?> takeTurn() {
        synchronized (waiting) {
            if (freeTurns == 0 || waiting.isEmpty()) {
                return null;
            }
            freeTurns--;
            return waiting.remove();
        }
    }

    private void ended(long tookNanos) {
        int otherReads = Math.max(0, reads.getAsInt() - 1);
        long restNanos = Math.min(Math.min(restMax, otherReads) * tookNanos, REST_MAX.toNanos());
        if (restNanos == 0) {
            endTurn();
        } else {
            timer.schedule(this::endTurn, restNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void endTurn() {
        synchronized (waiting) {
            freeTurns++;
        }
        starts.run();
    }
}
