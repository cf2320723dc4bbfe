package dev.ligeiro.infra.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bank and Ligeiro write and read QR codes with code of their own, and agree. */
class PaymentCodeTest {

    private static final String LOCATION = "qr.bank.example/v2/0123456789abcdef0123456789abcdef";

    @Test
    void writesWhatLigeiroWrites() {
        String theirs =
                BrCode.of(new DynamicLocation(LOCATION), "LIGEIRO", "SAO PAULO").encode();
        assertThat(PaymentCode.of(LOCATION, "LIGEIRO", "SAO PAULO")).isEqualTo(theirs);
    }

    @Test
    void readsLigeirosCodes() {
        String dynamic =
                BrCode.of(new DynamicLocation(LOCATION), "LIGEIRO", "SAO PAULO").encode();
        assertThat(PaymentCode.parse(dynamic)).isEqualTo(new PaymentCode(LOCATION, null, null, null));
        String fixed = BrCode.of(new StaticKey("maria@example.com"), "LIGEIRO", "SAO PAULO")
                .withAmountCents(1234)
                .withTxid("abc123")
                .encode();
        assertThat(PaymentCode.parse(fixed)).isEqualTo(new PaymentCode(null, "maria@example.com", "abc123", "12.34"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6304", "00020163040000", "000201630469B7", "0002630462D8"})
    void refusesWhatIsNoCode(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PaymentCode.parse(text));
    }
}
