package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrCodeTest {

    private static final PixKey KEY = PixKey.parse(PixKey.Type.EVP, "123e4567-e12b-12d1-a456-426655440000");
    static final String MANUAL =
            "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR"
                    + "5913Fulano de Tal6008BRASILIA62070503***63041D3D";
    static final String DYNAMIC =
            "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd441"
                    + "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4";
    private static final String WITH_AMOUNT =
            "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-42665544000052040000530398654041.00"
                    + "5802BR5915Call_me_Awesome6009Sao_Paulo622905259134e2866f71427abf001000063047029";
    static final String WITH_DESCRIPTION =
            "00020126730014br.gov.bcb.pix0136e57b119f-3f91-4734-93f0-29d6a9c02b0a0211CestaLivres52040000"
                    + "5303986540522.005802BR5913Milena Savini6009Sao Paulo622605221wDQuczihqxiuSkkkLu0aS63040EA9";
    private static final String UPPER_CASE_DOMAIN =
            "00020126590014BR.GOV.BCB.PIX0122manoelcampos@gmail.com0211PIX em Java52040000530398654041.00"
                    + "5802BR5925Manoel Campos da Silva Fh6006Palmas62070503***6304FEC1";
    private static final String CPF_ONCE = "00020101021226330014br.gov.bcb.pix011112345678909"
            + "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63043CAC";

    static Stream<Arguments> vectors() {
        OptionalLong open = OptionalLong.empty();
        String evp = "123e4567-e12b-12d1-a456-426655440000";
        return Stream.of(
                Arguments.of(MANUAL, code(false, key(evp, ""), open, "Fulano de Tal", "BRASILIA", "***")),
                Arguments.of(
                        DYNAMIC,
                        code(
                                true,
                                new DynamicLocation("pix.example.com/8b3da2f39a4140d1a91abd93113bd441"),
                                open,
                                "Fulano de Tal",
                                "BRASILIA",
                                "***")),
                Arguments.of(
                        WITH_AMOUNT,
                        code(
                                false,
                                key(evp, ""),
                                OptionalLong.of(100),
                                "Call_me_Awesome",
                                "Sao_Paulo",
                                "9134e2866f71427abf0010000")),
                Arguments.of(
                        WITH_DESCRIPTION,
                        code(
                                false,
                                key("e57b119f-3f91-4734-93f0-29d6a9c02b0a", "CestaLivres"),
                                OptionalLong.of(2200),
                                "Milena Savini",
                                "Sao Paulo",
                                "1wDQuczihqxiuSkkkLu0aS")),
                Arguments.of(
                        UPPER_CASE_DOMAIN,
                        code(
                                false,
                                key("manoelcampos@gmail.com", "PIX em Java"),
                                OptionalLong.of(100),
                                "Manoel Campos da Silva Fh",
                                "Palmas",
                                "***")),
                Arguments.of(CPF_ONCE, code(true, key("12345678909", ""), open, "Fulano de Tal", "BRASILIA", "***")));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void readsTheCodesOfTheManualAndOfOtherPrograms(String text, BrCode expected) {
        assertThat(BrCode.decode(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {MANUAL, DYNAMIC, WITH_AMOUNT, WITH_DESCRIPTION, CPF_ONCE})
    void encodesACanonicalCodeUnchanged(String text) {
        assertThat(BrCode.decode(text).encode()).isEqualTo(text);
    }

    @Test
    void writesTheDomainOfPixInLowerCase() {
        assertThat(BrCode.decode(UPPER_CASE_DOMAIN).encode()).startsWith("00020126590014br.gov.bcb.pix0122");
    }

    @Test
    void encodesAmountAndTxid() {
        BrCode code = BrCode.of(StaticKey.of(KEY), "Call_me_Awesome", "Sao_Paulo")
                .withAmountCents(100)
                .withTxid("9134e2866f71427abf0010000");

        assertThat(code.encode()).isEqualTo(WITH_AMOUNT);
    }

    @Test
    void aDynamicCodeIsSingleUse() {
        DynamicLocation location = new DynamicLocation("pix.example.com/8b3da2f39a4140d1a91abd93113bd441");

        assertThat(BrCode.of(location, "Fulano de Tal", "BRASILIA").encode()).isEqualTo(DYNAMIC);
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
        String code = sample().withAmountCents(cents).encode();

        assertThat(code).contains("5303986" + object + "5802BR");
        assertThat(BrCode.decode(code).amountCents()).hasValue(cents);
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
        BrCode code = BrCode.of(StaticKey.of(KEY), name, "Brasília");

        assertThat(code.receiverName()).isEqualTo(folded);
        assertThat(code.receiverCity()).isEqualTo("Brasilia");
        assertThat(BrCode.decode(code.encode())).isEqualTo(code);
    }

    @Test
    void cutsTheReceiverCityTo15Characters() {
        assertThat(BrCode.of(StaticKey.of(KEY), "Padaria", "São José do Rio Preto")
                        .receiverCity())
                .isEqualTo("Sao Jose do Rio");
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

    @Test
    void textFormHidesTheKey() {
        assertThat(sample().toString()).doesNotContain(KEY.value());
    }

    private static BrCode sample() {
        return BrCode.of(StaticKey.of(KEY), "Fulano de Tal", "BRASILIA");
    }

    private static MerchantAccount key(String key, String description) {
        return new StaticKey(key, description);
    }

    private static BrCode code(
            boolean singleUse,
            MerchantAccount account,
            OptionalLong amountCents,
            String name,
            String city,
            String txid) {
        return new BrCode(singleUse, account, "0000", amountCents, name, city, txid);
    }
}
