package dev.ligeiro.pix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people and programs write is read into one form, or refused by the rule, without the text, which is personal data. */
class ParsingTest {

    private static final List<String> CHARACTERISTIC =
            List.of("", "+", "+55", "E", "@", ".", "-", "٣", "３", "\ud83d", "\u0000");

    private enum Kind {
        TAX_ID,
        PHONE,
        EMAIL,
        END_TO_END_ID,
        KEY_TYPE,
        CPF_KEY,
        CNPJ_KEY,
        PHONE_KEY,
        EMAIL_KEY,
        EVP_KEY;

        String parse(String text) {
            return switch (this) {
                case TAX_ID -> TaxId.parse(text).value();
                case PHONE -> Phone.parse(text).value();
                case EMAIL -> Email.parse(text).value();
                case END_TO_END_ID -> new EndToEndId(text).value();
                case KEY_TYPE -> PixKey.Type.parse(text).name();
                default ->
                    PixKey.parse(PixKey.Type.valueOf(name().replace("_KEY", "")), text)
                            .value();
            };
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
            TAX_ID;    123.456.789-09;                       12345678909
            TAX_ID;    123456789-09;                         12345678909
            TAX_ID;    12.ABC.345/01DE-35;                   12ABC34501DE35
            TAX_ID;    12abc34501de35;                       12ABC34501DE35
            TAX_ID;    6A3EDMWP000168;                       6A3EDMWP000168
            TAX_ID;    D7YDDI5H000162;                       D7YDDI5H000162
            TAX_ID;    Q2GROWP7000185;                       Q2GROWP7000185
            TAX_ID;    11.222.333/0001-81;                   11222333000181
            TAX_ID;    00000000000191;                       00000000000191
            PHONE;     +55 (11) 99999-8888;                  +5511999998888
            PHONE;     (+55) 11 99999.8888;                  +5511999998888
            PHONE;     (11)\u00a099999-8888;                 +5511999998888
            PHONE;     11 3333-4444;                         +551133334444
            PHONE;     5511999998888;                        +5511999998888
            PHONE;     55 99999-8888;                        +5555999998888
            PHONE;     55 3333-4444;                         +555533334444
            PHONE;     +1 415 555 2671;                      +14155552671
            PHONE;     +351 912/345/678;                     +351912345678
            EMAIL;     '  Maria.Silva@Example.com ';         Maria.Silva@Example.com
            EMAIL;     a+b_c!#$%&*/=?^`{|}~-@x-1.co.br;      a+b_c!#$%&*/=?^`{|}~-@x-1.co.br
            EMAIL;     joa\u0303o@exámple.com.br;            joa\u0303o@exámple.com.br
            EMAIL;     😀@example.com;                       😀@example.com
            KEY_TYPE;  eMail;                                EMAIL
            CPF_KEY;   123.456.789-09;                       12345678909
            CNPJ_KEY;  12.abc.345/01de-35;                   12ABC34501DE35
            PHONE_KEY; (11) 99999-8888;                      +5511999998888
            EMAIL_KEY; Maria@Example.COM;                    maria@example.com
            EVP_KEY;   123E4567-E12B-12D1-A456-426655440000; 123e4567-e12b-12d1-a456-426655440000
            EVP_KEY;   ' 00000000-0000-0000-0000-000000000000 '; 00000000-0000-0000-0000-000000000000
            """)
    void eachWayToWriteItIsReadIntoOneForm(Kind kind, String text, String value) {
        assertThat(kind.parse(text)).isEqualTo(value);
        assertThat(kind.parse(value)).isEqualTo(value);
    }

    /** In lower or upper case the dotless i, the Kelvin sign and the long s are ASCII letters. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
            TAX_ID; expected 11 digits of a CPF or 14 characters of a CNPJ; '| |1234567890|123456789090|1234567890A|12ABC34501DEA5|6A3EDMWP00016８|D7YDDı5H000162|١٢٣٤٥٦٧٨٩٠٩|123_456_789_09'
            TAX_ID; expected a CPF or CNPJ with valid check digits; 12345678900|12345678919|12ABC34501DE45|11222333000182|00000000000|99999999999|11111111111111
            PHONE; expected a phone number: + and 7 to 15 digits; |+|+55|abc|+0123456789|+123456|+1234567890123456|++5511999998888|11+999998888|+14155552671x5|+55119999988٨٨
            PHONE; expected a Brazilian phone number: area code (11 to 99) and 8 or 9 digits; 99998888|+5510999998888|+5501999998888|+55119999|+55119999988889|011999998888
            EMAIL; 'expected an e-mail address: name@domain, the domain with a dot'; |@|maria|maria@|@example.com|maria@example|maria@@example.com|maria@.com|maria@example..com|maria@-example.com|maria@example-.com|maria silva@example.com|maria\u00a0silva@example.com|maria\u0000@example.com|maria\u200b@example.com|<maria@example.com>|maria@example.com,ana@example.com|maria@[127.0.0.1]
            END_TO_END_ID; 'expected an end-to-end id: E, 8 letters or digits of the ISPB, 12 digits of the minute, 11 letters or digits'; |D1234567820260701123400000000000|e1234567820260701123400000000000|E123456782026070112340000000000|E12345678202607011234000000000000|E1234567820260701123A00000000000|E12345678202607011234000000000-0|E1234567820260701123٤00000000000
            KEY_TYPE; expected CPF, CNPJ, PHONE, EMAIL or EVP; |CPFS|RANDOM
            CPF_KEY; expected a CPF; 11222333000181
            CNPJ_KEY; expected a CNPJ; 12345678909
            PHONE_KEY; expected a phone number of Brazil (+55); +14155552671
            EMAIL_KEY; expected an e-mail address without accents; joão@example.com|\u212aarin@example.com
            EVP_KEY; expected a UUID: 8-4-4-4-12 hexadecimal digits; |123e4567e12b12d1a456426655440000|123e4567-e12b-12d1-a456-42665544000g|1-1-1-1-1
            """)
    void otherTextIsRefusedByTheRule(Kind kind, String rule, String texts) {
        assertThat(texts.split("\\|", -1)).allSatisfy(text -> assertThatIllegalArgumentException()
                .isThrownBy(() -> kind.parse(text))
                .withMessage(rule));
    }

