package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes the fields of an endpoint that a request names. The deliveries of an endpoint that was disabled are canceled, and those of one
 * with a new URL are attempted there: at once. After a crash between the two writes the request is repeated, so the lane is also marked
 * when the endpoint is already as requested.
 */
@Component
class PatchEndpoint {

    private final ChangeEndpoint change;
    private final LaneStore lanes;
    private final EndpointUrl urlRule;
    private final SecretKeys keys;
    private final Clock clock;

    PatchEndpoint(ChangeEndpoint change, LaneStore lanes, EndpointUrl urlRule, SecretKeys keys, Clock clock) {
        this.change = change;
        this.lanes = lanes;
        this.urlRule = urlRule;
        this.keys = keys;
        this.clock = clock;
    }

    /** The changed endpoint; empty when the tenant has no such endpoint. Fails with a problem 422 for invalid fields. */
    Mono<WebhookEndpoint> patch(Tenant tenant, UUID id, ObjectNode body) {
        EndpointPatch patch = EndpointPatch.parse(body, urlRule);
        Instant now = Instant.ofEpochMilli(clock.millis());
        return change.change(tenant, id, endpoint -> patch.applyTo(endpoint, keys, now))
                .delayUntil(changed ->
                        patch.concernsDeliveries() ? lanes.markDue(id, tenant, clock.instant()) : Mono.empty());
    }
}
