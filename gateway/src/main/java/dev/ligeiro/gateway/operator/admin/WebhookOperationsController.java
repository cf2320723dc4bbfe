package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.api.webhook.ChangeEndpoint;
import dev.ligeiro.gateway.api.webhook.EndpointProperties;
import dev.ligeiro.gateway.api.webhook.EndpointSecrets;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore.Row;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code GET /admin/webhook-networks}: the internal networks that webhooks may call, which are a setting of the installation.
 * {@code POST /admin/webhook-secrets/encrypt-again}: encrypts stored secrets with the current key.
 */
@Component
class WebhookOperationsController implements ManagementRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookOperationsController.class);
    private static final int ENDPOINTS_MAX = 200;
    private static final int CONCURRENCY = 8;

    private final AdminRoutes routes;
    private final EndpointProperties properties;
    private final RegisteredEndpointStore store;
    private final ChangeEndpoint change;
    private final SecretKeys keys;

    WebhookOperationsController(
            AdminRoutes routes,
            EndpointProperties properties,
            RegisteredEndpointStore store,
            ChangeEndpoint change,
            SecretKeys keys) {
        this.routes = routes;
        this.properties = properties;
        this.store = store;
        this.change = change;
        this.keys = keys;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get("/admin/webhook-networks", this::networks),
                routes.postJson("/admin/webhook-secrets/encrypt-again", this::encryptAgain));
    }

    private Mono<ServerResponse> networks(ServerRequest request, Operator operator) {
        List<String> networks =
                properties.networks().networks().stream().map(Object::toString).toList();
        return AdminResponse.ok(Map.of("networks", networks));
    }

    /** {@code {after?}}: a step, in the order of the endpoints' ids. Idempotent: it skips endpoints that the current key encrypts. */
    private Mono<ServerResponse> encryptAgain(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        UUID after = fields.optionalParsed("after", Fields::uuid);
        fields.orThrow();
        return step(after).flatMap(AdminResponse::ok);
    }

    private Mono<Step> step(@Nullable UUID after) {
        return store.page(after, ENDPOINTS_MAX).collectList().flatMap(page -> Flux.fromIterable(page)
                .flatMap(this::encrypt, CONCURRENCY)
                .collectList()
                .map(outcomes -> step(page, outcomes)));
    }

    /** An endpoint that is encrypted with the current key already, or deleted meanwhile, gives nothing. */
    private Mono<Outcome> encrypt(Row row) {
        WebhookEndpoint endpoint = row.endpoint();
        if (endpoint == null) {
            return Mono.just(new Outcome(row.id(), false));
        }
        return EndpointSecrets.isCurrent(endpoint, keys) ? Mono.empty() : encrypt(endpoint);
    }

    private Mono<Outcome> encrypt(WebhookEndpoint endpoint) {
        return change.change(endpoint.tenant(), endpoint.id(), current -> EndpointSecrets.encryptedAgain(current, keys))
                .map(written -> new Outcome(endpoint.id(), true))
                .onErrorResume(
                        IllegalArgumentException.class, unreadable -> Mono.just(new Outcome(endpoint.id(), false)));
    }

    private static Step step(List<Row> page, List<Outcome> outcomes) {
        long encrypted = outcomes.stream().filter(Outcome::written).count();
        List<UUID> unreadable = outcomes.stream()
                .filter(outcome -> !outcome.written())
                .map(Outcome::endpointId)
                .sorted()
                .toList();
        LOG.atInfo()
                .addKeyValue("event.action", "webhook_secrets_encrypted_again")
                .addKeyValue("endpoints", page.size())
                .addKeyValue("encrypted", encrypted)
                .addKeyValue("unreadable", unreadable.size())
                .log("Webhook secrets were encrypted with the current key");
        boolean isLast = page.size() < ENDPOINTS_MAX;
        return new Step(
                encrypted, unreadable, isLast ? null : page.get(page.size() - 1).id());
    }

    /**
     * The result of a step, as the response shows it.
     *
     * @param encrypted the number of endpoints that were written
     * @param unreadable the endpoints with a secret or header that no key decrypts, or a document that cannot be decoded; they stay as
     *     they are
     * @param nextCursor where the next step begins; null after the last one
     */
    record Step(long encrypted, List<UUID> unreadable, @Nullable UUID nextCursor) {}

    private record Outcome(UUID endpointId, boolean written) {}
}
