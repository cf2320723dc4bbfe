package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.lane.LaneMark;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The deliveries of an attempt batch as they are stored, and the marks of the lanes that must look at them again. Pure. */
final class BatchRows {

    /** One running attempt for this number of ended ones holds up too many batches. */
    private static final int ENDED_PER_RUNNING_MIN = 10;

    /** The same while some attempts have not started: with fewer in the window of 250 ms, an attempt takes more than 80 ms. */
    private static final int ENDED_PER_RUNNING_MIN_BEHIND = 3;

    private final Set<UUID> withLane;
    private final Set<UUID> slow;
    private final Instant now;
    private final Instant slowUntil;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final Map<UUID, LaneMark> marks = new HashMap<>();
    private final Map<UUID, WebhookEndpoint> endpoints = new HashMap<>();
    private final Map<UUID, Tally> tallies = new HashMap<>();
    private int canceled;

    /**
     * @param withLane the endpoints with a lane at the start of the batch: an earlier attempt has failed or not ended in time
     * @param slow the endpoints that are known to be slow
     * @param slowFor how long an endpoint counts as slow that has held up the batch
     */
    BatchRows(Set<UUID> withLane, Set<UUID> slow, Instant now, Duration slowFor) {
        this.withLane = withLane;
        this.slow = slow;
        this.now = now;
        this.slowUntil = now.plus(slowFor);
    }

    /** The numbers of attempts of the batch to one endpoint. */
    private static final class Tally {

        private int ended;
        private int running;
        private int notStarted;
    }

    List<Delivery> deliveries() {
        return deliveries;
    }

    List<LaneMark> marks() {
        return marks.values().stream()
                .map(mark -> isSlow(mark.endpointId()) ? mark.slow(slowUntil) : mark)
                .toList();
    }

    private boolean isSlow(UUID endpointId) {
        Tally tally = tallies.get(endpointId);
        return slow.contains(endpointId)
                || tally != null && isSlow(tally.ended, tally.running, tally.notStarted, withLane.contains(endpointId));
    }

    /**
     * Whether an endpoint is too slow for the intake, which waits for the window while an attempt runs.
     * <ul>
     *   <li>Some attempts have not started: slow if fewer than three have ended for each running one.</li>
     *   <li>All attempts have started: slow if most did not end.</li>
     *   <li>All have started, and {@code again}: slow if more than one for ten ended ones did not end. After a pause of this process
     *       that happens once, so the first time does not count.</li>
     * </ul>
     *
     * @param again whether an earlier attempt to the endpoint did not end in time or failed
     */
    static boolean isSlow(int ended, int running, int notStarted, boolean again) {
        if (notStarted > 0) {
            return ENDED_PER_RUNNING_MIN_BEHIND * running > ended;
        }
        return running > ended || (again && ENDED_PER_RUNNING_MIN * running > ended);
    }

    int canceled() {
        return canceled;
    }

    /**
     * To be called in the order in which the attempts have ended: a success ends a row of failures.
     *
     * @param next the delivery in its next state
     */
    void attempted(Completed completed, Delivery next) {
        add(completed.dispatch(), next);
        tally(completed.dispatch()).ended++;
        if (completed.outcome() == AttemptOutcome.DELIVERED) {
            marks.computeIfPresent(completed.dispatch().endpoint().id(), (id, mark) -> mark.withoutFailures());
        }
        if (next.nextAttemptAt() != null) {
            mark(LaneMark.failed(completed, next.nextAttemptAt(), now));
        }
    }

    /** A delivery whose attempt is running. */
    void running(Dispatch dispatch, Instant leaseEnd) {
        tally(dispatch).running++;
        due(dispatch, leaseEnd);
    }

    /** A delivery whose attempt could not start in time. */
    void notStarted(Dispatch dispatch) {
        tally(dispatch).notStarted++;
        due(dispatch, now);
    }

    /** A delivery for its endpoint's lane. */
    void due(Dispatch dispatch, Instant at) {
        add(dispatch, dispatch.scheduled(at));
        mark(LaneMark.due(dispatch.endpoint(), at));
    }

    /** A delivery of a feed. It is due at the time of its event, because a feed takes up deliveries in the order of their due times. */
    void feed(Dispatch dispatch) {
        Instant at = dispatch.eventAt().isBefore(now) ? dispatch.eventAt() : now;
        add(dispatch, Delivery.due(dispatch.id(), dispatch.eventType(), dispatch.eventAt(), at, null));
        mark(LaneMark.due(dispatch.endpoint(), now));
    }

    /** A delivery to a disabled endpoint. */
    void canceled(Dispatch dispatch) {
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
    void alreadyStored(Delivery delivery) {
        WebhookEndpoint endpoint = endpoints.get(delivery.id().endpointId());
        if (endpoint != null) {
            mark(LaneMark.due(endpoint, now));
        }
    }

    private void add(Dispatch dispatch, Delivery delivery) {
        deliveries.add(delivery);
        endpoints.put(dispatch.endpoint().id(), dispatch.endpoint());
    }

    private Tally tally(Dispatch dispatch) {
        return tallies.computeIfAbsent(dispatch.endpoint().id(), first -> new Tally());
    }

    private void mark(LaneMark mark) {
        marks.merge(mark.endpointId(), mark, LaneMark::and);
    }
}
