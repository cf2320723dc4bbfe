package dev.ligeiro.gateway.operator.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.ClientAddress;
import dev.ligeiro.gateway.http.html.ConsoleHtml;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.gateway.operator.admin.AdminToken;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code /console/sign-in} and {@code /console/sign-out}, and the files of the pages. After ten wrong tokens from an address, further ones from
 * it are not looked at for ten minutes.
 */
@Component
class SignInController implements ManagementRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(SignInController.class);
    private static final int FAILURES_MAX = 10;
    private static final int ADDRESSES_MAX = 10_000;
    private static final Duration FAILURES_KEPT = Duration.ofMinutes(10);

    private final OperatorConsole console;
    private final OperatorSessions sessions;
    private final AdminToken tokens;
    private final ClientAddress addresses;
    private final Cache<String, AtomicInteger> failures;

    SignInController(
            OperatorConsole console,
            OperatorSessions sessions,
            AdminToken tokens,
            ClientAddress addresses,
            Clock clock) {
        this.console = console;
        this.sessions = sessions;
        this.tokens = tokens;
        this.addresses = addresses;
        this.failures = Caffeine.newBuilder()
                .maximumSize(ADDRESSES_MAX)
                .expireAfterWrite(FAILURES_KEPT)
                .ticker(() -> clock.millis() * 1_000_000)
                .executor(Runnable::run)
                .build();
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
                    return ConsoleHtml.seeOther(OperatorConsole.SIGN_IN)
                            .cookie(sessions.end(request))
                            .build();
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
        AtomicInteger failed = failures.get(address(request), address -> new AtomicInteger());
        if (failed.get() >= FAILURES_MAX) {
            return show(request, HttpStatus.TOO_MANY_REQUESTS, back, "sign_in.throttled");
        }
        return Mono.justOrEmpty(tokens.operatorOf(fields.getOrDefault("token", "")))
                .flatMap(operator -> ConsoleHtml.seeOther(ConsoleHtml.back(OperatorConsole.HOME, back))
                        .cookie(sessions.begin(operator, request))
                        .build())
                .switchIfEmpty(Mono.defer(() -> {
                    if (failed.incrementAndGet() == FAILURES_MAX) {
                        LOG.atWarn()
                                .addKeyValue("event.action", "sign_ins_refused")
                                .addKeyValue("address", address(request))
                                .log(
                                        "An address has sent ten wrong tokens of operators; it is refused for ten minutes");
                    }
                    return show(request, HttpStatus.FORBIDDEN, back, "sign_in.wrong");
                }));
    }

    private String address(ServerRequest request) {
        return addresses.of(request).map(InetAddress::getHostAddress).orElse("unknown");
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
