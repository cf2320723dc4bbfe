package dev.ligeiro.gateway.http.auth;

import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.transaction.Tenant;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A session of the merchant console, or the one-time link that opens it. Only the hashes of their tokens are stored.
 *
 * @param tenant {@link Tenant#key}
 * @param merchant the merchant's name when it was made
 * @param keyId the API key that made it
 * @param keyHash that key's hash: each request of the session is a request with the key
 * @param scopes the codes of what the session may do, all of them scopes of the key
 * @param language the language of the pages; null for that of the browser
 * @param linkHash the hash of the link's token; null once it was used
 * @param cookieHash the hash of the session's token; null until the link is used
 * @param lastUsedAt up to a minute before its last use; null until the link is used
 * @param endsAt the end of the link, then that of the session if it is used until then
 * @param expiresAt the end if it is not used any more
 */
@Document(ConsoleSession.COLLECTION)
public record ConsoleSession(
        @Id UUID id,
        long tenant,
        String merchant,
        UUID keyId,
        String keyHash,
        List<String> scopes,
        @Nullable String language,
        @Nullable String linkHash,
        @Nullable String cookieHash,
        Instant createdAt,
        @Nullable Instant lastUsedAt,
        Instant endsAt,
        Instant expiresAt) {

    static final String COLLECTION = "console_sessions";

    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new token of 256 random bits. */
    public static String newToken() {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    public static String hash(String token) {
        return ApiKey.hash(token);
    }

    public Tenant of() {
        return new Tenant(tenant);
    }
}
