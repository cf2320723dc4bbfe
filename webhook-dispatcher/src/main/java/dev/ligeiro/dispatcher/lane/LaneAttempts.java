package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.AttemptDelivery;
import dev.ligeiro.dispatcher.attempt.CompleteAttempts;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.attempt.StoredPayloads;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Makes the attempts of lanes within the limits of {@link InFlight}, stores their results, and tells the {@link LaneRun}, on any thread. Only
 * a running attempt has a payload.
 */
@Component
class LaneAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(LaneAttempts.class);

    private final StoredPayloads payloads;
    private final AttemptDelivery attempts;
    private final InFlight inFlight;
    private final CompleteAttempts complete;
    private final Clock clock;

    LaneAttempts(
            StoredPayloads payloads,
            AttemptDelivery attempts,
            InFlight inFlight,
            CompleteAttempts complete,
            Clock clock) {
        this.payloads = payloads;
        this.attempts = attempts;
        this.inFlight = inFlight;
        this.complete = complete;
        this.clock = clock;
    }

    /** The number of running attempts to the endpoints of {@code tenant}. */
    int running(Tenant tenant) {
        return inFlight.of(tenant);
    }

    /**
     * Reads the payload, then makes the attempt of a delivery of {@code lane}; false if a limit is reached.
     *
     * @param startBefore after this time no request may be sent, because it may outlast the lease of the lane
     */
    boolean tryStart(Dispatch due, Instant startBefore, LaneRun lane) {
        if (!inFlight.tryAcquireForLane(due.endpoint())) {
            return false;
        }
        payloads.of(due.id())
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .subscribe(
                        body -> start(due.withBody(body.orElse(Dispatch.NO_BODY)), startBefore, lane),
                        unavailable -> notStarted(due, unavailable, lane));
        return true;
    }

    private void start(Dispatch dispatch, Instant startBefore, LaneRun lane) {
        if (dispatch.body().length == 0) {
            ended(attempts.withoutPayload(dispatch), lane);
        } else if (clock.instant().isAfter(startBefore)) {
            notStarted(dispatch, new IllegalStateException("payload: too late"), lane);
        } else {
            attempts.attempt(dispatch)
                    .subscribe(completed -> ended(completed, lane), fault -> broken(dispatch, fault, lane));
        }
    }

    private void ended(Completed completed, LaneRun lane) {
        inFlight.releaseOfLane(completed.dispatch().endpoint());
        lane.attempted(completed);
        complete.store(completed, delivery -> lane.written(delivery.id()));
    }

    private void notStarted(Dispatch dispatch, Throwable reason, LaneRun lane) {
        inFlight.releaseOfLane(dispatch.endpoint());
        lane.notStarted(dispatch.id(), reason);
    }

    private void broken(Dispatch dispatch, Throwable fault, LaneRun lane) {
        inFlight.releaseOfLane(dispatch.endpoint());
        LOG.atError()
                .addKeyValue("event.action", "attempt_failed")
                .addKeyValue("endpoint_id", dispatch.endpoint().id())
                .addKeyValue("webhook_id", dispatch.eventId())
                .setCause(fault)
                .log("An attempt could not be made");
        lane.broken(dispatch.id());
    }
}
