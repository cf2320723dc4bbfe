package dev.ligeiro.gateway.merchant;

import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request: a merchant in one mode, by one of its keys. All that a hot path needs to know of the merchant is here,
 * read once in seconds.
 *
 * @param platforms the merchant's platforms in this mode
 * @param fees the commission of each operation
 * @param receiver what a BR Code says of the receiver
 * @param expiresAt when the key ends; null for never
 */
public record Caller(
        Tenant tenant,
        Set<Scope> scopes,
        Set<UUID> platforms,
        Map<Operation, Commission> fees,
        Receiver receiver,
        @Nullable Instant expiresAt) {

    public Commission fee(Operation operation) {
        return fees.getOrDefault(operation, Commission.NONE);
    }

    boolean isExpired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** The receiver's name and city in a BR Code. */
    public record Receiver(String name, String city) {}
}
