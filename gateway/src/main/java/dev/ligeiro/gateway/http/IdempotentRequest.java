package dev.ligeiro.gateway.http;

import dev.ligeiro.gateway.http.request.Fields;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * A request that the client may repeat with the same {@code Idempotency-Key}.
 *
 * @param fields the fields of the body, none for a route without one. An invalid key is among their errors already, so that one
 *     response names all errors
 * @param key null when not given or invalid
 */
public record IdempotentRequest<C>(ServerRequest http, C caller, Fields fields, @Nullable String key) {}
