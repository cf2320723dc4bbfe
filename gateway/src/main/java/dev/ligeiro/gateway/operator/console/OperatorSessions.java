package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.operator.admin.AdminToken;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.console.OperatorSessionStore.Session;
import dev.ligeiro.merchant.ApiKey;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Sessions of operators, which all gateways share. They end by signing out, without a request by a person for 15 minutes, after 8 hours, and
 * when the operator's token is changed or removed.
 */
@Component
class OperatorSessions {

    static final Duration LENGTH = Duration.ofHours(8);
    static final Duration IDLE_MAX = Duration.ofMinutes(15);

    private static final String COOKIE = "ligeiro_operator";
    private static final Duration USE_WRITTEN_AFTER = Duration.ofMinutes(1);
    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final AdminToken tokens;
    private final OperatorSessionStore store;
    private final Clock clock;

    OperatorSessions(AdminToken tokens, OperatorSessionStore store, Clock clock) {
        this.tokens = tokens;
        this.store = store;
        this.clock = clock;
    }

    /** A new session's cookie. */
    Mono<ResponseCookie> begin(Operator operator, ServerRequest request) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Instant now = now();
        Session session = new Session(
                ApiKey.hash(token),
                operator.name(),
                tokens.fingerprint(operator, token),
                now.plus(LENGTH),
                now.plus(IDLE_MAX));
        return store.insert(session).thenReturn(cookie(token, LENGTH, request));
    }

    /** Ends the request's session; gives what removes the cookie. */
    Mono<ResponseCookie> end(ServerRequest request) {
        return Mono.justOrEmpty(token(request))
                .flatMap(token -> store.delete(ApiKey.hash(token)))
                .thenReturn(cookie("", Duration.ZERO, request));
    }

    /** Whose session the request belongs to; empty without one that is valid. */
    Mono<Operator> operator(ServerRequest request) {
        return Mono.justOrEmpty(token(request)).flatMap(token -> store.find(ApiKey.hash(token), now())
                .delayUntil(session -> isByPage(request) ? Mono.empty() : use(session))
                .flatMap(session -> Mono.justOrEmpty(tokens.named(session.operator())
                        .filter(operator ->
                                MessageDigest.isEqual(session.fingerprint(), tokens.fingerprint(operator, token))))));
    }

    /** Requests that an open page makes by itself do not count as activity. */
    private static boolean isByPage(ServerRequest request) {
        return request.path().endsWith("/events") || request.headers().firstHeader("HX-Request") != null;
    }

    private Mono<Void> use(Session session) {
        Instant idle = now().plus(IDLE_MAX);
        Instant expiry = idle.isBefore(session.endsAt()) ? idle : session.endsAt();
        return expiry.isBefore(session.expiresAt().plus(USE_WRITTEN_AFTER))
                ? Mono.empty()
                : store.extend(session.id(), expiry);
    }

    private static Optional<String> token(ServerRequest request) {
        return Optional.ofNullable(request.cookies().getFirst(COOKIE))
                .map(HttpCookie::getValue)
                .filter(token -> !token.isEmpty());
    }

    /** In milliseconds, as MongoDB stores it. */
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    private static ResponseCookie cookie(String value, Duration age, ServerRequest request) {
        return ResponseCookie.from(COOKIE, value)
                .path(OperatorConsole.HOME)
                .maxAge(age)
                .httpOnly(true)
                .sameSite("Strict")
                .secure(isHttps(request))
                .build();
    }

    /** A proxy that ends TLS says so. */
    private static boolean isHttps(ServerRequest request) {
        return "https".equals(request.uri().getScheme())
                || "https".equals(request.headers().firstHeader("X-Forwarded-Proto"));
    }
}
