package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailTest {

    @ParameterizedTest
    @CsvSource({
        "maria@example.com,                maria@example.com",
        "'  Maria.Silva@Example.com ',     Maria.Silva@Example.com",
        "a+b_c!#$%&'*/=?^`{|}~-@x-1.co.br, a+b_c!#$%&'*/=?^`{|}~-@x-1.co.br",
        "joão@exámple.com.br,              joão@exámple.com.br",
        "joa\u0303o@example.com,           joa\u0303o@example.com",
        "😀@example.com,                   😀@example.com",
    })
    void keepsTheAddressAndRemovesSpacesAroundIt(String text, String value) {
        assertThat(Email.parse(text).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "@",
                "maria",
                "maria@",
                "@example.com",
                "maria@example",
                "maria@@example.com",
                "maria@a@example.com",
                "maria@.com",
                "maria@example.",
                "maria@example..com",
                "maria@-example.com",
                "maria@example-.com",
                "maria silva@example.com",
                "maria@exam ple.com",
                "maria\u00a0silva@example.com",
                "maria\t@example.com",
                "maria\u0000@example.com",
                "maria\u200b@example.com",
                "maria\u202e@example.com",
                "maria\r\nBcc:x@example.com",
                "maria\ud83d@example.com",
                "<maria@example.com>",
                "maria@example.com,ana@example.com",
                "maria@[127.0.0.1]"
            })
    void refusesMalformedAddresses(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Email.parse(text))
                .withMessage("expected an e-mail address: name@domain, the domain with a dot");
    }

    @Test
    void holdsAtMost77CharactersCountedAsCodePoints() {
        assertThat(Email.parse("😀".repeat(65) + "@example.com").value()).hasSize(142);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Email.parse("a".repeat(66) + "@example.com"))
                .withMessage("expected an e-mail address of at most 77 characters");
    }

    @Test
    void textFormHidesTheValue() {
        assertThat(Email.parse("maria@example.com")).hasToString("Email[hidden]");
    }
}
