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
import java.util.UUID;

/** The deliveries of a round as they are stored, and the marks of the lanes that must look at them again. */
final class RoundRows {

    private final IntakeLanes lanes;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final Map<UUID, LaneMark> marks = new HashMap<>();
    private final Map<UUID, Tally> tallies = new HashMap<>();
    private int canceled;

    /** What the round's window was enough for, at one endpoint. */
    private static final class Tally {

        private final WebhookEndpoint endpoint;
        private int ended;
        private int running;
        private int notStarted;

        private Tally(WebhookEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        /**
         * Whether most of its attempts did not end. After a pause of this process, or of its cores, only some did not; an endpoint that
         * answers slowly, or that gets more events than it can take, leaves most.
         */
        private boolean isSlow() {
            return running > 0 && running + notStarted > ended;
        }
    }

    RoundRows(IntakeLanes lanes) {
        this.lanes = lanes;
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
        Tally tally = tallies.get(endpointId);
        return tally != null && tally.isSlow();
    }

    int canceled() {
        return canceled;
    }

    /** @param next the delivery in its next state */
    void attempted(Completed completed, Delivery next) {
        add(completed.dispatch(), next).ended++;
        if (next.nextAttemptAt() != null) {
            mark(lanes.failed(completed, next.nextAttemptAt()));
        }
    }

    /** A delivery whose attempt is running. */
    void running(Dispatch dispatch, Instant leaseEnd) {
        add(dispatch, dispatch.scheduled(leaseEnd)).running++;
        mark(lanes.due(dispatch.endpoint(), leaseEnd));
    }

    /** A delivery whose attempt could not start in time. */
    void notStarted(Dispatch dispatch, Instant now) {
        add(dispatch, dispatch.scheduled(now)).notStarted++;
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
        Tally tally = tallies.get(delivery.id().endpointId());
        if (tally != null) {
            mark(lanes.due(tally.endpoint, now));
        }
    }

    private Tally add(Dispatch dispatch, Delivery delivery) {
        deliveries.add(delivery);
        return tallies.computeIfAbsent(dispatch.endpoint().id(), id -> new Tally(dispatch.endpoint()));
    }

    private void mark(LaneMark mark) {
        marks.merge(mark.endpointId(), mark, LaneMark::and);
    }
}
