package dev.ligeiro.gateway.group;

import dev.ligeiro.gateway.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Makes one call of many concurrent ones: an item that finds the gateway idle goes at once, and what comes within the spacing of
 * that call, or while it is in flight, is collected and goes with the next. So nobody waits when the gateway is idle, and groups
 * grow with the load (an insert of 128 costs a fifth of 128 inserts: RATIONALE.md).
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
    private final long spacingNanos;
    private final Function<List<I>, Mono<Outcomes<O>>> call;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong notBeforeNanos = new AtomicLong(System.nanoTime());
    private final AtomicBoolean alarmSet = new AtomicBoolean();

    /**
     * @param groupMax items of one call at the most
     * @param inFlightMax calls under way at the most
     * @param queuedMax items that wait at the most; one more fails as unavailable
     * @param spacing from one call to the next at the least, unless {@code groupMax} items wait
     */
    public Grouping(
            int groupMax, int inFlightMax, int queuedMax, Duration spacing, Function<List<I>, Mono<Outcomes<O>>> call) {
        this.queue = new ArrayBlockingQueue<>(queuedMax);
        this.groupMax = groupMax;
        this.inFlightMax = inFlightMax;
        this.spacingNanos = spacing.toNanos();
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
            if (!takeTurn()) {
                inFlight.decrementAndGet();
                drainLater();
                return;
            }
            List<Item<I, O>> group = nextGroup();
            if (group.isEmpty()) {
                inFlight.decrementAndGet();
            } else {
                new Call(group).send();
            }
        }
    }

    /** Whether the spacing has passed, or a whole group waits; of several threads that ask, one is told so. */
    private boolean takeTurn() {
        long now = System.nanoTime();
        long notBefore = notBeforeNanos.get();
        boolean due = now - notBefore >= 0 || queue.size() >= groupMax;
        return due && notBeforeNanos.compareAndSet(notBefore, now + spacingNanos);
    }

    /** One alarm at a time: what comes until it rings goes with what waits for it. */
    private void drainLater() {
        if (alarmSet.compareAndSet(false, true)) {
            long wait = Math.max(0, notBeforeNanos.get() - System.nanoTime());
            Schedulers.parallel().schedule(this::alarm, wait, TimeUnit.NANOSECONDS);
        }
    }

    private void alarm() {
        alarmSet.set(false);
        drain();
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

    /** One call with its items. */
    private final class Call {

        private final List<Item<I, O>> items;
        private final Thread sender = Thread.currentThread();
        /** Only the sender's thread reads and writes it. */
        private boolean sending = true;

        private Call(List<Item<I, O>> items) {
            this.items = items;
        }

        private void send() {
            List<I> values = new ArrayList<>(items.size());
            items.forEach(item -> values.add(item.value));
            Mono.defer(() -> call.apply(values))
                    .switchIfEmpty(Mono.error(() -> new IllegalStateException("no outcome")))
                    .subscribe(this::finish, this::fail);
            sending = false;
        }

        private void finish(Outcomes<O> outcomes) {
            release();
            for (int i = 0; i < items.size(); i++) {
                items.get(i).settle(outcomes, i);
            }
        }

        private void fail(Throwable failure) {
            release();
            items.forEach(item -> item.outcome.tryEmitError(failure));
        }

        /**
         * Before the callers hear: the next group is on its way while they go on. A call that ends while it is being sent leaves
         * that to the loop that sends it, else a long queue of such calls would overflow the stack.
         */
        private void release() {
            inFlight.decrementAndGet();
            if (Thread.currentThread() != sender || !sending) {
                drain();
            }
        }
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

        private void settle(Outcomes<O> outcomes, int index) {
            try {
                Throwable failure = outcomes.failure(index);
                if (failure != null) {
                    outcome.tryEmitError(failure);
                } else {
                    succeed(outcomes.result(index));
                }
            } catch (RuntimeException bug) {
                outcome.tryEmitError(bug);
            }
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
