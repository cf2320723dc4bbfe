package dev.ligeiro.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigningSecretTest {

    @ParameterizedTest
    @ValueSource(ints = {24, 25, 26, 32, 64})
    void has24To64Bytes(int bytes) {
        assertThat(new SigningSecret(secret(bytes)).key()).hasSize(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "whsec_",
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS*",
                // without its padding, and with bits beyond the last byte
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAB=="
            })
    void anotherFormIsRefusedAndNotRepeated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SigningSecret(text))
                .withMessage("expected whsec_ and the base64 of 24 to 64 bytes")
                .withNoCause();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 23, 65, 1000})
    void anotherLengthIsRefused(int bytes) {
        assertThatIllegalArgumentException().isThrownBy(() -> new SigningSecret(secret(bytes)));
    }

    @Test
    void aRandomOneHas32BytesAndHidesThem() {
        SigningSecret random = SigningSecret.random();

        assertThat(random.key()).hasSize(32);
        assertThat(random).hasToString("SigningSecret[hidden]").isNotEqualTo(SigningSecret.random());
    }

    private static String secret(int bytes) {
        return "whsec_" + Base64.getEncoder().encodeToString(new byte[bytes]);
    }
}
