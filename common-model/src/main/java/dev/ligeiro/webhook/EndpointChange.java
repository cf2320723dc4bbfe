package dev.ligeiro.webhook;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an API key has done to an endpoint or its deliveries. It outlives the endpoint. Only operators see it.
 *
 * @param id in the order of the times
 * @param what such as {@code rotate}
 * @param session the console session that used the key; null for the merchant's own programs
 */
public record EndpointChange(UUID id, Instant at, String what, UUID endpoint, UUID key, @Nullable UUID session) {}
