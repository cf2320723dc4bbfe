package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.EndpointChangeStore;
import dev.ligeiro.gateway.api.webhook.EndpointRoutes;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** {@code POST /api/v1/webhooks/{id}/replay} and {@code GET /api/v1/webhooks/{id}/replays/{replay_id}}. */
@Component
@Order(4)
class ReplayController implements Routes {

    private final EndpointRoutes endpoints;
    private final EndpointChangeStore changes;
    private final Replays replays;

    ReplayController(EndpointRoutes endpoints, EndpointChangeStore changes, Replays replays) {
        this.endpoints = endpoints;
        this.changes = changes;
        this.replays = replays;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.postJson(
                        EndpointRoutes.ONE + "/replay",
                        endpoints.requests(),
                        changes.storing(
                                "replay",
                                endpoints.found((request, endpoint, body) ->
                                        replays.start(EndpointRoutes.ALL + "/" + endpoint.id(), endpoint, body)))),
                Route.get(
                        EndpointRoutes.ONE + "/replays/{replay_id}",
                        endpoints.requests(),
                        endpoints.found(replays::show)));
    }
}
