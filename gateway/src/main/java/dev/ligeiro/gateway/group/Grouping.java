package dev.ligeiro.gateway.group;

import com.mongodb.MongoException;
import dev.ligeiro.gateway.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Makes one call of many concurrent ones: the first item goes at once, and what comes while a call is in flight is collected
 * and goes with the next. So nobody waits when the gateway is idle, and groups grow with the load (an insert of 128 costs a
 * fifth of 128 inserts: RATIONALE.md).
 *
 * <p>Order is kept within a group. An item whose caller has gone before its call is dropped.
 */
public final class Grouping<I, O> {

    /** What became of each item of a group, by its index. */
    public interface Outcomes<O> {

        /** The item's failure, or null where it went well. */
        @Nullable
        Throwable failure(int index);

        /** The item's result where it went well; null for none. */
        @Nullable
        O result(int index);
    }

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Queue<Item<I, O>> queue;
    private final int groupMax;
    private final int inFlightMax;
    private final Function<List<I>, Mono<Outcomes<O>>> call;
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * @param groupMax items of one call at the most
     * @param inFlightMax calls under way at the most
     * @param queuedMax items that wait at the most; one more fails as unavailable
     */
    public Grouping(int groupMax, int inFlightMax, int queuedMax, Function<List<I>, Mono<Outcomes<O>>> call) {
        this.queue = new ArrayBlockingQueue<>(queuedMax);
        this.groupMax = groupMax;
        this.inFlightMax = inFlightMax;
        this.call = call;
    }

    /** Starts at once, subscribed to or not. Empty where the item has no result; canceling drops an item that still waits. */
    public Mono<O> submit(I value) {
        Item<I, O> item = new Item<>(value);
        if (!queue.offer(item)) {
            return Mono.error(Problem.unavailable("Too many requests wait for the store", RETRY_AFTER));
        }
        drain();
        return item.outcome.asMono().doOnCancel(item::abandon);
    }

    private void drain() {
        while (!queue.isEmpty() && takeSlot()) {
            List<Item<I, O>> group = nextGroup();
            if (group.isEmpty()) {
                inFlight.decrementAndGet();
            } else {
                send(group);
            }
        }
    }

    private boolean takeSlot() {
        int taken;
        do {
            taken = inFlight.get();
            if (taken >= inFlightMax) {
                return false;
            }
        } while (!inFlight.compareAndSet(taken, taken + 1));
        return true;
    }

    private List<Item<I, O>> nextGroup() {
        List<Item<I, O>> group = new ArrayList<>(Math.min(groupMax, queue.size() + 1));
        while (group.size() < groupMax) {
            Item<I, O> item = queue.poll();
            if (item == null) {
                break;
            }
            if (!item.abandoned) {
                group.add(item);
            }
        }
        return group;
    }

    private void send(List<Item<I, O>> group) {
        List<I> values = new ArrayList<>(group.size());
        group.forEach(item -> values.add(item.value));
        Mono.defer(() -> call.apply(values))
                .switchIfEmpty(Mono.error(() -> new MongoException("no outcome")))
                .subscribe(outcomes -> finish(group, outcomes), failure -> fail(group, failure));
    }

    private void finish(List<Item<I, O>> group, Outcomes<O> outcomes) {
        release();
        for (int i = 0; i < group.size(); i++) {
            Throwable failure = outcomes.failure(i);
            if (failure == null) {
                group.get(i).succeed(outcomes.result(i));
            } else {
                group.get(i).outcome.tryEmitError(failure);
            }
        }
    }

    private void fail(List<Item<I, O>> group, Throwable failure) {
        release();
        group.forEach(item -> item.outcome.tryEmitError(failure));
    }

    /** Before the callers hear: the next group is on its way while they go on. */
    private void release() {
        inFlight.decrementAndGet();
        drain();
    }

    private static final class Item<I, O> {

        private final I value;
        private final Sinks.One<O> outcome = Sinks.one();
        private volatile boolean abandoned;

        private Item(I value) {
            this.value = value;
        }

        private void abandon() {
            abandoned = true;
        }

        private void succeed(@Nullable O result) {
            if (result == null) {
                outcome.tryEmitEmpty();
            } else {
                outcome.tryEmitValue(result);
            }
        }
    }
}
