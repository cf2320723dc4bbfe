package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.delivery.DueDeliveries.Unreadable;
import dev.ligeiro.dispatcher.feed.NumberFeed;
import dev.ligeiro.dispatcher.lane.ReleaseLane.End;
import dev.ligeiro.webhook.Lane;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The reads and writes of MongoDB for the lanes that this process has claimed. It only passes calls on: {@link LaneRun} decides what is
 * next, and sees one collaborator in place of four.
 */
@Component
class LaneWork {

    private final PlanLane plans;
    private final NumberFeed numbers;
    private final UnattemptedDeliveries unattempted;
    private final ReleaseLane release;

    LaneWork(PlanLane plans, NumberFeed numbers, UnattemptedDeliveries unattempted, ReleaseLane release) {
        this.plans = plans;
        this.numbers = numbers;
        this.unattempted = unattempted;
        this.release = release;
    }

    Mono<LanePlan> plan(UUID endpointId, Instant now, int limit) {
        return plans.plan(endpointId, now, limit);
    }

    /** Numbers some of the lane's deliveries, which are those of a feed. Gives whether more may be due. */
    Mono<Boolean> number(UUID feedId, Instant now) {
        return numbers.number(feedId, now);
    }

    /** Cancels some of the lane's deliveries. Gives whether more are left. */
    Mono<Boolean> cancelSome(UUID endpointId, Instant now) {
        return unattempted.cancelSome(endpointId, now);
    }

    /** Postpones deliveries that cannot be decoded. */
    Mono<Integer> setAside(List<Unreadable> unreadable, Instant now) {
        return unattempted.setAside(unreadable, now);
    }

    void countLost() {
        release.countLost();
    }

    /** The lane, or empty if another process has claimed it, or it is gone. */
    Mono<Lane> current(UUID claim, UUID endpointId) {
        return release.current(claim, endpointId);
    }

    /** Ends the work on {@code lane}, unless a delivery is due. */
    Mono<End> end(Lane lane, UUID claim, Instant now) {
        return release.end(lane, claim, now);
    }

    /** Ends the work on {@code lane} at once; another process may take it over. */
    Mono<End> handOver(Lane lane, UUID claim, Instant now) {
        return release.handOver(lane, claim, now);
    }
}
