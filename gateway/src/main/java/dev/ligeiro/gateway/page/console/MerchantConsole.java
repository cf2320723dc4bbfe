package dev.ligeiro.gateway.page.console;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.ConsoleSession;
import dev.ligeiro.gateway.http.auth.ConsoleSessionStore;
import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiCalls;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ConsoleFrame;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.html.SameOrigin;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.merchant.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * What all pages of the merchant's console share: the session of the cookie, the frame, forms from this origin only, and a page for each
 * failure.
 */
@Component
class MerchantConsole {

    static final String HOME = "/console";

    private static final String SECURE_COOKIE = "__Host-ligeiro_console";
    private static final String COOKIE = "ligeiro_console";

    private final ApiCalls api;
    private final ConsoleSessionStore sessions;
    private final ConsoleHtml html;
    private final GatewayProperties properties;

    MerchantConsole(
            ObjectProvider<Routes> features,
            ProblemHandler problems,
            ConsoleSessionStore sessions,
            ConsoleHtml html,
            GatewayProperties properties) {
        this.api = new ApiCalls(
                () -> features.orderedStream()
                        .flatMap(feature -> feature.routes().stream())
                        .filter(route -> route.path().startsWith("/api/"))
                        .toList(),
                problems);
        this.sessions = sessions;
        this.html = html;
        this.properties = properties;
    }

    @FunctionalInterface
    interface Look {

        Mono<ServerResponse> show(ConsoleVisit visit);
    }

    @FunctionalInterface
    interface Form {

        Mono<ServerResponse> send(ConsoleVisit visit, Map<String, String> fields);
    }

    /** A page for those who are signed in. */
    Route page(String path, Look page) {
        return Route.page(HOME + path, request -> visit(request).flatMap(page::show), this::failed);
    }

    /** A form of those who are signed in, sent by a page of the console. */
    Route form(String path, Form form) {
        return Route.form(
                HOME + path,
                request -> {
                    requireOwn(request);
                    return visit(request);
                },
                (request, visit, fields) -> form.send(visit, fields),
                this::failed);
    }

    /** A button of anybody, sent by a page of the console. */
    Route openButton(String path, HandlerFunction<ServerResponse> handler) {
        return Route.openPost(
                HOME + path,
                request -> {
                    requireOwn(request);
                    return handler.handle(request);
                },
                this::failed);
    }

    private void requireOwn(ServerRequest request) {
        SameOrigin.require(request, properties.baseUrl(request));
    }

    /** Fails with a problem 401 without a session. */
    Mono<ConsoleVisit> visit(ServerRequest request) {
        return session(request)
                .map(session -> new ConsoleVisit(request, session, api))
                .switchIfEmpty(Mono.error(() -> Problem.of(ProblemCode.UNAUTHORIZED, "There is no session")));
    }

    private Mono<ConsoleSession> session(ServerRequest request) {
        return Optional.ofNullable(request.cookies().getFirst(cookieName(request)))
                .map(HttpCookie::getValue)
                .map(isByPage(request) ? sessions::find : sessions::use)
                .orElse(Mono.empty());
    }

    /** A page that is open asks for its stream, and by htmx for its parts, also when nobody sits before it. */
    private static boolean isByPage(ServerRequest request) {
        return request.path().endsWith("/events") || request.headers().firstHeader("HX-Request") != null;
    }

    /** With {@code __Host-}, no other host of the domain can set it; browsers take that for https only. */
    ResponseCookie cookie(ServerRequest request, String token, Duration lasts) {
        boolean isSecure = isSecure(request);
        return ResponseCookie.from(cookieName(request), token)
                .path(isSecure ? "/" : HOME)
                .secure(isSecure)
                .httpOnly(true)
                .sameSite("Strict")
                .maxAge(lasts)
                .build();
    }

    private String cookieName(ServerRequest request) {
        return isSecure(request) ? SECURE_COOKIE : COOKIE;
    }

    private boolean isSecure(ServerRequest request) {
        return properties.baseUrl(request).startsWith("https://");
    }

