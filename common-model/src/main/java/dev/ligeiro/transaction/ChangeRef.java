package dev.ligeiro.transaction;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The merchant's request that caused an entry of the history. The gateway finds the result of a request by it.
 *
 * @param id chosen by the gateway, unique per request
 * @param idempotencyKey the request's {@code Idempotency-Key}, unique per tenant; null when not given
 * @param by null for a request of an operator, and of an older version
 */
public record ChangeRef(UUID id, @Nullable String idempotencyKey, @Nullable Requester by) {

    public ChangeRef(UUID id, @Nullable String idempotencyKey) {
        this(id, idempotencyKey, null);
    }
}
