package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.pix.MerchantAccount.DynamicLocation;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MerchantAccountTest {

    private static final String DESCRIPTION =
            "expected a description of printable ASCII characters that fits into object 26 beside the key";
    private static final PixKey KEY = PixKey.parse(PixKey.Type.EVP, "123e4567-e12b-12d1-a456-426655440000");

    @ParameterizedTest
    @CsvSource({
        "CPF,   12345678909",
        "CNPJ,  12ABC34501DE35",
        "PHONE, +5511999998888",
        "EMAIL, a.very.long.name.that.takes.all.the.room.there.is.for.a.key.s@pix.example.com",
        "EVP,   123e4567-e12b-12d1-a456-426655440000",
    })
    void everyTypeOfKeyFitsIntoACode(PixKey.Type type, String value) {
        BrCode code = BrCode.of(StaticKey.of(PixKey.parse(type, value)), "Fulano de Tal", "BRASILIA");

        assertThat(code.account()).isEqualTo(new StaticKey(value, ""));
        assertThat(BrCode.decode(code.encode())).isEqualTo(code);
    }

    @Test
    void theDescriptionFitsBesideTheKey() {
        assertThat(new StaticKey(KEY.value(), "x".repeat(37)).description()).hasSize(37);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StaticKey(KEY.value(), "x".repeat(38)))
                .withMessage(DESCRIPTION);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StaticKey(KEY.value(), "ç"))
                .withMessage(DESCRIPTION);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StaticKey("k".repeat(78), ""))
                .withMessage("expected a Pix key of 1 to 77 printable ASCII characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://pix.example.com/1", "pix.example.com/a b", "pix.example.com/é"})
    void refusesLocationsWithSchemeSpacesOrOtherCharacters(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DynamicLocation(url))
                .withMessageStartingWith("expected a URL ");
    }

    @Test
    void refusesLocationsOfMoreThan77Characters() {
        assertThat(new DynamicLocation("x".repeat(77)).url()).hasSize(77);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DynamicLocation("x".repeat(78)))
                .withMessage("expected a URL of 1 to 77 printable ASCII characters without spaces");
    }
}
