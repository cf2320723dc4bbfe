package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.AdminToken;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code /console/sign-in} and {@code /console/sign-out}, and the files of the pages.
 */
@Component
class SignInController implements ManagementRoutes {

    private final OperatorConsole console;
    private final OperatorSessions sessions;
    private final AdminToken tokens;
    private final AdminRoutes audit;

    SignInController(OperatorConsole console, OperatorSessions sessions, AdminToken tokens, AdminRoutes audit) {
        this.console = console;
        this.sessions = sessions;
        this.tokens = tokens;
        this.audit = audit;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>(console.files());
        routes.add(Route.page(OperatorConsole.SIGN_IN, request -> show(request, HttpStatus.OK, back(request), "")));
        routes.add(Route.form(
                OperatorConsole.SIGN_IN, this::own, this::signIn, (request, failure) -> Mono.error(failure)));
        routes.add(Route.openPost(
                OperatorConsole.HOME + "/sign-out",
                request -> {
                    OperatorConsole.requireOwn(request);
                    return sessions.end(request).flatMap(cookie -> ConsoleHtml.seeOther(OperatorConsole.SIGN_IN)
                            .cookie(cookie)
                            .build());
                },
                (request, failure) -> Mono.error(failure)));
        return routes;
    }

    private Mono<Sender> own(ServerRequest request) {
        OperatorConsole.requireOwn(request);
        return Mono.just(() -> OperatorConsole.SIGN_IN);
    }

    private Mono<ServerResponse> signIn(ServerRequest request, Sender anybody, Map<String, String> fields) {
        String back = fields.getOrDefault("back", "");
        Operator operator;
        try {
            operator = tokens.signIn(request, fields.getOrDefault("token", "").strip());
        } catch (Problem refused) {
            return audit.signIn(request, null)
                    .onErrorComplete()
                    .then(
                            refused.code() == ProblemCode.RATE_LIMITED
                                    ? show(request, HttpStatus.TOO_MANY_REQUESTS, back, "sign_in.throttled")
                                    : show(request, HttpStatus.FORBIDDEN, back, "sign_in.wrong"));
        }
        return audit.signIn(request, operator)
                .then(Mono.defer(() -> sessions.begin(operator, request)))
                .flatMap(cookie -> ConsoleHtml.seeOther(ConsoleHtml.back(OperatorConsole.HOME, back))
                        .cookie(cookie)
                        .build());
    }

    private static String back(ServerRequest request) {
        return request.queryParam("back").orElse("");
    }

    private Mono<ServerResponse> show(ServerRequest request, HttpStatus status, String back, String error) {
        OperatorText text = console.text(request);
        return console.render(
                request,
                null,
                status,
                text.of("sign_in.title"),
                "operator/sign-in.jte",
                Map.of("back", back, "error", error.isEmpty() ? "" : text.of(error)));
    }
}
