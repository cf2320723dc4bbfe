package dev.ligeiro.bundle;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Ed25519 keys that sign bundles: the setting {@code ligeiro.bundle.signing-keys}. The first one signs; all are published, so that what an
 * earlier one has signed can still be verified.
 */
public final class SigningKeys {

    private static final String SETTING = "ligeiro.bundle.signing-keys";
    private static final String FORM = "one private key of openssl genpkey -algorithm ed25519";
    private static final String ALGORITHM = "Ed25519";
    private static final Pattern ARMOR = Pattern.compile("-----(BEGIN|END) PRIVATE KEY-----|\\s");
    private static final int KEY_BYTES = 32;

    /** Of a PKCS#8 private key: a JDK ignores what follows, such as a second key. */
    private static final int PRIVATE_KEY_BYTES = 48;

    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    private final List<Key> keys;

    private SigningKeys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * @param id the thumbprint of the public key (RFC 7638)
     * @param publicKey in base64url
     */
    private record Key(String id, String publicKey, PrivateKey secret) {

        /** The members of the public key as a JWK (RFC 8037) that its thumbprint covers, in their order. */
        private static String thumbprinted(String publicKey) {
            return "\"crv\":\"" + ALGORITHM + "\",\"kty\":\"OKP\",\"x\":\"" + publicKey + "\"";
        }

        private String jwk() {
            return "{" + thumbprinted(publicKey) + ",\"kid\":\"" + id + "\",\"use\":\"sig\",\"alg\":\"EdDSA\"}";
        }

        @Override
        public String toString() {
            return "Key[" + id + "]";
        }
    }

    /**
     * Parses the entries of the setting, each a PKCS#8 private key in PEM; its first and last line may be missing. Blank entries are skipped.
     *
     * @throws IllegalArgumentException if an entry is malformed; the message contains no part of a key
     */
    public static SigningKeys parse(List<String> entries) {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (!entries.get(i).isBlank()) {
                Key key = key(entries.get(i), i + 1);
                if (keys.stream().anyMatch(earlier -> earlier.id.equals(key.id))) {
                    throw invalid(i + 1, "the same as an earlier entry", "different keys");
                }
                keys.add(key);
            }
        }
        return new SigningKeys(keys);
    }

    private static Key key(String entry, int number) {
        byte[] encoded = decoded(entry, number);
        if (encoded.length > PRIVATE_KEY_BYTES) {
            throw invalid(number, "longer than a key", FORM);
        }
        try {
            EdECPrivateKey secret = (EdECPrivateKey)
                    KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            String publicKey = BASE64URL.encodeToString(publicKey(secret));
            String thumbprint = "{" + Key.thumbprinted(publicKey) + "}";
            return new Key(BASE64URL.encodeToString(sha256(thumbprint)), publicKey, secret);
        } catch (InvalidKeySpecException malformed) {
            throw invalid(number, "malformed", FORM);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK since 15 has " + ALGORITHM, impossible);
        }
    }

    private static byte[] decoded(String entry, int number) {
        try {
            return Base64.getDecoder().decode(ARMOR.matcher(entry).replaceAll(""));
        } catch (IllegalArgumentException malformed) {
            throw invalid(number, "malformed", FORM);
        }
    }

    /** The JDK derives a public key only while it makes a pair, of 32 random bytes that are the private key: here they are given. */
    private static byte[] publicKey(EdECPrivateKey secret) throws GeneralSecurityException {
        byte[] seed = secret.getBytes().orElseThrow(InvalidKeySpecException::new);
        PublicKey derived = pairOf(seed);
        byte[] probe = sign(secret, seed);
        Signature check = Signature.getInstance(ALGORITHM);
        check.initVerify(derived);
        check.update(seed);
        if (!check.verify(probe)) {
            throw new InvalidKeySpecException("the derived public key is another one's");
        }
        byte[] encoded = derived.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
    }

    private static PublicKey pairOf(byte[] seed) throws NoSuchAlgorithmException, InvalidAlgorithmParameterException {
        KeyPairGenerator pairs = KeyPairGenerator.getInstance(ALGORITHM);
        pairs.initialize(NamedParameterSpec.ED25519, new Given(seed));
        return pairs.generateKeyPair().getPublic();
    }

    private static final class Given extends SecureRandom {

        private static final long serialVersionUID = 1L;
        private final byte[] seed;

        Given(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    private static byte[] sha256(String text) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static IllegalArgumentException invalid(int number, String given, String expected) {
        return new IllegalArgumentException(
                SETTING + ": entry " + number + " is " + given + " (expected: " + expected + ")");
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The id of the key that signs. */
    String currentId() {
        return keys.get(0).id;
    }

    /** The signature of 64 bytes (RFC 8032). */
    byte[] sign(byte[] bytes) {
        try {
            return sign(keys.get(0).secret, bytes);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the key has signed before", impossible);
        }
    }

    private static byte[] sign(PrivateKey secret, byte[] bytes) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        signature.initSign(secret);
        signature.update(bytes);
        return signature.sign();
    }

    /** The public keys as a JSON Web Key Set (RFC 7517 and RFC 8037), the one that signs first. */
    public byte[] publicKeys() {
        return keys.stream()
                .map(Key::jwk)
                .collect(Collectors.joining(",", "{\"keys\":[", "]}"))
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return "SigningKeys" + keys;
    }
}
