package dev.ligeiro.gateway.page.docs;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.response.BaseUrl;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code GET /openapi.json}. It needs no authentication. */
@Component
@Order(6)
class OpenApiController implements Routes {

    private final BaseUrl baseUrl;
    private final Mono<OpenApiDocument> document = ReadOnce.of(OpenApiDocument::read);

    OpenApiController(BaseUrl baseUrl) {
        this.baseUrl = baseUrl;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.page("/openapi.json", this::show));
    }

    private Mono<ServerResponse> show(ServerRequest request) {
        return document.flatMap(read -> response(read.head(baseUrl.of(request)), read.members()));
    }

    private static Mono<ServerResponse> response(byte[] head, SharedContent members) {
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .contentLength((long) head.length + members.length())
                .body((message, context) -> message.writeWith(Flux.defer(
                        () -> Flux.just(message.bufferFactory().wrap(head), members.view(message.bufferFactory())))));
    }
}
