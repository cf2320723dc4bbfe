package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiCalls;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.admin.Role;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** A request of an operator who is signed in, and what its page asks of the admin API. */
record OperatorVisit(ServerRequest request, Operator operator, OperatorText text, ApiCalls api) {

    boolean may(Role role) {
        return operator.has(role);
    }

    /** A variable of the path, as a path needs it again. */
    String path(String variable) {
        return encoded(request.pathVariable(variable));
    }

    /** A parameter of the query; {@code ""} without it. */
    String query(String name) {
        return request.queryParam(name).orElse("");
    }

    Mono<ApiAnswer> send(ApiRequest call) {
        return api.send(request, call, operator);
    }

    /** The answer to a GET. Fails with a {@link Refusal} for a problem. */
    Mono<JsonNode> read(String target) {
        return send(ApiRequest.get(target))
                .flatMap(answer -> answer.isSuccess() ? Mono.just(answer.json()) : Mono.error(new Refusal(answer)));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The admin API has answered with a problem. */
    static final class Refusal extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient ApiAnswer answer;

        Refusal(ApiAnswer answer) {
            super(answer.code(), null, false, false);
            this.answer = answer;
        }

        ApiAnswer answer() {
            return answer;
        }
    }
}
