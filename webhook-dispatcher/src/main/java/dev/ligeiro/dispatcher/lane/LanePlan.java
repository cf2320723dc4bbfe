package dev.ligeiro.dispatcher.lane;

import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next deliveries of a lane.
 *
 * @param endpoint the endpoint; null if it was deleted or disabled, so that its deliveries are canceled
 * @param dispatches the due deliveries, earliest due time first
 * @param lost due deliveries whose payload cannot be built, because their transaction is not stored
 * @param more whether more deliveries may be due
 */
record LanePlan(@Nullable WebhookEndpoint endpoint, List<Dispatch> dispatches, List<Dispatch> lost, boolean more) {

    static final LanePlan CANCEL = new LanePlan(null, List.of(), List.of(), false);
}
