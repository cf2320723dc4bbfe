package dev.ligeiro.desk.key;

import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.transaction.Mode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A key as the operators' API shows it: without its text. It is active, expired or revoked. */
public record KeyJson(
        UUID id,
        String prefix,
        @Nullable String name,
        Mode mode,
        List<String> scopes,
        @Nullable List<String> allowedNetworks,
        String status,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt,
        @Nullable UUID replaces,
        Instant createdAt) {

    public static KeyJson of(ApiKey key, Instant now) {
        String ended = key.revokedAt() == null ? "expired" : "revoked";
        return new KeyJson(
                key.id(),
                key.prefix(),
                key.name(),
                key.mode(),
                key.scopes(),
                key.networks(),
                key.isActive(now) ? "active" : ended,
                key.expiresAt(),
                key.revokedAt(),
                key.lastUsedAt(),
                key.replaces(),
                key.createdAt());
    }
}
