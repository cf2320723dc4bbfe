package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DeliveryMetrics;
import dev.ligeiro.dispatcher.attempt.DeliveryStore;
import dev.ligeiro.dispatcher.attempt.DueDeliveries.Unreadable;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Deliveries of a lane that get no attempt: those of a deleted or disabled endpoint, and those that cannot be decoded. */
@Component
class UnattemptedDeliveries {

    private static final Logger LOG = LoggerFactory.getLogger(UnattemptedDeliveries.class);

    /** A canceled delivery costs MongoDB about 0.1 ms. */
    private static final int CANCEL_MAX = 1000;

    private final DeliveryStore deliveries;
    private final DeliveryMetrics metrics;
    private final Duration unreadableDelay;

    UnattemptedDeliveries(DeliveryStore deliveries, DeliveryMetrics metrics, LaneProperties properties) {
        this.deliveries = deliveries;
        this.metrics = metrics;
        this.unreadableDelay = properties.unreadableDelay();
    }

    /** Cancels some deliveries to the endpoint. Gives whether more are left. */
    Mono<Boolean> cancelSome(UUID endpointId, Instant now) {
        return deliveries.cancel(endpointId, CANCEL_MAX, now).map(count -> {
            metrics.count(DeliveryStatus.CANCELED, count);
            return count > 0;
        });
    }

    /** Logs, counts and postpones deliveries that cannot be decoded, so that the others go on. Gives the number of postponed ones. */
    Mono<Integer> setAside(List<Unreadable> unreadable, Instant now) {
        for (Unreadable one : unreadable) {
            metrics.countUnreadable();
            LOG.atError()
                    .addKeyValue("event.action", "delivery_unreadable")
                    .addKeyValue("delivery_id", text(one.id()))
                    .addKeyValue("again_after", unreadableDelay)
                    .log("A stored delivery cannot be read; it is looked at again later");
        }
        return deliveries.setAside(unreadable, now.plus(unreadableDelay));
    }

    private static String text(BsonValue id) {
        return id.isBinary() ? HexFormat.of().formatHex(id.asBinary().getData()) : id.toString();
    }
}
