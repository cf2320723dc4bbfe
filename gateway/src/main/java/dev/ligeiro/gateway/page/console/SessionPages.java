package dev.ligeiro.gateway.page.console;

import static dev.ligeiro.gateway.page.console.MerchantConsole.HOME;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.ConsoleSession;
import dev.ligeiro.gateway.http.auth.ConsoleSessionStore;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.page.console.Answers.KeyList;
import dev.ligeiro.gateway.page.console.Answers.SessionList;
import dev.ligeiro.merchant.Scope;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * The way in and out, and who else may get in. A link only shows a button, whose form enters: programs that check links open them, and would
 * use them up.
 */
@Component
@Order(8)
class SessionPages implements Routes {

    private static final String ENTER = "/enter/{token}";

    private final MerchantConsole console;
    private final ConsoleSessionStore sessions;
    private final ConsoleHtml html;
    private final Clock clock;

    SessionPages(MerchantConsole console, ConsoleSessionStore sessions, ConsoleHtml html, Clock clock) {
        this.console = console;
        this.sessions = sessions;
        this.html = html;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return Stream.concat(
                        html.routes(HOME).stream(),
                        Stream.of(
                                Route.page(HOME + ENTER, this::link, console::failed),
                                console.openButton(ENTER, this::enter),
                                console.form("/sign-out", (visit, fields) -> signOut(visit)),
                                console.page("/access", this::access),
                                console.form("/access/sessions/{id}/end", (visit, fields) -> end(visit))))
                .toList();
    }

    private Mono<ServerResponse> link(ServerRequest request) {
        return sessions.isOpenLink(request.pathVariable("token"))
                .flatMap(isOpen ->
                        isOpen ? open(request, HttpStatus.OK, "enter") : open(request, HttpStatus.NOT_FOUND, "used"));
    }

    private Mono<ServerResponse> open(ServerRequest request, HttpStatus status, String kind) {
        String title = new PageText(ConsoleHtml.language(request)).text(kind + ".heading");
        return console.respondOpen(request, status, title, "enter", Map.of("kind", kind));
    }

    /** The session's token is new, whatever the browser has sent. */
    private Mono<ServerResponse> enter(ServerRequest request) {
        return sessions.enter(request.pathVariable("token"))
                .flatMap(entered -> entered(request, entered.session(), entered.token()))
                .switchIfEmpty(Mono.defer(() -> open(request, HttpStatus.NOT_FOUND, "used")));
    }

    private Mono<ServerResponse> entered(ServerRequest request, ConsoleSession session, String token) {
        Duration lasts = Duration.between(clock.instant(), session.endsAt());
        ResponseCookie cookie = console.cookie(request, token, lasts);
        ServerResponse.BodyBuilder response = ConsoleHtml.seeOther(HOME).cookie(cookie);
        if (session.language() != null) {
            response.cookie(ConsoleHtml.languageCookie(HOME, session.language()));
        }
        return response.build();
    }

    private Mono<ServerResponse> signOut(ConsoleVisit visit) {
        return sessions.delete(visit.session())
                .then(ConsoleHtml.seeOther(HOME)
                        .cookie(console.cookie(visit.request(), "", Duration.ZERO))
                        .build());
    }

    private Mono<ServerResponse> access(ConsoleVisit visit) {
        Mono<KeyList> keys = visit.may(Scope.TRANSACTIONS_READ)
                ? visit.read("/api/v1/keys", KeyList.class)
                : Mono.just(new KeyList(List.of()));
        return Mono.zip(keys, visit.read("/api/v1/console-sessions", SessionList.class))
                .flatMap(found -> console.respond(
                        visit,
                        visit.text().text("access.heading"),
                        "access",
                        Map.of(
                                "keys",
                                found.getT1().keys(),
                                "sessions",
                                found.getT2().consoleSessions(),
                                "own",
                                visit.session().id().toString())));
    }

    private Mono<ServerResponse> end(ConsoleVisit visit) {
        return visit.send(ApiRequest.delete("/api/v1/console-sessions/" + visit.path("id")))
                .flatMap(answer -> answer.isSuccess()
                        ? ConsoleHtml.seeOther(HOME + "/access?done=session_ended")
                                .build()
                        : Mono.error(new ApiFailure(answer)));
    }
}
