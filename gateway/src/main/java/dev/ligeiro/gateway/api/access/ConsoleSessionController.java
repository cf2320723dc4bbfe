package dev.ligeiro.gateway.api.access;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Route.Access;
import dev.ligeiro.gateway.http.Route.Body;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.auth.ConsoleSession;
import dev.ligeiro.gateway.http.auth.ConsoleSessionStore;
import dev.ligeiro.gateway.http.auth.ConsoleSessionStore.ConsoleProperties;
import dev.ligeiro.gateway.http.auth.KeyStore;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.Timestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;

/**
 * {@code /api/v1/console-sessions}: makes one-time links into the console, opens sessions with them, lists and ends sessions. Any key may
 * do this, because it reaches no further than itself: a session has at most the scopes of the key that made it, and is seen and ended with
 * that key alone. A session sees and ends those of its key that have no more scopes than itself.
 */
@Component
@Order(6)
class ConsoleSessionController implements Routes {

    private static final String ALL = "/api/v1/console-sessions";
    private static final Duration LINK_LASTS = Duration.ofMinutes(5);
    private static final Set<String> LANGUAGES = Set.of("en", "pt-BR");
    private static final Access<Sender> OPEN = request -> Mono.just(() -> "console links");

    private final Callers callers;
    private final KeyStore keys;
    private final ConsoleSessionStore store;
    private final GatewayProperties properties;
    private final ConsoleProperties console;
    private final Timestamps timestamps;
    private final Clock clock;

    ConsoleSessionController(
            Callers callers,
            KeyStore keys,
            ConsoleSessionStore store,
            GatewayProperties properties,
            ConsoleProperties console,
            Timestamps timestamps,
            Clock clock) {
        this.callers = callers;
        this.keys = keys;
        this.store = store;
        this.properties = properties;
        this.console = console;
        this.timestamps = timestamps;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.of(HttpMethod.POST, ALL, callers.ofKey(), Body.OPTIONAL, this::create),
                Route.of(HttpMethod.POST, ALL + "/enter", OPEN, Body.REQUIRED, this::enter),
                Route.get(ALL, callers.any(), this::list),
                Route.delete(ALL + "/{id}", callers.any(), this::delete));
    }

    /** {@code {scopes?, language?}} */
    private Mono<ServerResponse> create(Request<Caller> request) {
        Caller caller = request.caller();
        Fields fields = request.fields();
        List<String> scopes = scopes(fields, caller);
        String language = fields.optionalParsed("language", ConsoleSessionController::language);
        fields.orThrow();
        String token = ConsoleSession.newToken();
        return keys.key(caller.keyId())
                .switchIfEmpty(Mono.error(() -> Problem.notFound("The API key is gone")))
                .flatMap(key -> store.insert(link(caller, key, scopes, language, token)))
                .flatMap(link -> JsonResponse.of(HttpStatus.CREATED, JsonResponse.object(json -> {
                    json.writeStringProperty("id", link.id().toString());
                    json.writeStringProperty("url", url(request.http()) + "/console/enter/" + token);
                    json.writeStringProperty("expires_at", timestamps.format(link.expiresAt()));
                })));
    }

    private String url(ServerRequest request) {
        return console.url() == null ? properties.baseUrl(request) : console.url();
    }

    /** Opens the session of a link. The request needs no API key: its body {@code {"code": …}} has the code at the end of the link. */
    private Mono<ServerResponse> enter(Request<Sender> request) {
        Fields fields = request.fields();
        String code = fields.requiredText("code", 100);
        fields.orThrow();
        return store.enter(String.valueOf(code))
                .switchIfEmpty(
                        Mono.error(() -> Problem.notFound("The link is unknown, was used before or has expired")))
                .flatMap(entered -> JsonResponse.of(HttpStatus.OK, JsonResponse.object(json -> {
                    ConsoleSession session = entered.session();
                    json.writeStringProperty("token", Callers.sessionToken(entered));
                    json.writeStringProperty("id", session.id().toString());
                    json.writeStringProperty("merchant", session.merchant());
                    json.writeStringProperty("mode", session.of().mode().code());
                    JsonResponse.strings(json, "scopes", session.scopes());
                    json.writeStringProperty("language", session.language());
                    json.writeNumberProperty("idle_seconds", console.idleMax().toSeconds());
                    json.writeStringProperty("ends_at", timestamps.format(session.endsAt()));
                })));
    }

    private ConsoleSession link(
            Caller caller, ApiKey key, List<String> scopes, @Nullable String language, String token) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        Instant end = now.plus(LINK_LASTS);
        return new ConsoleSession(
                UuidV7.at(now.toEpochMilli()),
                caller.tenant().key(),
                caller.receiver().name(),
                key.id(),
                key.hash(),
                scopes,
                language,
                ConsoleSession.hash(token),
                null,
                now,
                null,
                end,
                end);
    }

    /** Those of the key if none are given. */
    private static List<String> scopes(Fields fields, Caller caller) {
        List<String> own = caller.scopes().stream().map(Scope::code).sorted().toList();
        List<String> given = fields.optionalStrings("scopes");
        if (given == null) {
            return own;
        }
        if (!own.containsAll(given)) {
            fields.reject(FieldError.invalid("scopes", "expected only scopes of the API key: " + own));
        }
        return given.stream().distinct().sorted().toList();
    }

    private static String language(String text) {
        if (!LANGUAGES.contains(text)) {
            throw new IllegalArgumentException("expected en or pt-BR");
        }
        return text;
    }

    private Mono<ServerResponse> list(Request<Caller> request) {
        Caller caller = request.caller();
        return store.all(caller.keyId(), caller.scopes())
                .flatMap(sessions ->
                        JsonResponse.of(HttpStatus.OK, Page.all(sessions).json("console_sessions", this::write)));
    }

    private void write(JsonGenerator json, ConsoleSession session) {
        json.writeStringProperty("id", session.id().toString());
        json.writeStringProperty("key_id", session.keyId().toString());
        JsonResponse.strings(json, "scopes", session.scopes());
        json.writeStringProperty("status", session.cookieHash() == null ? "link" : "open");
        json.writeStringProperty("date_created", timestamps.format(session.createdAt()));
        json.writeStringProperty("last_used_at", timestamps.orEmpty(session.lastUsedAt()));
        json.writeStringProperty("expires_at", timestamps.format(session.expiresAt()));
    }

    private Mono<ServerResponse> delete(Request<Caller> request) {
        Caller caller = request.caller();
        UUID id = request.variable("id", Fields::uuid, ConsoleSessionController::notFound);
        return store.delete(caller.keyId(), caller.scopes(), id)
                .switchIfEmpty(Mono.error(ConsoleSessionController::notFound))
                .doOnNext(callers::ended)
                .flatMap(deleted -> ServerResponse.noContent().build());
    }

    private static Problem notFound() {
        return Problem.notFound("No console session that you may end has this id");
    }
}
