package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.DueDeliveries.Unreadable;
import dev.ligeiro.dispatcher.lane.LaneWork.DueCheck;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The work of this process on one lane that it has claimed: reads due deliveries, attempts them ({@link LaneWindow}) or numbers them, and
 * gives the lane back when none is due or its breaker opens. All methods run on the thread of {@link ClaimedLanes},
 * but those that an attempt calls.
 *
 * <p>{@link #step} decides what is next. It is called after each answer of MongoDB, each ended attempt and each look at the stored lane.
 */
final class LaneRun {

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final ClaimedLanes owner;
    private final LaneWork work;
    private final LaneAttempts attempts;
    private final Breaker breaker;
    private final LaneWindow window;

    private final Instant begunAt;

    private Lane lane;
    private LaneState state = LaneState.BEGUN;

    LaneRun(ClaimedLanes owner, Lane lane, LaneWork work, LaneAttempts attempts, Breaker breaker, int windowMax) {
        this.owner = owner;
        this.lane = lane;
        this.work = work;
        this.attempts = attempts;
        this.breaker = breaker;
        this.begunAt = owner.now();
        this.window = new LaneWindow(windowMax, breaker.isFailing(lane.health()));
    }

    Lane lane() {
        return lane;
    }

    Instant begunAt() {
        return begunAt;
    }

    /** Whether no further attempt may start. */
    boolean isEnding() {
        return state.isEnding();
    }

    /** Goes on: starts attempts, or reads deliveries, or gives the lane back. */
    void step() {
        boolean stopped = state.isEnding() || Breaker.isOpen(lane.health(), owner.now());
        if (stopped) {
            window.forgetWaiting();
        }
        if (window.hasWaiting()) {
            owner.enqueue(this);
            return;
        }
        owner.dequeue(this);
        if (!state.mayAsk(owner.now())) {
            return;
        }
        if (!stopped && state.isDelivering()) {
            read();
        } else if (window.holdsNothing()) {
            end();
        }
    }

    // what happens to the claim

    /** Reads the waiting deliveries again if the endpoint has changed since; {@code version} is null if it was deleted. Call step then. */
    void refreshEndpoint(@Nullable Integer version) {
        if (window.forgetOutdated(version)) {
            state = state.looked(true);
        }
    }

    /** Replaces the cached lane with the stored one; null if another process has claimed it or it is gone. */
    void refresh(@Nullable Lane stored) {
        if (stored == null) {
            if (!state.isAsking() && !state.isLost()) {
                owner.lost(this);
            }
            state = state.lost();
        } else {
            if (stored.marks() != lane.marks()) {
                state = state.looked(true);
            }
            lane = stored.with(Breaker.afterMark(lane.health(), stored.health()));
        }
        step();
    }

    /** Ends the work once the running attempts have ended. */
    void stop() {
        state = state.stopping();
        step();
    }

    private void end() {
        if (state.isLost()) {
            owner.ended(this);
            return;
        }
        ask(
                state.isEnding()
                        ? work.handOver(lane, owner.claim(), owner.now())
                        : work.end(lane, owner.claim(), owner.now()),
                end -> {
                    switch (end) {
                        case RELEASED -> owner.ended(this);
                        case MORE_DUE -> looked(true);
                        case CHANGED -> reload();
                    }
                });
    }

    private void reload() {
        ask(work.stored(owner.claim(), lane.endpointId()), found -> refresh(found.orElse(null)));
    }

    // the due deliveries

    private void read() {
        ask(work.check(lane.endpointId(), owner.now(), window.beginRead()), check -> {
            if (check instanceof DueCheck.Attempt attempt) {
                attempt(attempt);
            } else if (check instanceof DueCheck.Numbered numbered) {
                looked(numbered.more());
            } else if (check instanceof DueCheck.Canceled canceled) {
                // the next step reads the endpoint again: its merchant may have enabled it meanwhile
                forgetFailures();
                looked(canceled.more());
            } else {
                leave();
            }
        });
    }

    private void attempt(DueCheck.Attempt check) {
        List<Unreadable> unreadable = check.due().unreadable();
        if (unreadable.isEmpty()) {
            attemptReadable(check);
        } else if (owner.leaseOutlastsAnAttempt(lane)) {
            ask(work.setAside(unreadable, owner.now()), done -> attemptReadable(check));
        } else {
            // another process may have the lane soon, and may be able to read them
            state = state.pausedUntil(owner.now().plus(PAUSE));
        }
    }

    private void attemptReadable(DueCheck.Attempt check) {
        window.add(check.due().deliveries());
        looked(check.more());
    }

    private void forgetFailures() {
        lane = new Lane(lane.endpointId(), lane.tenant(), lane.dueAt(), lane.lease(), Health.GOOD, null, lane.marks());
    }

    private void looked(boolean more) {
        state = state.looked(more);
        step();
    }

    /** Waits for MongoDB. After a failure the next refresh goes on. */
    private <T> void ask(Mono<T> question, Consumer<T> then) {
        state = state.asking();
        question.subscribe(
                answer -> owner.execute(() -> {
                    state = state.answered();
                    then.accept(answer);
                }),
                failure -> owner.execute(() -> {
                    state = state.pausedUntil(owner.now().plus(PAUSE));
                    owner.failed(this, failure);
                }));
    }

    // the attempts

    /** Starts one attempt; false if none may start now. */
    boolean tryStart() {
        Dispatch next = window.next();
        if (next == null
                || !owner.leaseOutlastsAnAttempt(lane)
                || !attempts.tryStart(next, owner.lastStart(lane), this)) {
            return false;
        }
        window.started();
        if (!window.hasWaiting()) {
            step();
        }
        return true;
    }

    void attempted(Completed completed) {
        owner.execute(() -> {
            window.ended();
            count(completed);
            step();
        });
    }

    private void count(Completed completed) {
        AttemptOutcome outcome = completed.outcome();
        Health health = breaker.after(lane.health(), outcome, completed.pause(), owner.now());
        lane = lane.with(health);
        if (outcome == AttemptOutcome.DELIVERED) {
            window.grow();
        } else if (outcome == AttemptOutcome.TIMED_OUT || breaker.isFailing(health)) {
            window.shrink();
        }
        if (Breaker.weight(outcome) > 0) {
            owner.disableIfFailing(completed.dispatch().endpoint(), health);
        }
    }

    /** The result is stored, or dropped. */
    void written(DeliveryId id) {
        owner.execute(() -> {
            window.written(id);
            step();
        });
    }

    /**
     * No request was sent, and nothing is stored: the payload could not be read, or not in time. The waiting deliveries would fare no better:
     * all are read again after a pause, or after the read that is under way.
     */
    void notStarted(DeliveryId id, Throwable reason) {
        owner.execute(() -> {
            window.ended();
            window.written(id);
            window.forgetWaiting();
            state = state.looked(true);
            if (state.mayAsk(owner.now())) {
                state = state.pausedUntil(owner.now().plus(PAUSE));
                owner.failed(this, reason);
            }
            step();
        });
    }

    /** The attempt has failed for a reason of our own, and nothing is stored. */
    void broken(DeliveryId id) {
        owner.execute(() -> {
            window.ended();
            window.written(id);
            leave();
        });
    }

    /** Ends the work and keeps the claim, so that the deliveries are tried again after the lease ends, by any process. */
    private void leave() {
        state = state.lost();
        step();
    }
}