    Mono<ServerResponse> respond(
            ConsoleVisit visit, HttpStatus status, String title, String template, Map<String, Object> parameters) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("t", visit.text());
        return html.page(status, frame(visit, title), "console/merchant/" + template + ".jte", all);
    }

    Mono<ServerResponse> respond(ConsoleVisit visit, String title, String template, Map<String, Object> parameters) {
        return respond(visit, HttpStatus.OK, title, template, parameters);
    }

    /** A page for somebody who is not signed in. */
    Mono<ServerResponse> respondOpen(
            ServerRequest request, HttpStatus status, String title, String template, Map<String, Object> parameters) {
        Map<String, Object> all = new HashMap<>(parameters);
        PageText text = new PageText(ConsoleHtml.language(request));
        all.put("t", text);
        ConsoleFrame frame = new ConsoleFrame(
                text.language(), PageText.ROOM, title, HOME, path(request), List.of(), null, null, null);
        return html.page(status, frame, "console/merchant/" + template + ".jte", all);
    }

    private ConsoleFrame frame(ConsoleVisit visit, String title) {
        PageText text = visit.text();
        String done = visit.query("done");
        String notice = done.matches("[a-z_]{1,40}") ? text.code("done", done) : null;
        return new ConsoleFrame(
                visit.language(),
                PageText.ROOM,
                title,
                HOME,
                path(visit.request()),
                menu(visit),
                visit.session().merchant(),
                text.text(visit.isTest() ? "test" : "live"),
                done.equals(notice) ? null : notice);
    }

    private static List<ConsoleFrame.Item> menu(ConsoleVisit visit) {
        List<ConsoleFrame.Item> menu = new ArrayList<>();
        if (visit.may(Scope.TRANSACTIONS_READ)) {
            menu.add(item(visit, "", "overview"));
            menu.add(item(visit, "/transactions", "transactions"));
        }
        if (visit.may(Scope.WEBHOOKS_MANAGE)) {
            menu.add(item(visit, "/endpoints", "endpoints"));
        }
        if (visit.may(Scope.STATEMENT_READ)) {
            menu.add(item(visit, "/statement", "statement"));
        }
        menu.add(item(visit, "/access", "access"));
        return menu;
    }

    private static ConsoleFrame.Item item(ConsoleVisit visit, String path, String name) {
        String here = visit.request().path();
        boolean isCurrent = path.isEmpty() ? here.equals(HOME) : (here + "/").startsWith(HOME + path + "/");
        return new ConsoleFrame.Item(HOME + path, visit.text().text("menu." + name), isCurrent);
    }

    private static String path(ServerRequest request) {
        String query = request.uri().getRawQuery();
        String path = request.uri().getRawPath();
        return query == null ? path : path + "?" + query;
    }

    /** A page for what can go wrong, with the status of the problem. Bugs are logged as those of all routes. */
    Mono<ServerResponse> failed(ServerRequest request, Throwable failure) {
        if (failure instanceof ApiFailure api) {
            ApiAnswer answer = api.answer();
            return failed(
                    request, answer.status(), answer.code(), answer.headers().getFirst("Retry-After"));
        }
        Problem problem = Problems.of(failure);
        return problem.code() == ProblemCode.INTERNAL_ERROR
                ? Mono.error(failure)
                : failed(
                        request,
                        problem.code().status().value(),
                        problem.code().code(),
                        problem.headers().get("Retry-After"));
    }

    private Mono<ServerResponse> failed(ServerRequest request, int status, String code, @Nullable String retryAfter) {
        PageText text = new PageText(ConsoleHtml.language(request));
        String kind =
                switch (status) {
                    case 401 -> "signed_out";
                    case 403 -> code.equals("foreign_origin") ? "foreign" : "forbidden";
                    case 404 -> "missing";
                    case 429, 503 -> "busy";
                    default -> "failed";
                };
        boolean mayPass = kind.equals("signed_out") || kind.equals("busy");
        String next = mayPass && request.method().equals(HttpMethod.GET) ? path(request) : HOME;
        Map<String, Object> parameters = Map.of("kind", kind, "path", next);
        HttpStatus shown = HttpStatus.valueOf(status);
        Mono<ServerResponse> page = visit(request)
                .flatMap(visit -> respond(visit, shown, text.text(kind + ".heading"), "message", parameters))
                .onErrorResume(
                        none -> respondOpen(request, shown, text.text(kind + ".heading"), "message", parameters));
        if (retryAfter == null) {
            return page;
        }
        // a list that is counted for the first time: the browser asks again by itself
        boolean asksAgain =
                shown == HttpStatus.SERVICE_UNAVAILABLE && request.method().equals(HttpMethod.GET);
        return page.flatMap(response -> ServerResponse.from(response)
                .header("Retry-After", retryAfter)
                .headers(headers -> {
                    if (asksAgain) {
                        headers.set("Refresh", retryAfter);
                    }
                })
                .build((exchange, context) -> response.writeTo(exchange, context)));
    }
}
