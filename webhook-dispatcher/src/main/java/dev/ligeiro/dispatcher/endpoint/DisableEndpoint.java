package dev.ligeiro.dispatcher.endpoint;

import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
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

    /** Returns at once; the endpoint is disabled a moment later. */
    public void disable(WebhookEndpoint endpoint, DisabledReason reason) {
        endpoints
                .disable(endpoint, reason, clock.instant())
                .subscribe(
                        disabled -> {
                            if (disabled) {
                                LOG.atInfo()
                                        .addKeyValue("event.action", "endpoint_disabled")
                                        .addKeyValue("endpoint_id", endpoint.id())
                                        .addKeyValue("reason", reason.code())
                                        .log("An endpoint is disabled");
                            }
                        },
                        failure -> LOG.atWarn()
                                .addKeyValue("event.action", "endpoint_not_disabled")
                                .addKeyValue("endpoint_id", endpoint.id())
                                .addKeyValue("reason", reason.code())
                                .addKeyValue("cause", failure.getClass().getSimpleName())
                                .log("An endpoint could not be disabled; its next attempt does it"));
    }
}
