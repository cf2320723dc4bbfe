package dev.ligeiro.desk.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.pix.PixKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskedTextTest {

    @ParameterizedTest
    @CsvSource({
        "Maria da Silva,    M*** d*** S***",
        "'  Zoë   Ó ',      Z*** Ó***",
        "😀a,               😀***",
        "'',                ''",
    })
    void aNameKeepsTheFirstLetterOfEachWord(String name, String shown) {
        assertThat(MaskedText.name(name)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "maria@example.com, m***@example.com",
        "'\"a@b\"@c.d',     '\"***@c.d'",
        "@c.d,              ***",
        "maria,             ***",
    })
    void anAddressKeepsItsFirstLetterAndDomain(String email, String shown) {
        assertThat(MaskedText.email(email)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"52998224725, ***725", "12ABC34501DE35, ***E35", "'', ***"})
    void aDocumentKeepsItsEnd(String document, String shown) {
        assertThat(MaskedText.document(document)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "CPF,   52998224725,                          ***725",
        "PHONE, +5511987654321,                       ***4321",
        "EMAIL, maria@example.com,                    m***@example.com",
        "EVP,   123e4567-e12b-12d1-a456-426655440000, ***0000",
    })
    void aKeyIsMaskedByItsType(PixKey.Type type, String key, String shown) {
        assertThat(MaskedText.key(PixKey.parse(type, key))).isEqualTo(shown);
    }
}
