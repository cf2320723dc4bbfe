package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.EndpointPath;
import dev.ligeiro.gateway.api.webhook.EndpointRoutes;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.UUID;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /api/v1/webhooks/{id}/replay} and {@code GET /api/v1/webhooks/{id}/replays/{replay_id}}. */
@Component
@Order(4)
class ReplayController implements Routes {

    private final EndpointRoutes endpoints;
    private final StartReplay start;
    private final ReplayStore store;
    private final ReplayJson json;

    ReplayController(EndpointRoutes endpoints, StartReplay start, ReplayStore store, ReplayJson json) {
        this.endpoints = endpoints;
        this.start = start;
        this.store = store;
        this.json = json;
    }

    @Override
    public List<Route> routes() {
        return List.of(endpoints.postJson("/replay", this::start), endpoints.get("/replays/{replay_id}", this::show));
    }

    private Mono<ServerResponse> start(ServerRequest request, WebhookEndpoint endpoint, ObjectNode body) {
        return start.start(endpoint, ReplayRequest.parse(body))
                .flatMap(replay -> JsonResponse.of(
                        ServerResponse.accepted()
                                .header(
                                        HttpHeaders.LOCATION,
                                        EndpointPath.ALL + "/" + replay.endpointId() + "/replays/" + replay.id()),
                        json.one(replay)));
    }

    private Mono<ServerResponse> show(ServerRequest request, WebhookEndpoint endpoint) {
        return store.find(endpoint.tenant(), endpoint.id(), id(request))
                .switchIfEmpty(Mono.error(ReplayController::notFound))
                .flatMap(replay -> JsonResponse.of(HttpStatus.OK, json.one(replay)));
    }

    private static UUID id(ServerRequest request) {
        try {
            return Fields.uuid(request.pathVariable("replay_id"));
        } catch (IllegalArgumentException malformed) {
            throw notFound();
        }
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "This webhook endpoint has no replay with this id");
    }
}
