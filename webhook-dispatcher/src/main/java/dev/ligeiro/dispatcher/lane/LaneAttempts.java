package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.AttemptDelivery;
import dev.ligeiro.dispatcher.attempt.Completed;
import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.dispatcher.attempt.InFlight;
import dev.ligeiro.dispatcher.attempt.StoreAttempts;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Makes the attempts of lanes within the limits of {@link InFlight}, and stores their results. */
@Component
class LaneAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(LaneAttempts.class);

    private final AttemptDelivery attempts;
    private final InFlight inFlight;
    private final StoreAttempts results;

    LaneAttempts(AttemptDelivery attempts, InFlight inFlight, StoreAttempts results) {
        this.attempts = attempts;
        this.inFlight = inFlight;
        this.results = results;
    }

    /** Receives the events of one attempt, on any thread. */
    interface Listener {

        void attempted(Completed completed);

        /** The result is stored, or dropped. */
        void written(DeliveryId id);

        /** The attempt has failed for a reason of our own, and nothing is stored. */
        void broken(Dispatch dispatch);
    }

    /** The number of running attempts to the endpoints of {@code tenant}. */
    int running(Tenant tenant) {
        return inFlight.of(tenant);
    }

    /** Starts an attempt; false if a limit is reached. */
    boolean tryStart(Dispatch dispatch, Listener listener) {
        if (!inFlight.tryAcquireForLane(dispatch.endpoint())) {
            return false;
        }
        Consumer<Completed> store = store(listener);
        attempts.attempt(dispatch)
                .subscribe(
                        completed -> {
                            inFlight.releaseOfLane(dispatch.endpoint());
                            store.accept(completed);
                        },
                        fault -> {
                            inFlight.releaseOfLane(dispatch.endpoint());
                            LOG.atError()
                                    .addKeyValue("event.action", "attempt_failed")
                                    .addKeyValue(
                                            "endpoint_id", dispatch.endpoint().id())
                                    .addKeyValue("webhook_id", dispatch.eventId())
                                    .setCause(fault)
                                    .log("An attempt could not be made");
                            listener.broken(dispatch);
                        });
        return true;
    }

    /** Stores an attempt, without a request, of a delivery whose payload cannot be built. */
    void endUnsendable(Dispatch dispatch, Listener listener) {
        store(listener).accept(attempts.withoutPayload(dispatch));
    }

    private Consumer<Completed> store(Listener listener) {
        return completed -> {
            listener.attempted(completed);
            results.store(completed, delivery -> listener.written(delivery.id()));
        };
    }
}
