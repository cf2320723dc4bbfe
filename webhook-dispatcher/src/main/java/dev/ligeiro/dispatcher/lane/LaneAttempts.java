package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.AttemptDelivery;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.DueDelivery;
import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.attempt.StoreAttempts;
import dev.ligeiro.dispatcher.attempt.StoredPayloads;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Makes the attempts of lanes within the limits of {@link InFlight}, and stores their results. Only a running attempt has a payload. */
@Component
class LaneAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(LaneAttempts.class);
    private static final byte[] NO_BODY = {};

    private final StoredPayloads payloads;
    private final AttemptDelivery attempts;
    private final InFlight inFlight;
    private final StoreAttempts results;
    private final Clock clock;

    LaneAttempts(
            StoredPayloads payloads, AttemptDelivery attempts, InFlight inFlight, StoreAttempts results, Clock clock) {
        this.payloads = payloads;
        this.attempts = attempts;
        this.inFlight = inFlight;
        this.results = results;
        this.clock = clock;
    }

    /** Receives the events of one attempt, on any thread. */
    interface Listener {

        void attempted(Completed completed);

        /** The result is stored, or dropped. */
        void written(DeliveryId id);

        /** No request was sent, and nothing is stored: the payload could not be read, or not in time. */
        void notStarted(DeliveryId id, Throwable reason);

        /** The attempt has failed for a reason of our own, and nothing is stored. */
        void broken(DeliveryId id);
    }

    /** The number of running attempts to the endpoints of {@code tenant}. */
    int running(Tenant tenant) {
        return inFlight.of(tenant);
    }

    /**
     * Reads the payload, then makes the attempt; false if a limit is reached.
     *
     * @param startBefore after this time no request may be sent, because it may outlast the lease of the lane
     */
    boolean tryStart(WebhookEndpoint endpoint, DueDelivery due, Instant startBefore, Listener listener) {
        if (!inFlight.tryAcquireForLane(endpoint)) {
            return false;
        }
        payloads.of(due.id())
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .subscribe(
                        body -> start(dispatch(endpoint, due, body.orElse(NO_BODY)), startBefore, listener),
                        unavailable -> notStarted(endpoint, due.id(), unavailable, listener));
        return true;
    }

    private static Dispatch dispatch(WebhookEndpoint endpoint, DueDelivery due, byte[] body) {
        return new Dispatch(
                endpoint,
                due.id().eventId(),
                due.eventType(),
                due.eventAt(),
                body,
                due.attemptsMade(),
                due.nextAttemptAt(),
                due.origin());
    }

    private void start(Dispatch dispatch, Instant startBefore, Listener listener) {
        if (dispatch.body().length == 0) {
            ended(attempts.withoutPayload(dispatch), listener);
        } else if (clock.instant().isAfter(startBefore)) {
            notStarted(dispatch.endpoint(), dispatch.id(), new IllegalStateException("payload: too late"), listener);
        } else {
            attempts.attempt(dispatch)
                    .subscribe(completed -> ended(completed, listener), fault -> broken(dispatch, fault, listener));
        }
    }

    private void ended(Completed completed, Listener listener) {
        inFlight.releaseOfLane(completed.dispatch().endpoint());
        listener.attempted(completed);
        results.store(completed, delivery -> listener.written(delivery.id()));
    }

    private void notStarted(WebhookEndpoint endpoint, DeliveryId id, Throwable reason, Listener listener) {
        inFlight.releaseOfLane(endpoint);
        listener.notStarted(id, reason);
    }

    private void broken(Dispatch dispatch, Throwable fault, Listener listener) {
        inFlight.releaseOfLane(dispatch.endpoint());
        LOG.atError()
                .addKeyValue("event.action", "attempt_failed")
                .addKeyValue("endpoint_id", dispatch.endpoint().id())
                .addKeyValue("webhook_id", dispatch.eventId())
                .setCause(fault)
                .log("An attempt could not be made");
        listener.broken(dispatch.id());
    }
}
