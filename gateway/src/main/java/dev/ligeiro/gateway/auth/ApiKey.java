package dev.ligeiro.gateway.auth;

import dev.ligeiro.transaction.Mode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A stored API key of a merchant: its SHA-256 hash, never the key. A key has 256 random bits, so it needs no salt.
 *
 * @param hash hex
 * @param scopes the codes of its scopes
 * @param expiresAt null for never
 */
@Document("api_keys")
public record ApiKey(
        @Id UUID id,
        String hash,
        UUID merchantId,
        Mode mode,
        List<String> scopes,
        @Nullable Instant expiresAt,
        Instant createdAt) {

    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new key for {@code mode}: {@code sk_test_} or {@code sk_live_} and 32 random bytes. */
    public static String generate(Mode mode) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return "sk_" + mode.code() + "_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    public static String hash(String key) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }
}
