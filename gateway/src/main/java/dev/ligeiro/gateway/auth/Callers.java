package dev.ligeiro.gateway.auth;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.api.Access;
import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.merchant.Merchant;
import dev.ligeiro.gateway.merchant.MerchantStore;
import dev.ligeiro.gateway.problem.Problem;
import dev.ligeiro.gateway.problem.ProblemCode;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Authenticates callers by their API key. The result, a caller or none, is cached for 5 seconds, so a revoked key works for up to 5
 * seconds on other gateways. The admin API of this gateway clears the cache with each change.
 */
@Component
public class Callers {

    private static final String BEARER = "Bearer ";
    private static final Duration CACHED_FOR = Duration.ofSeconds(5);
    private static final int CACHED_MAX = 100_000;
    private static final int KEY_LENGTH_MAX = 100;

    private final KeyStore keys;
    private final MerchantStore merchants;
    private final Clock clock;
    private final AsyncCache<String, Optional<Caller>> byHash;

    Callers(KeyStore keys, MerchantStore merchants, Clock clock) {
        this.keys = keys;
        this.merchants = merchants;
        this.clock = clock;
        this.byHash = Caffeine.newBuilder()
                .expireAfterWrite(CACHED_FOR)
                .maximumSize(CACHED_MAX)
                .buildAsync();
    }

    /** Admits requests with a valid API key that has {@code scope}. */
    public Access<Caller> with(Scope scope) {
        return request -> authenticate(request, scope);
    }

    private Mono<Caller> authenticate(ServerRequest request, Scope scope) {
        String key = bearer(request.headers().firstHeader(HttpHeaders.AUTHORIZATION));
        if (key == null) {
            return Mono.error(unauthorized("Send Authorization: Bearer <API key>", false));
        }
        String hash = ApiKey.hash(key);
        CompletableFuture<Optional<Caller>> found =
                byHash.get(hash, (missing, executor) -> load(missing).toFuture());
        if (found.isDone() && !found.isCompletedExceptionally()) {
            return permitted(found.join(), scope);
        }
        return Mono.fromFuture(found, true).flatMap(caller -> permitted(caller, scope));
    }

    /** Forgets all callers, so that a change takes effect at once on this gateway. */
    public void clearCache() {
        byHash.synchronous().invalidateAll();
    }

    private Mono<Caller> permitted(Optional<Caller> found, Scope scope) {
        if (found.isEmpty() || found.get().isExpired(clock.instant())) {
            return Mono.error(unauthorized("The API key is unknown, revoked or expired", true));
        }
        Caller caller = found.get();
        return caller.scopes().contains(scope)
                ? Mono.just(caller)
                : Mono.error(Problem.of(ProblemCode.INSUFFICIENT_SCOPE, "The API key lacks the scope " + scope.code()));
    }

    private Mono<Optional<Caller>> load(String hash) {
        return keys.keyByHash(hash)
                .flatMap(key -> merchants.merchant(key.merchantId()).map(merchant -> caller(key, merchant)))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .timeout(Route.TIMEOUT);
    }

    private static Caller caller(ApiKey key, Merchant merchant) {
        return new Caller(
                Tenant.of(merchant.number(), key.mode()),
                key.id(),
                key.scopes().stream()
                        .map(Scope::findByCode)
                        .flatMap(Optional::stream)
                        .collect(Collectors.toUnmodifiableSet()),
                platforms(merchant, key.mode()),
                fees(merchant),
                merchant.expiresInSeconds() == null ? null : Duration.ofSeconds(merchant.expiresInSeconds()),
                merchant.limits(),
                new Caller.Receiver(merchant.name(), merchant.city()),
                key.expiresAt());
    }

    private static Set<UUID> platforms(Merchant merchant, Mode mode) {
        return merchant.platforms().stream()
                .filter(platform -> platform.mode() == mode)
                .map(Merchant.Platform::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Map<Operation, Commission> fees(Merchant merchant) {
        Map<Operation, Commission> fees = new EnumMap<>(Operation.class);
        merchant.fees().forEach((operation, fee) -> fees.put(operation, fee.commission()));
        return fees;
    }

    private static @Nullable String bearer(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return null;
        }
        String key = authorization.substring(BEARER.length()).strip();
        return key.isEmpty() || key.length() > KEY_LENGTH_MAX ? null : key;
    }

    private static Problem unauthorized(String detail, boolean keyGiven) {
        String challenge = "Bearer realm=\"ligeiro\"" + (keyGiven ? ", error=\"invalid_token\"" : "");
        return Problem.of(ProblemCode.UNAUTHORIZED, detail).header(HttpHeaders.WWW_AUTHENTICATE, challenge);
    }
}
