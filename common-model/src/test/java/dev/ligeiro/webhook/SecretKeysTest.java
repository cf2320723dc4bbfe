package dev.ligeiro.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.fixture.Endpoints;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretKeysTest {

    private static final UUID ID = UUID.fromString("019cd827-d553-7abc-9def-0123456789ac");
    private static final UUID OTHER_ID = UUID.fromString("019cd827-d553-7abc-9def-0123456789ad");
    private static final String OLD = "old:" + key(32, 1);
    private static final String NEW = "new:" + key(32, 2);

    private final SecretKeys keys = SecretKeys.parse(List.of(NEW, OLD));

    @Test
    void aSecretIsStoredEncryptedAndReadBack() {
        EncryptedText stored = keys.encrypt(ID, Endpoints.SECRET);

        assertThat(stored.stored()).matches("new:[A-Za-z0-9+/]+=*").doesNotContain("whsec_");
        assertThat(keys.decrypt(ID, stored)).isEqualTo(Endpoints.SECRET);
        assertThat(keys.encrypt(ID, Endpoints.SECRET)).isNotEqualTo(stored);
    }

    @Test
    void theFirstKeyEncryptsAndEachDecrypts() {
        EncryptedText old = SecretKeys.parse(List.of(OLD)).encrypt(ID, Endpoints.SECRET);
        EncryptedText current = keys.encrypt(ID, Endpoints.SECRET);

        assertThat(keys.decrypt(ID, old)).isEqualTo(Endpoints.SECRET);
        assertThat(keys.isCurrent(old)).isFalse();
        assertThat(keys.isCurrent(current)).isTrue();
    }

    @Test
    void aTextMovedToAnotherEndpointOrFieldIsRefused() {
        EncryptedText secret = keys.encrypt(ID, Endpoints.SECRET);
        EncryptedText header = keys.encryptHeader(ID, "x-team", "payments");

        assertThat(keys.decryptHeader(ID, "x-team", header)).isEqualTo("payments");
        assertThatIllegalArgumentException().isThrownBy(() -> keys.decrypt(OTHER_ID, secret));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.decryptHeader(ID, "x-team", secret));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.decryptHeader(ID, "x-other", header));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.decryptHeader(OTHER_ID, "x-team", header));
    }

    @Test
    void aChangedOrUnknownTextIsRefused() {
        String stored = keys.encrypt(ID, Endpoints.SECRET).stored();
        char first = stored.charAt(4);
        String changed = "new:" + (first == 'A' ? 'B' : 'A') + stored.substring(5);

        for (String text : List.of(changed, stored.substring(0, 20), "new:", "new:*", stored.replace("new:", "old:"))) {
            assertThatIllegalArgumentException().isThrownBy(() -> keys.decrypt(ID, new EncryptedText(text)));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys.decrypt(ID, new EncryptedText(stored.replace("new:", "lost:"))))
                .withMessage("encrypted with the key lost (expected: one of [new, old])");
    }

    @Test
    void aTextWithoutAKeyIsRefusedAndHidden() {
        EncryptedText plain = new EncryptedText(Endpoints.SECRET.text());

        assertThatIllegalArgumentException().isThrownBy(() -> keys.decrypt(ID, plain));
        assertThat(keys.isCurrent(plain)).isFalse();
        assertThat(plain).hasToString("EncryptedText[hidden]");
    }

    @ParameterizedTest
    @CsvSource({
        "'', not set",
        "' ', not set",
        "k1, entry 1 is malformed",
        "k1:, entry 1 is malformed",
        ":AAAA, entry 1 is malformed",
        "k 1:AAAA, entry 1 is malformed",
        "k1:AA AA, entry 1 is malformed",
        "a-much-too-long-key-id:AAAA, entry 1 is malformed",
        "k1:A, entry 1 is a key of 0 bytes",
        "k1:c2VjcmV0, entry 1 is a key of 6 bytes"
    })
    void aMissingOrMalformedKeyIsNamed(String entry, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretKeys.parse(List.of(entry)))
                .withMessageStartingWith("ligeiro.webhook.secret-keys: " + message + " (expected: ")
                .withMessageNotContaining("c2VjcmV0");
    }

    @ParameterizedTest
    @CsvSource({"16", "31", "33", "64"})
    void aKeyHas32Bytes(int bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretKeys.parse(List.of(NEW, "k1:" + key(bytes, 3))))
                .withMessageStartingWith("ligeiro.webhook.secret-keys: entry 2 is a key of " + bytes + " bytes");
    }

    @Test
    void noneAndRepeatedIdsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretKeys.parse(List.of()))
                .withMessageStartingWith("ligeiro.webhook.secret-keys: not set");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretKeys.parse(List.of(NEW, "new:" + key(32, 3))))
                .withMessageStartingWith("ligeiro.webhook.secret-keys: entry 2 is the id of an earlier entry");
    }

    private static String key(int bytes, int seed) {
        byte[] key = new byte[bytes];
        Arrays.fill(key, (byte) seed);
        return Base64.getEncoder().encodeToString(key);
    }
}
