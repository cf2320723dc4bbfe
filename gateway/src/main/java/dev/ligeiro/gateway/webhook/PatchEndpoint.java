package dev.ligeiro.gateway.webhook;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** Changes the fields of an endpoint that a request names. */
@Component
class PatchEndpoint {

    private final ChangeEndpoint change;
    private final EndpointUrl urlRule;
    private final SecretKeys keys;
    private final Clock clock;

    PatchEndpoint(ChangeEndpoint change, EndpointUrl urlRule, SecretKeys keys, Clock clock) {
        this.change = change;
        this.urlRule = urlRule;
        this.keys = keys;
        this.clock = clock;
    }

    /** The changed endpoint; empty when the tenant has no such endpoint. Fails with a problem 422 for invalid fields. */
    Mono<WebhookEndpoint> patch(Tenant tenant, UUID id, ObjectNode body) {
        EndpointPatch patch = EndpointPatch.parse(body, urlRule);
        Instant now = Instant.ofEpochMilli(clock.millis());
        return change.change(tenant, id, endpoint -> patch.applyTo(endpoint, keys, now));
    }
}
