package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhoneTest {

    @ParameterizedTest
    @CsvSource({
        "+5511999998888,        +5511999998888",
        "+55 (11) 99999-8888,   +5511999998888",
        "(+55) 11 99999.8888,   +5511999998888",
        "11999998888,           +5511999998888",
        "(11) 99999-8888,       +5511999998888",
        "(11)\u00a099999-8888,  +5511999998888",
        "11 3333-4444,          +551133334444",
        "5511999998888,         +5511999998888",
        "551133334444,          +551133334444",
        "55 99999-8888,         +5555999998888",
        "55 3333-4444,          +555533334444",
        "+1 415 555 2671,       +14155552671",
        "+351 912/345/678,      +351912345678",
    })
    void readsPunctuatedInternationalAndNationalForms(String text, String value) {
        assertThat(Phone.parse(text).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+",
                "+55",
                "abc",
                "+0123456789",
                "+123456",
                "+1234567890123456",
                "++5511999998888",
                "11+999998888",
                "+14155552671x5",
                "+55119999988٨٨",
                "١١٩٩٩٩٩٨٨٨٨"
            })
    void refusesMalformedNumbers(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Phone.parse(text))
                .withMessage("expected a phone number: + and 7 to 15 digits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "99998888",
                "999998888",
                "+5510999998888",
                "+5501999998888",
                "+55119999",
                "+55119999988889",
                "011999998888",
                "4155552671234"
            })
    void refusesBrazilianNumbersWithoutAreaCodeOrOfAnotherLength(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Phone.parse(text))
                .withMessage("expected a Brazilian phone number: area code (11 to 99) and 8 or 9 digits");
    }

    @ParameterizedTest
    @CsvSource({"+5511999998888, true", "+14155552671, false", "+351912345678, false"})
    void recognisesBrazilianNumbers(String text, boolean brazilian) {
        assertThat(Phone.parse(text).isBrazilian()).isEqualTo(brazilian);
    }

    @Property(tries = 300)
    void nationalAndInternationalFormAreTheSamePhone(
            @ForAll @IntRange(min = 11, max = 99) int area,
            @ForAll @LongRange(min = 10_000_000, max = 999_999_999) long number) {
        String national = "" + area + number;

        assertThat(Phone.parse(national))
                .isEqualTo(Phone.parse("55" + national))
                .isEqualTo(Phone.parse("+55" + national))
                .isEqualTo(Phone.parse("+55 (" + area + ") " + number))
                .isEqualTo(new Phone("+55" + national));
    }

    @Test
    void theConstructorAcceptsOnlyE164() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Phone("11999998888"))
                .withMessage("expected a phone number: + and 7 to 15 digits");
    }

    @Test
    void textFormHidesTheValue() {
        assertThat(Phone.parse("+5511999998888")).hasToString("Phone[hidden]");
    }
}
