package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The work of this process on one lane that it has claimed: reads due deliveries, attempts them, and gives the lane back when none is
 * due or its breaker opens. It holds at most two rounds of attempts in memory. All methods run on the thread of {@link ClaimedLanes}.
 */
final class LaneRun implements LaneAttempts.Listener {

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final ClaimedLanes owner;
    private final LaneWork work;
    private final LaneAttempts attempts;
    private final Breaker breaker;
    private final int windowMax;

    private Lane lane;
    /** The attempts that may run at once: 1 after a time-out or while the endpoint fails; each success doubles it. */
    private int window;

    private final Deque<Dispatch> waiting = new ArrayDeque<>();
    /** The deliveries whose attempt is running or whose result is not stored yet. */
    private final Set<DeliveryId> held = new HashSet<>();

    private int running;
    /** Whether MongoDB is being asked. */
    private boolean busy;
    /** Whether no further delivery was due at the last look. */
    private boolean drained;
    /** Whether the work must end as soon as no attempt is running: another process has the lane, or this one stops. */
    private boolean ending;

    private boolean lost;
    /** After a failure of MongoDB, or with an endpoint that cannot be read, nothing is asked before this time. */
    private Instant pausedUntil = Instant.MIN;

    LaneRun(ClaimedLanes owner, Lane lane, LaneWork work, LaneAttempts attempts, Breaker breaker, int windowMax) {
        this.owner = owner;
        this.lane = lane;
        this.work = work;
        this.attempts = attempts;
        this.breaker = breaker;
        this.windowMax = windowMax;
        this.window = breaker.isFailing(lane.health()) ? 1 : windowMax;
    }

    Lane lane() {
        return lane;
    }

    /** Goes on: starts attempts, or reads deliveries, or gives the lane back. */
    void step() {
        if (ending || breaker.isOpen(lane.health(), owner.now())) {
            waiting.clear();
        }
        if (!waiting.isEmpty()) {
            owner.takeTurns(this);
            return;
        }
        owner.leaveTurns(this);
        if (busy || owner.now().isBefore(pausedUntil)) {
            return;
        }
        boolean stopped = ending || breaker.isOpen(lane.health(), owner.now());
        if (!stopped && !drained) {
            read();
        } else if (held.isEmpty()) {
            end();
        }
    }

    /** Takes over what the stored lane says, as of a moment ago; null if another process has claimed it or it is gone. */
    void refresh(@Nullable Lane stored) {
        if (stored == null) {
            if (!busy && !lost) {
                owner.lost(this);
            }
            lost = true;
            ending = true;
        } else {
            drained = drained && stored.marks() == lane.marks();
            lane = new Lane(
                    lane.endpointId(),
                    lane.tenant(),
                    stored.dueAt(),
                    stored.lease(),
                    healthAfterMark(stored.health()),
                    stored.slowUntil(),
                    stored.marks());
        }
        step();
    }

    /** A merchant that asks for a delivery ends the waiting time of an open breaker. */
    private Health healthAfterMark(Health stored) {
        Health own = lane.health();
        boolean shortened = own.openUntil() != null
                && stored.openUntil() != null
                && stored.openings() == own.openings()
                && stored.openUntil().isBefore(own.openUntil());
        return shortened ? new Health(own.failures(), own.openings(), stored.openUntil(), own.failingSince()) : own;
    }

    /** Ends the work once the running attempts have ended. */
    void stop() {
        ending = true;
        step();
    }

    /** Starts one attempt; false if none may start now. */
    boolean tryStart() {
        Dispatch next = waiting.peek();
        if (next == null || running >= window || held.size() >= 2 * window || !owner.leaseOutlastsAnAttempt(lane)) {
            return false;
        }
        if (!attempts.tryStart(next, this)) {
            return false;
        }
        waiting.remove();
        held.add(next.id());
        running++;
        if (waiting.isEmpty()) {
            step();
        }
        return true;
    }

    private void read() {
        int limit = held.size() + 2 * window;
        ask(work.plan(lane.endpointId(), owner.now(), limit), this::planned);
    }

    private void planned(LanePlan plan) {
        if (plan.endpoint() == null) {
            cancel();
            return;
        }
        drained = !plan.more();
        plan.dispatches().stream()
                .filter(dispatch -> !held.contains(dispatch.id()))
                .forEach(waiting::add);
        for (Dispatch lost : plan.lost()) {
            if (held.add(lost.id())) {
                running++;
                attempts.endUnsendable(lost, this);
            }
        }
        step();
    }

    /** The endpoint was deleted or disabled: nothing of its past matters any more. */
    private void cancel() {
        ask(work.cancelSome(lane.endpointId(), owner.now()), more -> {
            if (more) {
                cancel();
            } else {
                drained = true;
                lane = new Lane(
                        lane.endpointId(), lane.tenant(), lane.dueAt(), lane.lease(), Health.GOOD, null, lane.marks());
                step();
            }
        });
    }

    private void end() {
        if (lost) {
            owner.ended(this);
            return;
        }
        ask(
                ending ? work.handOver(lane, owner.claim(), owner.now()) : work.end(lane, owner.claim(), owner.now()),
                end -> {
                    switch (end) {
                        case RELEASED -> owner.ended(this);
                        case MORE_DUE -> {
                            drained = false;
                            step();
                        }
                        case CHANGED -> reload();
                    }
                });
    }

    private void reload() {
        Mono<LaneSeen> seen = work.current(owner.claim(), lane.endpointId())
                .map(LaneSeen::new)
                .defaultIfEmpty(new LaneSeen(null));
        ask(seen, found -> refresh(found.lane()));
    }

    /** The stored lane, or null if it is not this process's. */
    private record LaneSeen(@Nullable Lane lane) {}

    /** Waits for MongoDB. After a failure the next refresh goes on. */
    private <T> void ask(Mono<T> question, Consumer<T> then) {
        busy = true;
        question.subscribe(
                answer -> owner.execute(() -> {
                    busy = false;
                    then.accept(answer);
                }),
                failure -> owner.execute(() -> {
                    busy = false;
                    pausedUntil = owner.now().plus(PAUSE);
                    owner.failed(this, failure);
                }));
    }

    @Override
    public void attempted(Completed completed) {
        owner.execute(() -> {
            running--;
            count(completed);
            step();
        });
    }

    @Override
    public void written(Dispatch dispatch) {
        owner.execute(() -> {
            held.remove(dispatch.id());
            step();
        });
    }

    @Override
    public void broken(Dispatch dispatch) {
        owner.execute(() -> {
            running--;
            held.remove(dispatch.id());
            // not again and again: the lane is due for another try when its lease ends
            lost = true;
            ending = true;
            step();
        });
    }

    private void count(Completed completed) {
        AttemptOutcome outcome = completed.outcome();
        Instant now = owner.now();
        Health health = breaker.after(lane.health(), outcome, now);
        lane = new Lane(
                lane.endpointId(), lane.tenant(), lane.dueAt(), lane.lease(), health, lane.slowUntil(), lane.marks());
        if (outcome == AttemptOutcome.DELIVERED) {
            window = Math.min(windowMax, window * 2);
        } else if (outcome == AttemptOutcome.TIMED_OUT || breaker.isFailing(health)) {
            window = 1;
        }
        WebhookEndpoint endpoint = completed.dispatch().endpoint();
        owner.disableIfFailing(endpoint, health);
    }
}
