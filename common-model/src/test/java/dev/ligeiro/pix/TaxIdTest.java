package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaxIdTest {

    private static final String MALFORMED = "expected 11 digits of a CPF or 14 characters of a CNPJ";

    @ParameterizedTest
    @CsvSource({
        "123.456.789-09,     CPF,  12345678909",
        "12345678909,        CPF,  12345678909",
        "123456789-09,       CPF,  12345678909",
        "529.982.247-25,     CPF,  52998224725",
        "12ABC34501DE35,     CNPJ, 12ABC34501DE35",
        "12abc34501de35,     CNPJ, 12ABC34501DE35",
        "12.ABC.345/01DE-35, CNPJ, 12ABC34501DE35",
        "6A3EDMWP000168,     CNPJ, 6A3EDMWP000168",
        "D7YDDI5H000162,     CNPJ, D7YDDI5H000162",
        "Q2GROWP7000185,     CNPJ, Q2GROWP7000185",
        "11222333000181,     CNPJ, 11222333000181",
        "11.222.333/0001-81, CNPJ, 11222333000181",
        "26637142000158,     CNPJ, 26637142000158",
        "00000000000191,     CNPJ, 00000000000191",
    })
    void readsBothKindsWithAndWithoutMask(String text, TaxId.Kind kind, String value) {
        TaxId taxId = TaxId.parse(text);

        assertThat(taxId.kind()).isEqualTo(kind);
        assertThat(taxId.value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1234567890",
                "123456789090",
                "1234567890A",
                "1222333000181",
                "112223330001811",
                "12ABC34501DEA5",
                "12ÁBC34501DE35",
                "6A3EDMWP00016８",
                "١٢٣٤٥٦٧٨٩٠٩",
                "123_456_789_09"
            })
    void refusesMalformedTaxIds(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> TaxId.parse(text)).withMessage(MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678900",
                "12345678919",
                "12ABC34501DE45",
                "11222333000182",
                "00000000000",
                "11111111111",
                "99999999999",
                "00000000000000",
                "11111111111111"
            })
    void refusesWrongCheckDigitsAndOneCharacterRepeated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaxId.parse(text))
                .withMessage("expected a CPF or CNPJ with valid check digits");
    }

    @Test
    void lettersOfOtherScriptsDoNotBecomeCnpjLetters() {
        // in upper case the dotless i is an I
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaxId.parse("D7YDDı5H000162"))
                .withMessage(MALFORMED);
    }

    @Test
    void theConstructorAcceptsOnlyTheNormalForm() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TaxId("123.456.789-09"))
                .withMessage(MALFORMED);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TaxId("12abc34501de35"))
                .withMessage(MALFORMED);
    }

    @Test
    void textFormHidesTheValue() {
        assertThat(TaxId.parse("12345678909")).hasToString("TaxId[CPF]");
    }

    @Property(tries = 500)
    void acceptsEveryNumberWithItsCheckDigits(@ForAll("taxIds") String value) {
        assertThat(TaxId.parse(value).value()).isEqualTo(value);
    }

    @Property(tries = 500)
    void refusesAnyOneWrongCheckDigit(
            @ForAll("taxIds") String value,
            @ForAll @IntRange(min = 1, max = 2) int fromEnd,
            @ForAll @IntRange(min = 1, max = 9) int shift) {
        int at = value.length() - fromEnd;
        char wrong = (char) ('0' + (value.charAt(at) - '0' + shift) % 10);
        String damaged = value.substring(0, at) + wrong + value.substring(at + 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaxId.parse(damaged))
                .withMessage("expected a CPF or CNPJ with valid check digits");
    }

    @Provide
    Arbitrary<String> taxIds() {
        Arbitrary<String> cpfs = Arbitraries.strings()
                .numeric()
                .ofLength(9)
                .map(base -> withCheckDigits(base, new int[] {11, 10, 9, 8, 7, 6, 5, 4, 3, 2}));
        Arbitrary<String> cnpjs = Arbitraries.strings()
                .withCharRange('0', '9')
                .withCharRange('A', 'Z')
                .ofLength(12)
                .map(base -> withCheckDigits(base, new int[] {6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}));
        return Arbitraries.oneOf(cpfs, cnpjs)
                .filter(value -> value.chars().distinct().count() > 1);
    }

    /** Uses the weights as the Receita Federal publishes them, independently of the code under test. */
    private static String withCheckDigits(String base, int[] weights) {
        String first = base + checkDigit(base, weights, 1);
        return first + checkDigit(first, weights, 0);
    }

    private static int checkDigit(String digits, int[] weights, int skip) {
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            sum += (digits.charAt(i) - 48) * weights[skip + i];
        }
        return sum % 11 < 2 ? 0 : 11 - sum % 11;
    }
}
