package dev.ligeiro.gateway.api.webhook;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * What an API key has done to an endpoint or its deliveries. It outlives the endpoint. Only operators see it.
 *
 * @param id in the order of the times
 * @param what such as {@code rotate}
 * @param session the console session that used the key; null for the merchant's own programs
 */
@Document(EndpointChange.COLLECTION)
public record EndpointChange(@Id UUID id, Instant at, String what, UUID endpoint, UUID key, @Nullable UUID session) {

    static final String COLLECTION = "endpoint_changes";
}
