package dev.ligeiro.support.work;

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
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Combines concurrent requests into batches, with one call for each batch. A request is sent at once if a call may start: fewer
 * than the maximum are in flight, and the spacing since the start of the last one has passed. Otherwise it waits and is sent
 * together with the other waiting requests. A request to an idle service therefore never waits, and batches grow with the load.
 *
 * <p>A batch keeps the order of its requests. A request that is canceled before its call is dropped.
 *
 * @param <I> a request
 * @param <O> its result
 */
public final class RequestBatcher<I, O> {

    /** The outcome of each request of a batch, by its index in the batch. */
    public interface Outcomes<O> {

        /** The request's failure, or null if it succeeded. */
        @Nullable
        Throwable failure(int index);

        /** The result of a request that succeeded; null for none. */
        @Nullable
        O result(int index);
    }

    private final Queue<Item<I, O>> queue;
    private final int batchMax;
    private final int inFlightMax;
    private final WaitingLimit waiting;
    private final long spacingNanos;
    private final Function<List<I>, Mono<Outcomes<O>>> call;
    private final Scheduler scheduler;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong notBeforeNanos;
    private final AtomicBoolean timerSet = new AtomicBoolean();

    /**
     * @param batchMax requests of one call at most
     * @param inFlightMax calls in flight at most
     * @param queuedMax requests that wait at most; the next one fails with {@link QueueFullException}
     * @param spacing shortest time between the starts of two calls; not kept when {@code batchMax} requests wait
     */
    public RequestBatcher(
            int batchMax, int inFlightMax, int queuedMax, Duration spacing, Function<List<I>, Mono<Outcomes<O>>> call) {
        this(batchMax, inFlightMax, WaitingLimit.fixed(queuedMax), spacing, call);
    }

    /** @param waiting requests that wait at most; the next one fails with {@link QueueFullException} */
    public RequestBatcher(
            int batchMax,
            int inFlightMax,
            WaitingLimit waiting,
            Duration spacing,
            Function<List<I>, Mono<Outcomes<O>>> call) {
        this(batchMax, inFlightMax, waiting, spacing, call, Schedulers.parallel());
    }

    /** @param scheduler provides the clock and the timer of the spacing */
    RequestBatcher(
            int batchMax,
            int inFlightMax,
            WaitingLimit waiting,
            Duration spacing,
            Function<List<I>, Mono<Outcomes<O>>> call,
            Scheduler scheduler) {
        this.queue = new ArrayBlockingQueue<>(waiting.max());
        this.batchMax = batchMax;
        this.inFlightMax = inFlightMax;
        this.waiting = waiting;
        this.spacingNanos = spacing.toNanos();
        this.call = call;
        this.scheduler = scheduler;
        this.notBeforeNanos = new AtomicLong(nowNanos());
    }

    /**
     * Queues the request at once, whether the result is subscribed to or not. The result is empty if the request has none.
     * Canceling it drops the request if it still waits.
     */
    public Mono<O> submit(I value) {
        Item<I, O> item = new Item<>(value);
        int limit = waiting.at(nowNanos());
        if (queue.size() >= limit || !queue.offer(item)) {
            return Mono.error(new QueueFullException(limit));
        }
        drain();
        return item.outcome.asMono().doOnCancel(item::cancel);
    }

    /**
     * Lets a caller refuse a request before it is read.
     *
     * @throws QueueFullException when {@link #submit} would refuse a request now
     */
    public void requireRoom() {
        int limit = waiting.at(nowNanos());
        if (queue.size() >= limit) {
            throw new QueueFullException(limit);
        }
    }

    private void drain() {
        while (!queue.isEmpty() && tryTakeSlot()) {
            if (!tryStartCall()) {
                inFlight.decrementAndGet();
                drainLater();
                return;
            }
            List<Item<I, O>> batch = nextBatch();
            if (batch.isEmpty()) {
                inFlight.decrementAndGet();
            } else {
                new Call(batch).send();
            }
        }
    }

    /** Whether a call may start now: the spacing has passed or a full batch waits. Only one of several threads gets true. */
    private boolean tryStartCall() {
        long now = nowNanos();
        long notBefore = notBeforeNanos.get();
        boolean due = now - notBefore >= 0 || queue.size() >= batchMax;
        return due && notBeforeNanos.compareAndSet(notBefore, now + spacingNanos);
    }

    /** Sets one timer at most. Requests that arrive before it fires are sent together with the waiting ones. */
    private void drainLater() {
        if (timerSet.compareAndSet(false, true)) {
            long wait = Math.max(0, notBeforeNanos.get() - nowNanos());
            scheduler.schedule(this::spacingPassed, wait, TimeUnit.NANOSECONDS);
        }
    }

    private void spacingPassed() {
        timerSet.set(false);
        drain();
    }

    private long nowNanos() {
        return scheduler.now(TimeUnit.NANOSECONDS);
    }

    private boolean tryTakeSlot() {
        int taken;
        do {
            taken = inFlight.get();
            if (taken >= inFlightMax) {
                return false;
            }
        } while (!inFlight.compareAndSet(taken, taken + 1));
        return true;
    }

    private List<Item<I, O>> nextBatch() {
        List<Item<I, O>> batch = new ArrayList<>(Math.min(batchMax, queue.size() + 1));
        while (batch.size() < batchMax) {
            Item<I, O> item = queue.poll();
            if (item == null) {
                waiting.emptied();
                break;
            }
            if (!item.canceled) {
                batch.add(item);
            }
        }
        return batch;
    }

    private final class Call {

        private final List<Item<I, O>> items;
        private final Thread sender = Thread.currentThread();
        /** Read and written by the sender's thread only. */
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
         * Frees the slot before the outcomes are reported, so that the next batch is sent while the callers continue. A call that
         * ends within {@link #send} does not drain the queue, because the loop in {@link #drain} that started it continues
         * anyway; draining here would recurse once for each such call and overflow the stack.
         */
        private void release() {
            waiting.finished(items.size());
            inFlight.decrementAndGet();
            if (Thread.currentThread() != sender || !sending) {
                drain();
            }
        }
    }

    private static final class Item<I, O> {

        private final I value;
        private final Sinks.One<O> outcome = Sinks.one();
        private volatile boolean canceled;

        private Item(I value) {
            this.value = value;
        }

        private void cancel() {
            canceled = true;
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
