package dev.ligeiro.merchant;

import dev.ligeiro.transaction.Mode;
import dev.ligeiro.view.TimeText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A stored API key of a merchant: its SHA-256 hash, never the key. A key has 256 random bits, so it needs no salt.
 *
 * @param hash hex
 * @param start its first 4 random characters, by which a person knows it: 24 of its bits. Null for a key that an earlier version has
 *     stored
 * @param name what the key is for; null when not given
 * @param scopes the codes of its scopes
 * @param networks the addresses and networks from which it works; null for any
 * @param expiresAt null for never
 * @param revokedAt null while it is not revoked
 * @param lastUsedAt up to 5 minutes before its last use; null when it was never used
 * @param replaces the key that it was rotated from; null for none
 * @param rotatedAt when it was last rotated; null for never
 * @param expiresAtBeforeRotation its expiry before its first rotation; null for never, and while it is not rotated
 */
public record ApiKey(
        UUID id,
        String hash,
        @Nullable String start,
        UUID merchantId,
        @Nullable String name,
        Mode mode,
        List<String> scopes,
        @Nullable List<String> networks,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt,
        @Nullable UUID replaces,
        @Nullable Instant rotatedAt,
        @Nullable Instant expiresAtBeforeRotation,
        Instant createdAt) {

    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** 32 bytes are 43 characters of base64url. */
    private static final Pattern FORM = Pattern.compile("sk_(test|live)_[A-Za-z0-9_-]{43}");

    private static final int LENGTH = "sk_test_".length() + 43;

    /** A new key for {@code mode}: {@code sk_test_} or {@code sk_live_} and 32 random bytes. */
    public static String generate(Mode mode) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return "sk_" + mode.code() + "_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** Whether {@code text} may be a key. Each generated key has this form. */
    public static boolean hasForm(String text) {
        return text.length() == LENGTH && FORM.matcher(text).matches();
    }

    /** The first random characters of {@code key}, which are stored in plain text. */
    public static String start(String key) {
        return Beginning.parse(key).start();
    }

    /** How a key begins: its mode, and as many of its first random characters as are stored of a key, or fewer. */
    public record Beginning(Mode mode, String start) {

        private static final Pattern FORM = Pattern.compile("sk_(test|live)_([A-Za-z0-9_-]{1,4})[A-Za-z0-9_-]{0,39}");

        /** @throws IllegalArgumentException with the expected form as its message */
        public static Beginning parse(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw new IllegalArgumentException("expected the beginning of a key, such as sk_live_AbCd");
            }
            return new Beginning(form.group(1).equals(Mode.LIVE.code()) ? Mode.LIVE : Mode.TEST, form.group(2));
        }
    }

    /** The beginning of the key as far as it is known. */
    public String prefix() {
        return "sk_" + mode.code() + "_" + (start == null ? "" : start);
    }

    public static String hash(String key) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }

    /**
     * The key that replaces this one, with the same name, mode, scopes and networks.
     *
     * @param expiry null: it lives as long as this key was made for, however early a rotation ends this one
     */
    public ApiKey rotated(UUID newId, String newKey, @Nullable Instant expiry, Instant now) {
        Instant ownExpiry = ownExpiry();
        Instant end = expiry == null && ownExpiry != null ? now.plus(Duration.between(createdAt, ownExpiry)) : expiry;
        Instant readable = end == null || end.isBefore(TimeText.LATEST) ? end : TimeText.LATEST;
        return new ApiKey(
                newId,
                hash(newKey),
                start(newKey),
                merchantId,
                name,
                mode,
                scopes,
                networks,
                readable,
                null,
                null,
                id,
                null,
                null,
                now);
    }

    /** This key after a rotation that lets it work until {@code end}, but never longer than before. */
    public ApiKey rotatedUntil(Instant end, Instant now) {
        return new ApiKey(
                id,
                hash,
                start,
                merchantId,
                name,
                mode,
                scopes,
                networks,
                expiresAt == null || end.isBefore(expiresAt) ? end : expiresAt,
                revokedAt,
                lastUsedAt,
                replaces,
                now,
                ownExpiry(),
                createdAt);
    }

    public boolean isActive(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
    }

    /** Whether real money can leave by it. */
    public boolean paysOut() {
        return mode == Mode.LIVE && Scope.payOut(scopes);
    }

    private @Nullable Instant ownExpiry() {
        return rotatedAt == null ? expiresAt : expiresAtBeforeRotation;
    }
}
