package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Disables an endpoint, with its reason, and says so in the log. A failure is only logged: the next attempt disables it. */
@Component
public class DisableEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(DisableEndpoint.class);

    private final EndpointStore endpoints;
    private final Clock clock;

    DisableEndpoint(EndpointStore endpoints, Clock clock) {
        this.endpoints = endpoints;
        this.clock = clock;
    }

    /**
     * Returns at once; the endpoint is disabled a moment later. Then a dispatcher looks at its lane: it cancels the deliveries and forgets the
     * failures.
     */
    public void disable(WebhookEndpoint endpoint, DisabledReason reason) {
        Instant now = clock.instant();
        endpoints
                .disable(endpoint, reason, now)
                .filter(disabled -> disabled)
                // without the mark, a dispatcher looks when the lane is due
                .delayUntil(disabled -> endpoints.markLaneDue(endpoint, now).onErrorComplete())
                .subscribe(
                        disabled -> LOG.atInfo()
                                .addKeyValue("event.action", "endpoint_disabled")
                                .addKeyValue("endpoint_id", endpoint.id())
                                .addKeyValue("reason", reason.code())
                                .log("An endpoint is disabled"),
                        failure -> LOG.atWarn()
                                .addKeyValue("event.action", "endpoint_not_disabled")
                                .addKeyValue("endpoint_id", endpoint.id())
                                .addKeyValue("reason", reason.code())
                                .addKeyValue("cause", failure.getClass().getSimpleName())
                                .log("An endpoint could not be disabled; its next attempt does it"));
    }
}
