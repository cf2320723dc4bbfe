package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.lane.IntakeLanes;
import dev.ligeiro.dispatcher.lane.LaneMark;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The deliveries of a round as they are stored, and the marks of the lanes that must look at them again. */
final class RoundRows {

    private static final RoundTally ENDED = new RoundTally(1, 0, 0);
    private static final RoundTally RUNNING = new RoundTally(0, 1, 0);
    private static final RoundTally NOT_STARTED = new RoundTally(0, 0, 1);

    private final IntakeLanes lanes;
    private final Set<UUID> withLane;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final Map<UUID, LaneMark> marks = new HashMap<>();
    private final Map<UUID, WebhookEndpoint> endpoints = new HashMap<>();
    private final Map<UUID, RoundTally> tallies = new HashMap<>();
    private int canceled;

    /** @param withLane the endpoints with a lane at the start of the batch: an earlier attempt has failed or not ended in time */
    RoundRows(IntakeLanes lanes, Set<UUID> withLane) {
        this.lanes = lanes;
        this.withLane = withLane;
    }

    List<Delivery> deliveries() {
        return deliveries;
    }

    List<LaneMark> marks() {
        return marks.values().stream()
                .map(mark -> isSlow(mark.endpointId()) ? lanes.slow(mark) : mark)
                .toList();
    }

    private boolean isSlow(UUID endpointId) {
        return tallies.getOrDefault(endpointId, RoundTally.NONE).isSlow(withLane.contains(endpointId));
    }

    int canceled() {
        return canceled;
    }

    /** @param next the delivery in its next state */
    void attempted(Completed completed, Delivery next) {
        add(completed.dispatch(), next);
        tally(completed.dispatch(), ENDED);
        if (next.nextAttemptAt() != null) {
            mark(lanes.failed(completed, next.nextAttemptAt()));
        }
    }

    /** A delivery whose attempt is running. */
    void running(Dispatch dispatch, Instant leaseEnd) {
        add(dispatch, dispatch.scheduled(leaseEnd));
        tally(dispatch, RUNNING);
        mark(lanes.due(dispatch.endpoint(), leaseEnd));
    }

    /** A delivery whose attempt could not start in time. */
    void notStarted(Dispatch dispatch, Instant now) {
        add(dispatch, dispatch.scheduled(now));
        tally(dispatch, NOT_STARTED);
        mark(lanes.due(dispatch.endpoint(), now));
    }

    /** A delivery for its endpoint's lane. */
    void due(Dispatch dispatch, Instant at) {
        add(dispatch, dispatch.scheduled(at));
        mark(lanes.due(dispatch.endpoint(), at));
    }

    /** A delivery of a feed. It is due at the time of its event, because a feed takes up deliveries in the order of their due times. */
    void feed(Dispatch dispatch, Instant now) {
        Instant at = dispatch.eventAt().isBefore(now) ? dispatch.eventAt() : now;
        add(dispatch, Delivery.due(dispatch.id(), dispatch.eventType(), dispatch.eventAt(), at, null));
        mark(lanes.due(dispatch.endpoint(), now));
    }

    /** A delivery to a disabled endpoint. */
    void canceled(Dispatch dispatch, Instant now) {
        canceled++;
        add(
                dispatch,
                Delivery.ended(
                        dispatch.id(),
                        dispatch.eventType(),
                        dispatch.eventAt(),
                        DeliveryStatus.CANCELED,
                        List.of(),
                        now));
    }

    /** {@code delivery} was stored before, in another state perhaps: the lane finds out when it is due. */
    void alreadyStored(Delivery delivery, Instant now) {
        WebhookEndpoint endpoint = endpoints.get(delivery.id().endpointId());
        if (endpoint != null) {
            mark(lanes.due(endpoint, now));
        }
    }

    private void add(Dispatch dispatch, Delivery delivery) {
        deliveries.add(delivery);
        endpoints.put(dispatch.endpoint().id(), dispatch.endpoint());
    }

    private void tally(Dispatch dispatch, RoundTally one) {
        tallies.merge(dispatch.endpoint().id(), one, RoundTally::and);
    }

    private void mark(LaneMark mark) {
        marks.merge(mark.endpointId(), mark, LaneMark::and);
    }
}