    @Test
    void anEmailHasAtMost77CharactersCountedAsCodePoints() {
        assertThat(Email.parse("😀".repeat(65) + "@example.com").value()).hasSize(142);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Email.parse("a".repeat(66) + "@example.com"))
                .withMessage("expected an e-mail address of at most 77 characters");
    }

    @Test
    void theConstructorsAcceptOnlyTheNormalForm() {
        Stream.<Runnable>of(
                        () -> new TaxId("123.456.789-09"),
                        () -> new TaxId("12abc34501de35"),
                        () -> new Phone("11999998888"),
                        () -> new PixKey(PixKey.Type.CPF, "123.456.789-09"),
                        () -> new PixKey(PixKey.Type.EMAIL, "Maria@example.com"))
                .forEach(made -> assertThatIllegalArgumentException().isThrownBy(made::run));
    }

    @Test
    void theTextFormsHideTheValues() {
        assertThat(Stream.of(
                                TaxId.parse("12345678909"),
                                Phone.parse("+5511999998888"),
                                Email.parse("maria@example.com"),
                                PixKey.parse(PixKey.Type.EMAIL, "maria@example.com"))
                        .map(Object::toString))
                .containsExactly("TaxId[CPF]", "Phone[hidden]", "Email[hidden]", "PixKey[EMAIL]");
    }

    @Property(tries = 500)
    void hostileTextIsRefusedOnlyByARuleThatDoesNotRepeatIt(@ForAll("texts") String text, @ForAll Kind kind) {
        Throwable thrown = catchThrowable(() -> kind.parse(text));

        if (thrown != null) {
            assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasNoCause();
            assertThat(thrown.getMessage()).startsWith("expected ");
            if (text.length() > 20) {
                assertThat(thrown.getMessage()).doesNotContain(text);
            }
        }
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> any = Arbitraries.strings().all().ofMaxLength(120);
        Arbitrary<String> digits =
                Arbitraries.strings().numeric().withChars(".-/+@ ").ofMaxLength(40);
        Arbitrary<String> pieced = Combinators.combine(
                        Arbitraries.of(CHARACTERISTIC), Arbitraries.oneOf(any, digits), Arbitraries.of(CHARACTERISTIC))
                .as((before, text, after) -> before + text + after);
        Arbitrary<String> huge = Combinators.combine(Arbitraries.of(CHARACTERISTIC), any)
                .as((piece, text) -> (piece + text).repeat(2_000));
        return Arbitraries.frequencyOf(Tuple.of(4, pieced), Tuple.of(4, digits), Tuple.of(1, huge));
    }

    @Property(tries = 300)
    void nationalAndInternationalFormAreTheSamePhone(
            @ForAll @IntRange(min = 11, max = 99) int area,
            @ForAll @LongRange(min = 10_000_000, max = 999_999_999) long number) {
        String national = "" + area + number;

        assertThat(Phone.parse(national))
                .isEqualTo(Phone.parse("55" + national))
                .isEqualTo(Phone.parse("+55 (" + area + ") " + number))
                .isEqualTo(new Phone("+55" + national));
        assertThat(Phone.parse(national).isBrazilian()).isTrue();
    }

    @Property(tries = 500)
    void aTaxIdHasItsCheckDigitsAndNoOther(
            @ForAll("taxIds") String value,
            @ForAll @IntRange(min = 1, max = 2) int fromEnd,
            @ForAll @IntRange(min = 1, max = 9) int shift) {
        int at = value.length() - fromEnd;
        char wrong = (char) ('0' + (value.charAt(at) - '0' + shift) % 10);

        assertThat(TaxId.parse(value).value()).isEqualTo(value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaxId.parse(value.substring(0, at) + wrong + value.substring(at + 1)))
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
