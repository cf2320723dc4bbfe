package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiCalls;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.admin.Role;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** A request of an operator who is signed in, and what its page asks of the admin API. */
record OperatorVisit(ServerRequest request, Operator operator, OperatorText text, ApiCalls api) implements Sender {

    @Override
    public Object bodyShare() {
        return operator.bodyShare();
    }

    boolean may(Role role) {
        return operator.has(role);
    }

    /** A variable of the path, as a path needs it again. */
    String path(String variable) {
        return ApiRequest.encoded(request.pathVariable(variable));
    }

    /** A path with the variables of the page's path. */
    String filled(String path) {
        String filled = path;
        for (String variable : request.pathVariables().keySet()) {
            filled = filled.replace("{" + variable + "}", path(variable));
        }
        return filled;
    }

    /** A parameter of the query; {@code ""} without it. */
    String query(String name) {
        return request.queryParam(name).orElse("");
    }

    Mono<ApiAnswer> send(ApiRequest call) {
        return api.send(request, call, operator);
    }

    /** The answer to a GET. Fails with an {@link dev.ligeiro.gateway.http.html.ApiFailure} for a problem. */
    Mono<JsonNode> read(String target) {
        return api.read(request, target, operator).map(ApiAnswer::json);
    }
}
