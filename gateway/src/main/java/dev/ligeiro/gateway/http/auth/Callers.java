package dev.ligeiro.gateway.http.auth;

import dev.ligeiro.gateway.http.Route.Access;
import dev.ligeiro.gateway.http.limit.RateLimits;
import dev.ligeiro.gateway.http.metrics.ObservedRequest;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.problem.Problem;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Authenticates callers by their API key or the token of a console session, checks its networks and scopes, and counts the request against
 * its rate limit.
 */
@Component
public class Callers {

    private final CallerCache cache;
    private final RateLimits limits;
    private final ClientAddress addresses;
    private final Clock clock;

    Callers(CallerCache cache, RateLimits limits, ClientAddress addresses, Clock clock) {
        this.cache = cache;
        this.limits = limits;
        this.addresses = addresses;
        this.clock = clock;
    }

    /** Admits requests with a valid API key that has {@code scope}, within the rate limits of the key and its merchant. */
    public Access<Caller> with(Scope scope) {
        return request -> authenticate(request, scope)
                .doOnNext(caller -> limits.count(request, caller.keyId(), caller.tenant(), caller.limits()));
    }

    /** Admits requests with any valid API key, within the same limits. */
    public Access<Caller> any() {
        return request -> authenticate(request, null)
                .doOnNext(caller -> limits.count(request, caller.keyId(), caller.tenant(), caller.limits()));
    }

    /** As {@link #any}, but refuses sessions of the console: one that made links would never end. */
    public Access<Caller> ofKey() {
        return request -> any().caller(request)
                .filter(caller -> caller.session() == null)
                .switchIfEmpty(Mono.error(BearerKey::refused));
    }

    /**
     * Fails when the key of {@code request} has been revoked, has expired or has lost the scope since the request was admitted. For
     * responses that take hours; it counts no further request.
     */
    public Mono<Void> stillPermitted(ServerRequest request, Scope scope) {
        return Mono.defer(() -> authenticate(request, scope)).then();
    }

    /** The bearer token of a session that has just been opened. */
    public static String sessionToken(ConsoleSessionStore.Entered entered) {
        return BearerKey.SESSION + entered.token();
    }

    /** Ends a session at once on this gateway. */
    public void ended(ConsoleSession session) {
        if (session.cookieHash() != null) {
            cache.outdate(BearerKey.sessionHash(session.cookieHash()));
        }
    }

    private Mono<Caller> authenticate(ServerRequest request, @Nullable Scope scope) {
        try {
            String hash = BearerKey.hash(BearerKey.of(request.headers().firstHeader(HttpHeaders.AUTHORIZATION)));
            Instant now = clock.instant();
            Caller kept = cache.kept(hash);
            if (kept == null) {
                return lookUp(request, hash, scope, now);
            }
            return kept.isExpired(now) ? Mono.error(BearerKey.refused()) : Mono.just(permitted(request, kept, scope));
        } catch (Problem refusal) {
            return Mono.error(refusal);
        }
    }

    private Mono<Caller> lookUp(ServerRequest request, String hash, @Nullable Scope scope, Instant now) {
        return cache.lookUp(hash)
                .filter(caller -> !caller.isExpired(now))
                .switchIfEmpty(Mono.error(BearerKey::refused))
                .map(caller -> permitted(request, caller, scope));
    }

    private Caller permitted(ServerRequest request, Caller caller, @Nullable Scope scope) {
        ObservedRequest.authenticated(request, caller.tenant());
        if (!caller.networks().isEmpty()) {
            addresses.require(request, caller.networks());
        }
        if (scope != null && !caller.scopes().contains(scope)) {
            throw BearerKey.lacks(scope);
        }
        return caller;
    }
}
