package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.lane.LaneWork.DueCheck;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import java.time.Duration;
import java.time.Instant;
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
    private final Breaker breaker;
    private final LaneWindow window;

    private final Instant begunAt;

    private Lane lane;
    private Phase phase = Phase.DELIVERING;
    /** MongoDB may be asked from this time on; {@code Instant.MAX} while it is being asked. */
    private Instant askFrom = Instant.MIN;

    /** From STOPPING only LOST can follow, and LOST never changes. */
    private enum Phase {
        /** Further deliveries may be due. */
        DELIVERING,
        /** None was due at the last check. */
        DRAINED,
        /** This process stops, or other lanes wait: the lane is handed over as soon as no attempt is running. */
        STOPPING,
        /** This process has lost the lane, or must not release it: it is left as soon as no attempt is running. */
        LOST
    }

    LaneRun(ClaimedLanes owner, Lane lane, LaneWork work, Breaker breaker, int windowMax) {
        this.owner = owner;
        this.lane = lane;
        this.work = work;
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
        return phase == Phase.STOPPING || phase == Phase.LOST;
    }

    private boolean mayAsk() {
        return !owner.now().isBefore(askFrom);
    }

    private void pause() {
        askFrom = owner.now().plus(PAUSE);
    }

    private void checked(boolean more) {
        if (!isEnding()) {
            phase = more ? Phase.DELIVERING : Phase.DRAINED;
        }
    }

    /** Goes on: starts attempts, or reads deliveries, or gives the lane back. */
    void step() {
        boolean stopped = isEnding() || Breaker.isOpen(lane.health(), owner.now());
        if (stopped) {
            window.forgetWaiting();
        }
        if (window.hasWaiting()) {
            owner.enqueue(this);
            return;
        }
        owner.dequeue(this);
        if (!mayAsk()) {
            return;
        }
        if (!stopped && phase == Phase.DELIVERING) {
            read();
        } else if (window.holdsNothing()) {
            end();
        }
    }

    // what happens to the claim

    /** Reads the waiting deliveries again if the endpoint has changed since; {@code version} is null if it was deleted. Call step then. */
    void refreshEndpoint(@Nullable Integer version) {
        if (window.forgetOutdated(version)) {
            checked(true);
        }
    }

    /** Replaces the cached lane with the stored one; null if another process has claimed it or it is gone. */
    void refresh(@Nullable Lane stored) {
        if (stored == null) {
            boolean asking = askFrom.equals(Instant.MAX);
            if (!asking && phase != Phase.LOST) {
                owner.lost(this);
            }
            phase = Phase.LOST;
        } else {
            if (stored.marks() != lane.marks()) {
                checked(true);
            }
            lane = stored.with(lane.health());
        }
        step();
    }

    /** Ends the work once the running attempts have ended. */
    void stop() {
        if (phase != Phase.LOST) {
            phase = Phase.STOPPING;
        }
        step();
    }

    private void end() {
        if (phase == Phase.LOST) {
            owner.ended(this);
            return;
        }
        ask(
                isEnding()
                        ? work.handOver(lane, owner.claim(), owner.now())
                        : work.end(lane, owner.claim(), owner.now()),
                end -> {
                    switch (end) {
                        case RELEASED -> owner.ended(this);
                        case MORE_DUE -> goOn(true);
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
                window.add(attempt.due());
                goOn(attempt.more());
            } else if (check instanceof DueCheck.Numbered numbered) {
                goOn(numbered.more());
            } else if (check instanceof DueCheck.Canceled canceled) {
                // the next step reads the endpoint again: its merchant may have enabled it meanwhile
                forgetFailures();
                goOn(canceled.more());
            } else {
                leave();
            }
        });
    }

    private void forgetFailures() {
        lane = new Lane(lane.endpointId(), lane.tenant(), lane.dueAt(), lane.lease(), Health.GOOD, null, lane.marks());
    }

    private void goOn(boolean more) {
        checked(more);
        step();
    }

    /** Ends the work and keeps the claim, so that the deliveries are tried again after the lease ends, by any process. */
    private void leave() {
        phase = Phase.LOST;
        step();
    }

    /** Waits for MongoDB. After a failure the next refresh goes on. */
    private <T> void ask(Mono<T> question, Consumer<T> then) {
        askFrom = Instant.MAX;
        question.subscribe(
                answer -> owner.execute(() -> {
                    askFrom = Instant.MIN;
                    then.accept(answer);
                }),
                failure -> owner.execute(() -> {
                    pause();
                    owner.failed(this, failure);
                }));
    }

    // the attempts

    /** Starts one attempt; false if none may start now. */
    boolean tryStart() {
        Dispatch next = window.next();
        if (next == null
                || !owner.leaseOutlastsAnAttempt(lane)
                || !work.tryAttempt(next, owner.lastStart(lane), this)) {
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
     * The payload could not be read, or not in time; nothing is stored. The waiting deliveries would fare no better: all are read again after
     * a pause, or after the read that is under way.
     */
    void notStarted(DeliveryId id, Throwable reason) {
        owner.execute(() -> {
            window.ended();
            window.written(id);
            window.forgetWaiting();
            checked(true);
            if (mayAsk()) {
                pause();
                owner.failed(this, reason);
            }
            step();
        });
    }
}
