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
    void cutsTheDescriptionToTheRoomBesideTheKey() {
        PixKey longest = PixKey.parse(PixKey.Type.EMAIL, "a".repeat(65) + "@example.com");

        assertThat(StaticKey.of(KEY, "Doação ".repeat(10)).description())
                .isEqualTo("Doacao Doacao Doacao Doacao Doacao Do");
        assertThat(StaticKey.of(longest, "Doação").description()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> new StaticKey(KEY.value(), "x".repeat(38)));
        assertThatIllegalArgumentException().isThrownBy(() -> new StaticKey(KEY.value(), "ç"));
        assertThatIllegalArgumentException().isThrownBy(() -> new StaticKey("k".repeat(78), ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://pix.example.com/1", "pix.example.com/a b", "pix.example.com/é"})
    void refusesLocationsThatAreNoUrlWithoutScheme(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> new DynamicLocation(url));
    }

    @Test
    void refusesLocationsOfMoreThan77Characters() {
        assertThat(new DynamicLocation("x".repeat(77)).url()).hasSize(77);
        assertThatIllegalArgumentException().isThrownBy(() -> new DynamicLocation("x".repeat(78)));
    }
}
