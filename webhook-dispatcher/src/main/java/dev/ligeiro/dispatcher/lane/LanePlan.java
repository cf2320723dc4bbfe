package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.DueDeliveries.Unreadable;
import dev.ligeiro.dispatcher.attempt.DueDelivery;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;

/** What follows in a lane. */
sealed interface LanePlan {

    /**
     * The next attempts.
     *
     * @param endpoint the endpoint, as it is now
     * @param deliveries the due deliveries, earliest due time first
     * @param unreadable due deliveries that cannot be decoded
     * @param more whether more deliveries may be due
     */
    record Attempt(WebhookEndpoint endpoint, List<DueDelivery> deliveries, List<Unreadable> unreadable, boolean more)
            implements LanePlan {}

    /** The endpoint is a feed: its due deliveries get numbers. */
    record AssignNumbers() implements LanePlan {}

    /** The endpoint cannot be decoded: its deliveries wait until a process can. */
    record Wait() implements LanePlan {}

    /** The endpoint was deleted or disabled: its deliveries are canceled. */
    record Cancel() implements LanePlan {}
}
