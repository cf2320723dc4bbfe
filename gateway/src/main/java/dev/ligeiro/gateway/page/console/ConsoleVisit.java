package dev.ligeiro.gateway.page.console;

import dev.ligeiro.gateway.http.auth.ConsoleSession;
import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiCalls;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.html.Language;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Mode;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** A request of somebody who is signed in, and what its page asks of the API with the rights of the session. */
record ConsoleVisit(ServerRequest request, ConsoleSession session, ApiCalls api) implements Sender {

    private static final MediaType CSV = new MediaType("text", "csv");

    @Override
    public Object bodyShare() {
        return session.of();
    }

    Language language() {
        return ConsoleHtml.language(request);
    }

    PageText text() {
        return new PageText(language());
    }

    boolean isTest() {
        return session.of().mode() == Mode.TEST;
    }

    boolean may(Scope scope) {
        return session.rights().scopes().contains(scope);
    }

    String path(String variable) {
        return ApiRequest.encoded(request.pathVariable(variable));
    }

    /** The parameter of the page's query, {@code ""} without it. */
    String query(String name) {
        return request.queryParam(name).orElse("");
    }

    Mono<ApiAnswer> send(ApiRequest call) {
        return api.send(request, call, session.rights());
    }

    /** The answer to a GET. Fails with an {@link dev.ligeiro.gateway.http.html.ApiFailure} for a problem. */
    <T> Mono<T> read(String target, Class<T> type) {
        return api.read(request, target, session.rights()).map(answer -> answer.as(type));
    }

    /** The API's response as a file. */
    Mono<ServerResponse> download(String target) {
        return api.forward(request, ApiRequest.get(target), session.rights(), CSV);
    }
}
