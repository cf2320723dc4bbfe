package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.auth.ApiKey;
import dev.ligeiro.gateway.http.response.JsonResponse;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** API keys in responses. The key itself is only in the response that makes it. */
final class KeyJson {

    private KeyJson() {}

    static byte[] one(ApiKey key, Instant now) {
        return JsonResponse.object(json -> write(json, key, now));
    }

    /** @param previous the key that the new one replaces, as it is now; null for none */
    static byte[] added(AddedKey added, @Nullable ApiKey previous, Instant now) {
        return JsonResponse.object(json -> {
            write(json, added.stored(), now);
            json.writeStringProperty("key", added.key());
            if (previous != null) {
                json.writeObjectPropertyStart("previous");
                write(json, previous, now);
                json.writeEndObject();
            }
        });
    }

    static void write(JsonGenerator json, ApiKey key, Instant now) {
        json.writeStringProperty("id", key.id().toString());
        json.writeStringProperty("name", key.name());
        json.writeStringProperty("mode", key.mode().code());
        json.writeArrayPropertyStart("scopes");
        key.scopes().forEach(json::writeString);
        json.writeEndArray();
        json.writeStringProperty("status", status(key, now));
        writeText(json, "expires_at", key.expiresAt());
        writeText(json, "revoked_at", key.revokedAt());
        writeText(json, "last_used_at", key.lastUsedAt());
        writeText(json, "replaces", key.replaces());
        json.writeStringProperty("created_at", key.createdAt().toString());
    }

    private static String status(ApiKey key, Instant now) {
        if (key.isActive(now)) {
            return "active";
        }
        return key.revokedAt() == null ? "expired" : "revoked";
    }

    private static void writeText(JsonGenerator json, String name, @Nullable Object value) {
        json.writeStringProperty(name, value == null ? null : value.toString());
    }
}
