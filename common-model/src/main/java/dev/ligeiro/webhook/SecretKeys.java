package dev.ligeiro.webhook;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The operator's keys that encrypt the signing secrets and header values of endpoints in MongoDB: the setting
 * {@code ligeiro.webhook.secret-keys}. The first key encrypts, each decrypts, so the operator can change the key. The gateway and the
 * dispatcher have the same keys.
 *
 * <p>AES-256-GCM with a random nonce. The associated data is the endpoint's id and the name of the field, so a text that is moved to
 * another endpoint or field cannot be decrypted.
 */
public final class SecretKeys {

    private static final String SETTING = "ligeiro.webhook.secret-keys";
    private static final String FORM = "<id>:<base64 of 32 bytes>, such as k1:$(openssl rand -base64 32)";
    private static final Pattern ENTRY = Pattern.compile("([A-Za-z0-9_-]{1,20}):([A-Za-z0-9+/]+=*)");
    private static final int KEY_BYTES = 32;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final String SECRET_FIELD = "secret";
    private static final String HEADER_FIELD = "header:";

    private final String currentId;
    private final Map<String, SecretKeySpec> keys;

    private SecretKeys(String currentId, Map<String, SecretKeySpec> keys) {
        this.currentId = currentId;
        this.keys = keys;
    }

    /**
     * Parses the entries of the setting, each {@code <id>:<base64 of 32 bytes>}; blank entries are skipped.
     *
     * @throws IllegalArgumentException if there is no entry or one is malformed; the message contains no part of a key
     */
    public static SecretKeys parse(List<String> entries) {
        Map<String, SecretKeySpec> keys = new LinkedHashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            String entry = entries.get(i).strip();
            if (!entry.isEmpty()) {
                add(keys, entry, i + 1);
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(SETTING + ": not set (expected: " + FORM + ")");
        }
        return new SecretKeys(keys.keySet().iterator().next(), keys);
    }

    private static void add(Map<String, SecretKeySpec> keys, String entry, int number) {
        Matcher parts = ENTRY.matcher(entry);
        if (!parts.matches()) {
            throw invalid(number, "malformed", FORM);
        }
        byte[] key = base64(parts.group(2));
        if (key.length != KEY_BYTES) {
            throw invalid(number, "a key of " + key.length + " bytes", FORM);
        }
        if (keys.put(parts.group(1), new SecretKeySpec(key, "AES")) != null) {
            throw invalid(number, "the id of an earlier entry", "a different id for each key");
        }
    }

    public EncryptedText encrypt(UUID endpointId, SigningSecret secret) {
        return encrypt(endpointId, SECRET_FIELD, secret.text());
    }

    /** @throws IllegalArgumentException if no key decrypts it for this endpoint */
    public SigningSecret decrypt(UUID endpointId, EncryptedText secret) {
        return new SigningSecret(decrypt(endpointId, SECRET_FIELD, secret));
    }

    public EncryptedText encryptHeader(UUID endpointId, String name, String value) {
        return encrypt(endpointId, HEADER_FIELD + name, value);
    }

    /** @throws IllegalArgumentException if no key decrypts it for this endpoint and header */
    public String decryptHeader(UUID endpointId, String name, EncryptedText value) {
        return decrypt(endpointId, HEADER_FIELD + name, value);
    }

    /** Whether it is encrypted with the key that encrypts now. */
    public boolean isCurrent(EncryptedText text) {
        return currentId.equals(text.keyId());
    }

    private EncryptedText encrypt(UUID endpointId, String field, String plain) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, currentId, nonce, associatedData(endpointId, field))
                    .doFinal(plain.getBytes(StandardCharsets.UTF_8));
            byte[] whole = ByteBuffer.allocate(NONCE_BYTES + encrypted.length)
                    .put(nonce)
                    .put(encrypted)
                    .array();
            return new EncryptedText(currentId + ":" + Base64.getEncoder().encodeToString(whole));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + CIPHER, impossible);
        }
    }

    private String decrypt(UUID endpointId, String field, EncryptedText text) {
        String keyId = text.keyId();
        byte[] whole = base64(text.base64());
        if (!keys.containsKey(keyId) || whole.length <= NONCE_BYTES) {
            throw new IllegalArgumentException(
                    "encrypted with the key " + keyId + " (expected: one of " + keys.keySet() + ")");
        }
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, keyId, whole, associatedData(endpointId, field));
            return new String(cipher.doFinal(whole, NONCE_BYTES, whole.length - NONCE_BYTES), StandardCharsets.UTF_8);
        } catch (AEADBadTagException otherEndpointOrKey) {
            throw new IllegalArgumentException("not encrypted with the key " + keyId + " for this endpoint and field");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + CIPHER, impossible);
        }
    }

    /** @param nonce its first 12 bytes are the nonce */
    private Cipher cipher(int mode, String keyId, byte[] nonce, byte[] associatedData) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, keys.get(keyId), new GCMParameterSpec(TAG_BITS, nonce, 0, NONCE_BYTES));
        cipher.updateAAD(associatedData);
        return cipher;
    }

    private static byte[] associatedData(UUID endpointId, String field) {
        byte[] name = field.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + name.length)
                .putLong(endpointId.getMostSignificantBits())
                .putLong(endpointId.getLeastSignificantBits())
                .put(name)
                .array();
    }

    /** Empty when {@code text} is not base64. */
    private static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException malformed) {
            return new byte[0];
        }
    }

    private static IllegalArgumentException invalid(int number, String given, String expected) {
        return new IllegalArgumentException(
                SETTING + ": entry " + number + " is " + given + " (expected: " + expected + ")");
    }
}
