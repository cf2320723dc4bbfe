package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.DueDeliveries.Unreadable;
import dev.ligeiro.dispatcher.attempt.EndpointStore;
import dev.ligeiro.dispatcher.lane.LanePlan.AssignNumbers;
import dev.ligeiro.dispatcher.lane.LanePlan.Attempt;
import dev.ligeiro.dispatcher.lane.LanePlan.Cancel;
import dev.ligeiro.dispatcher.lane.LanePlan.Wait;
import dev.ligeiro.dispatcher.lane.ReleaseLane.End;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The reads and writes of MongoDB for the lanes that this process has claimed; {@link LaneRun} decides what is next. */
@Component
class LaneWork {

    private final EndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final NumberFeed numbers;
    private final UnattemptedDeliveries unattempted;
    private final ReleaseLane release;

    LaneWork(
            EndpointStore endpoints,
            DeliveryStore deliveries,
            NumberFeed numbers,
            UnattemptedDeliveries unattempted,
            ReleaseLane release) {
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.numbers = numbers;
        this.unattempted = unattempted;
        this.release = release;
    }

    /** What follows in a lane. Reads its endpoint, whose URL or secret may have changed, and its due deliveries. */
    Mono<LanePlan> plan(UUID endpointId, Instant now, int limit) {
        return endpoints
                .find(endpointId)
                .flatMap(found ->
                        found.map(endpoint -> plan(endpoint, now, limit)).orElseGet(() -> Mono.just(new Wait())))
                .defaultIfEmpty(new Cancel());
    }

    private Mono<LanePlan> plan(WebhookEndpoint endpoint, Instant now, int limit) {
        if (!endpoint.status().isEnabled()) {
            return Mono.just(new Cancel());
        }
        return endpoint.isFeed() ? Mono.just(new AssignNumbers()) : attempts(endpoint, now, limit);
    }

    private Mono<LanePlan> attempts(WebhookEndpoint endpoint, Instant now, int limit) {
        return deliveries
                .due(endpoint.id(), now, limit)
                .map(due -> new Attempt(endpoint, due.deliveries(), due.unreadable(), due.size() == limit));
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
