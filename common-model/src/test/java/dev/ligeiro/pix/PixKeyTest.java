package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.pix.PixKey.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PixKeyTest {

    @ParameterizedTest
    @CsvSource({
        "CPF,   123.456.789-09,                       12345678909",
        "CNPJ,  11.222.333/0001-81,                   11222333000181",
        "CNPJ,  12.abc.345/01de-35,                   12ABC34501DE35",
        "PHONE, (11) 99999-8888,                      +5511999998888",
        "PHONE, 5511999998888,                        +5511999998888",
        "EMAIL, Maria@Example.COM,                    maria@example.com",
        "EVP,   123E4567-E12B-12D1-A456-426655440000, 123e4567-e12b-12d1-a456-426655440000",
        "EVP,   ' 00000000-0000-0000-0000-000000000000 ', 00000000-0000-0000-0000-000000000000",
    })
    void readsAKeyIntoItsNormalForm(Type type, String text, String value) {
        assertThat(PixKey.parse(type, text)).isEqualTo(new PixKey(type, value));
    }

    @ParameterizedTest
    @CsvSource({
        "CPF,   11222333000181,                        expected a CPF",
        "CNPJ,  12345678909,                           expected a CNPJ",
        "CPF,   12345678900,                           expected a CPF or CNPJ with valid check digits",
        "CPF,   maria@example.com,                     expected 11 digits of a CPF or 14 characters of a CNPJ",
        "PHONE, +14155552671,                          expected a phone number of Brazil (+55)",
        "PHONE, maria@example.com,                     expected a phone number: + and 7 to 15 digits",
        "EMAIL, +5511999998888,                        'expected an e-mail address: name@domain, the domain with a dot'",
        "EMAIL, joão@example.com,                      expected an e-mail address without accents",
        // in lower case the Kelvin sign is a k
        "EMAIL, \u212aarin@example.com,                expected an e-mail address without accents",
        "EVP,   123e4567e12b12d1a456426655440000,      expected a UUID: 8-4-4-4-12 hexadecimal digits",
        "EVP,   123e4567-e12b-12d1-a456-42665544000g,  expected a UUID: 8-4-4-4-12 hexadecimal digits",
        "EVP,   1-1-1-1-1,                             expected a UUID: 8-4-4-4-12 hexadecimal digits",
        "EVP,   '',                                    expected a UUID: 8-4-4-4-12 hexadecimal digits",
    })
    void refusesAKeyOfAnotherTypeWithTheExpectedForm(Type type, String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PixKey.parse(type, text))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"CPF, CPF", "cnpj, CNPJ", "Phone, PHONE", "eMail, EMAIL", "evp, EVP"})
    void readsTypesInEitherCase(String text, Type type) {
        assertThat(Type.parse(text)).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "CPFS", "RANDOM", " "})
    void refusesUnknownTypes(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Type.parse(text))
                .withMessage("expected CPF, CNPJ, PHONE, EMAIL or EVP");
    }

    @ParameterizedTest
    @CsvSource({"CPF, 123.456.789-09", "PHONE, 11999998888", "EMAIL, Maria@example.com"})
    void theConstructorAcceptsOnlyTheNormalForm(Type type, String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PixKey(type, text))
                .withMessage("expected a Pix key in its normal form");
    }

    @Test
    void textFormHidesTheValue() {
        assertThat(PixKey.parse(Type.EMAIL, "maria@example.com")).hasToString("PixKey[EMAIL]");
    }
}
