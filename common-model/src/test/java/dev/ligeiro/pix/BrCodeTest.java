package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expected texts are codes of the BR Code manual and of other programs. */
class BrCodeTest {

    private static final PixKey KEY = PixKey.parse(PixKey.Type.EVP, "123e4567-e12b-12d1-a456-426655440000");

    @Test
    void aStaticCodeHasItsKey() {
        assertThat(sample().encode())
                .isEqualTo("00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR"
                        + "5913Fulano de Tal6008BRASILIA62070503***63041D3D");
    }

    @Test
    void aDynamicCodeHasItsLocationAndIsSingleUse() {
        DynamicLocation location = new DynamicLocation("pix.example.com/8b3da2f39a4140d1a91abd93113bd441");

        assertThat(BrCode.of(location, "Fulano de Tal", "BRASILIA").encode())
                .isEqualTo("00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd441"
                        + "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4");
    }

    @Test
    void amountAndTxidAreEncoded() {
        BrCode code = BrCode.of(StaticKey.of(KEY), "Call_me_Awesome", "Sao_Paulo")
                .withAmountCents(100)
                .withTxid("9134e2866f71427abf0010000");

        assertThat(code.encode())
                .isEqualTo("00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-42665544000052040000530398654041.00"
                        + "5802BR5915Call_me_Awesome6009Sao_Paulo622905259134e2866f71427abf001000063047029");
    }

    /** A common bug: the checksum is written without its leading zeros. */
    @Test
    void aChecksumHasFourDigits() {
        assertThat(
                        BrCode.Crc16.hex(
                                "00020126730014br.gov.bcb.pix0136e57b119f-3f91-4734-93f0-29d6a9c02b0a0211CestaLivres52040000"
                                        + "5303986540522.005802BR5913Milena Savini6009Sao Paulo622605221wDQuczihqxiuSkkkLu0aS6304"))
                .isEqualTo("0EA9");
    }

    @ParameterizedTest
    @CsvSource({
        "1,            54040.01",
        "10,           54040.10",
        "100,          54041.00",
        "123456,       54071234.56",
        "999999999999, 54139999999999.99",
    })
    void writesAmountsWithADotAndTwoDecimals(long cents, String object) {
        assertThat(sample().withAmountCents(cents).encode()).contains("5303986" + object + "5802BR");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1_000_000_000_000L, Long.MAX_VALUE})
    void refusesAmountsOutOfRange(long cents) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample().withAmountCents(cents))
                .withMessage("expected an amount from 0.01 to 9999999999.99");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "****", "a-b", "a b", "é", "٣", "12345678901234567890123456"})
    void refusesMalformedTxids(String txid) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample().withTxid(txid))
                .withMessage("expected a txid of 1 to 25 letters and digits, or ***");
    }

    @ParameterizedTest
    @CsvSource({
        "São Paulo,                              Sao Paulo",
        "Sa\u0303o Paulo,                        Sao Paulo",
        "Ação & Coração Ltda,                    Acao & Coracao Ltda",
        "'  Padaria  ',                          Padaria",
        "João’s “Bar” – Ærø Straße,              'Joao''s \"Bar\" - AEro Stras'",
        "Loja 1ª № 5,                            Loja 1a No 5",
        "Café ☕ 日本,                            Cafe",
        "Companhia Brasileira de Distribuição,   Companhia Brasileira de D",
        "Companhia Brasileira das Águas,         Companhia Brasileira das",
    })
    void convertsTheReceiverNameToAscii(String name, String folded) {
        BrCode code = BrCode.of(StaticKey.of(KEY), name, "São José do Rio Preto");

        assertThat(code.receiverName()).isEqualTo(folded);
        assertThat(code.receiverCity()).isEqualTo("Sao Jose do Rio");
    }

    @ParameterizedTest
    @CsvSource({
        "'', Palmas,      expected a receiver name of 1 to 25 printable ASCII characters",
        "日本, Palmas,    expected a receiver name of 1 to 25 printable ASCII characters",
        "Padaria, ' ',    expected a receiver city of 1 to 15 printable ASCII characters",
    })
    void refusesAReceiverWithoutAsciiLetters(String name, String city, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrCode.of(StaticKey.of(KEY), name, city))
                .withMessage(message);
    }

    @Test
    void refusesATxidInADynamicCode() {
        BrCode dynamic = BrCode.of(new DynamicLocation("pix.example.com/1"), "Fulano de Tal", "BRASILIA");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> dynamic.withTxid("abc"))
                .withMessage("expected no txid (***) in a dynamic code");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://pix.example.com/1", "pix.example.com/a b", "pix.example.com/é"})
    void refusesLocationsWithSchemeSpacesOrOtherCharacters(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DynamicLocation(url))
                .withMessageStartingWith("expected a URL ");
    }

    @Test
    void keysAndLocationsHaveAtMost77Characters() {
        assertThat(BrCode.of(new StaticKey("k".repeat(77)), "Padaria", "Palmas").encode())
                .contains("2699" + "0014br.gov.bcb.pix" + "0177k");
        assertThatIllegalArgumentException().isThrownBy(() -> new StaticKey("k".repeat(78)));
        assertThatIllegalArgumentException().isThrownBy(() -> new DynamicLocation("x".repeat(78)));
    }

    @Test
    void textFormHidesTheKey() {
        assertThat(sample().toString()).doesNotContain(KEY.value());
    }

    private static BrCode sample() {
        return BrCode.of(StaticKey.of(KEY), "Fulano de Tal", "BRASILIA");
    }
}
