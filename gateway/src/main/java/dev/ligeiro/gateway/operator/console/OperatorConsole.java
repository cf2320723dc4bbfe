package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiCalls;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.ConsoleFrame;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.html.SameOrigin;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.console.Block.Notice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * What all pages of the operators' console share: the session, the frame, forms from this address only, and a page for each failure. Who is not
 * signed in is sent to the sign-in.
 */
@Component
class OperatorConsole {

    static final String HOME = "/console";
    static final String SIGN_IN = HOME + "/sign-in";

    /** More than any route of the admin API: they have limits of their own. */
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private static final List<String> MENU = List.of(
            "",
            "search",
            "approvals",
            "unsettled",
            "unmatched",
            "breaks",
            "resolutions",
            "dead-letters",
            "endpoints",
            "stops",
            "audit",
            "status");

    private final ApiCalls api;
    private final OperatorSessions sessions;
    private final ConsoleHtml html;
    private final GatewayProperties properties;

    OperatorConsole(
            ObjectProvider<ManagementRoutes> features,
            ProblemHandler problems,
            OperatorSessions sessions,
            ConsoleHtml html,
            GatewayProperties properties) {
        this.api = new ApiCalls(
                () -> features.orderedStream()
                        .flatMap(feature -> feature.routes().stream())
                        .filter(route -> route.path().startsWith("/admin/"))
                        .toList(),
                problems);
        this.sessions = sessions;
        this.html = html;
        this.properties = properties;
    }

    /** The files of the pages. */
    List<Route> files() {
        return html.routes(HOME);
    }

    Route page(String path, PageHandler handler) {
        return Route.page(path, TIMEOUT, request -> visit(request).flatMap(handler::handle), this::failed);
    }

    Route form(String path, FormHandler handler) {
        return Route.form(
                path,
                TIMEOUT,
                request -> {
                    requireOwn(request);
                    return visit(request);
                },
                (request, visit, fields) -> handler.handle(visit, fields),
                this::failed);
    }

    /** @throws Problem 403 if the form was sent by a page of another address. A proxy in front has to keep the {@code Host} */
    static void requireOwn(ServerRequest request) {
        SameOrigin.require(request, "");
    }

    private Mono<OperatorVisit> visit(ServerRequest request) {
        return sessions.operator(request)
                .map(operator -> new OperatorVisit(request, operator, text(request), api))
                .switchIfEmpty(Mono.error(SignInNeeded::new));
    }

    OperatorText text(ServerRequest request) {
        return new OperatorText(ConsoleHtml.language(request), properties.timeZone());
    }

    Mono<ServerResponse> show(OperatorVisit visit, OperatorView view) {
        return show(visit, HttpStatus.OK, view);
    }

    Mono<ServerResponse> show(OperatorVisit visit, HttpStatus status, OperatorView view) {
        return render(
                visit.request(), visit.operator(), status, view.title(), "operator/page.jte", Map.of("view", view));
    }

    /** @param operator null before the sign-in */
    Mono<ServerResponse> render(
            ServerRequest request,
            @Nullable Operator operator,
            HttpStatus status,
            String title,
            String template,
            Map<String, Object> parameters) {
        OperatorText text = text(request);
        String query = request.uri().getRawQuery();
        ConsoleFrame frame = new ConsoleFrame(
                text.language(),
                OperatorText.ROOM,
                title,
                HOME,
                request.uri().getRawPath() + (query == null ? "" : "?" + query),
                operator == null ? List.of() : menu(text, request.path()),
                operator == null ? null : operator.name(),
                text.of("console"),
                request.queryParam("done")
                        .map(done -> text.find("done." + done))
                        .orElse(null));
        return html.page(status, frame, template, parameters);
    }

    private static List<ConsoleFrame.Item> menu(OperatorText text, String current) {
        return MENU.stream()
                .map(name -> {
                    String path = name.isEmpty() ? HOME : HOME + "/" + name;
                    boolean isCurrent = current.equals(path) || !name.isEmpty() && current.startsWith(path + "/");
                    return new ConsoleFrame.Item(
                            path, text.of("nav." + (name.isEmpty() ? "attention" : name)), isCurrent);
                })
                .toList();
    }

    private Mono<ServerResponse> failed(ServerRequest request, Throwable failure) {
        if (failure instanceof SignInNeeded) {
            String back = request.method().matches("GET")
                    ? "?back=" + ApiRequest.encoded(request.uri().getRawPath())
                    : "";
            return ConsoleHtml.seeOther(SIGN_IN + back).build();
        }
        if (failure instanceof ApiFailure refusal) {
            ApiAnswer answer = refusal.answer();
            return failure(request, HttpStatus.valueOf(answer.status()), answer.code(), answer.detail());
        }
        if (failure instanceof Problem problem) {
            return failure(request, problem.code().status(), problem.code().code(), problem.getMessage());
        }
        return Problems.mayPass(failure)
                ? failure(request, HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "")
                : Mono.error(failure);
    }

    private Mono<ServerResponse> failure(
            ServerRequest request, HttpStatus status, String code, @Nullable String detail) {
        OperatorText text = text(request);
        String title = text.code("failure", Integer.toString(status.value()));
        OperatorView view = OperatorView.of(title, new Notice("bad", explained(text, code, detail)));
        return sessions.operator(request)
                .map(Optional::of)
                .onErrorComplete()
                .defaultIfEmpty(Optional.empty())
                .flatMap(operator -> render(
                        request, operator.orElse(null), status, title, "operator/page.jte", Map.of("view", view)));
    }

    /** A problem in the reader's language, or as the API says it. */
    static String explained(OperatorText text, String code, @Nullable String detail) {
        return text.orElse("problem." + code, detail == null || detail.isEmpty() ? code : detail);
    }

    @FunctionalInterface
    interface PageHandler {

        Mono<ServerResponse> handle(OperatorVisit visit);
    }

    @FunctionalInterface
    interface FormHandler {

        Mono<ServerResponse> handle(OperatorVisit visit, Map<String, String> fields);
    }

    private static final class SignInNeeded extends RuntimeException {

        private static final long serialVersionUID = 1L;

        SignInNeeded() {
            super("no session", null, false, false);
        }
    }
}
