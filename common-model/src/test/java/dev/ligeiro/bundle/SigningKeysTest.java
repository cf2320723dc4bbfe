package dev.ligeiro.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.fixture.BundleKeys;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SigningKeysTest {

    /** The public key and its thumbprint are those of RFC 8037 A.2 and A.3. */
    @Test
    void theFirstKeySignsAndAllArePublished() {
        SigningKeys keys = SigningKeys.parse(List.of(BundleKeys.SIGNING, "", BundleKeys.OTHER));

        assertThat(keys.currentId()).isEqualTo(BundleKeys.SIGNING_ID);
        assertThat(new String(keys.publicKeys(), UTF_8))
                .startsWith(
                        """
                        {"keys":[{"crv":"Ed25519","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",\
                        "kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","use":"sig","alg":"EdDSA"},{""")
                .contains("\"x\":\"PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw\"");
        assertThat(keys.toString()).doesNotContain("nWGxne");
    }

    /** Such as of {@code cat new.pem old.pem}: a JDK reads the first one and says nothing. */
    @Test
    void twoKeysInOneEntryAreRefused() {
        assertThatThrownBy(() -> SigningKeys.parse(List.of(BundleKeys.OTHER + BundleKeys.SIGNING)))
                .hasMessage(
                        "ligeiro.bundle.signing-keys: entry 1 is longer than a key (expected: one private key of openssl"
                                + " genpkey -algorithm ed25519)");
    }

    /** The signature of RFC 8032 §7.1, test 1. */
    @Test
    void aSignatureIsThatOfTheStandard() {
        assertThat(SigningKeys.parse(List.of(BundleKeys.SIGNING)).sign(new byte[0]))
                .isEqualTo(HexFormat.of()
                        .parseHex("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                                + "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"));
    }

    @Test
    void withoutEntriesThereIsNoKey() {
        SigningKeys none = SigningKeys.parse(List.of("", " "));

        assertThat(none.isEmpty()).isTrue();
        assertThat(none.publicKeys()).asString(UTF_8).isEqualTo("{\"keys\":[]}");
    }

    /** The third is an X25519 key, which cannot sign; the fourth is a public one. */
    @ParameterizedTest
    @CsvSource({
        "c2VjcmV0, entry 1 is malformed",
        "not base64, entry 1 is malformed",
        "MC4CAQAwBQYDK2VuBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g, entry 1 is malformed",
        "-----BEGIN PUBLIC KEY-----, entry 1 is malformed",
        "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g, entry 2 is the same as an earlier entry"
    })
    void aWrongEntryIsNamedAndNotShown(String entry, String message) {
        assertThatThrownBy(() -> SigningKeys.parse(List.of(entry, BundleKeys.SIGNING)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("ligeiro.bundle.signing-keys: " + message)
                .hasMessageNotContainingAny("c2VjcmV0", "MC4CAQ");
    }
}
