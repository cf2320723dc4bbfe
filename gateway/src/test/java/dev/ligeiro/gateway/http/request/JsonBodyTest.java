package dev.ligeiro.gateway.http.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class JsonBodyTest {

    private static ProblemCode refusalOf(byte[] json) {
        try {
            JsonBody.parse(json);
        } catch (Problem refusal) {
            return refusal.code();
        }
        throw new AssertionError("was read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[]",
                "[{}]",
                "null",
                "1",
                "\"a\"",
                "{\"a\":1",
                "{\"a\":1,}",
                "{'a':1}",
                "{a:1}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":1}{}",
                "{\"a\":1} x",
                "{\"a\":1}]",
                "{\"a\":1,\"a\":1}",
                "{\"b\":{\"a\":1,\"a\":2}}",
                "{\"a\":\"\u0001\"}",
                "{\"a\":\"\\x\"}",
                "// a comment\n{}",
                "{\"a\":1}\u0000"
            })
    void anythingButOneObjectIsMalformed(String json) {
        assertThat(refusalOf(json.getBytes(UTF_8))).isEqualTo(ProblemCode.MALFORMED_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
    void onlyUtf8IsJson(Charset charset) {
        assertThat(refusalOf("{\"a\":\"é\"}".getBytes(charset))).isEqualTo(ProblemCode.MALFORMED_REQUEST);
        assertThat(refusalOf("\uFEFF{}".getBytes(charset))).isEqualTo(ProblemCode.MALFORMED_REQUEST);
    }

    @Test
    void bytesThatAreNotUtf8AreMalformed() {
        assertThat(refusalOf("{\"a\":\"é\"}".getBytes(ISO_8859_1))).isEqualTo(ProblemCode.MALFORMED_REQUEST);
    }

    /** Jackson reads them as other characters: these are longer forms of "A", and a code point above U+10FFFF. */
    @ParameterizedTest
    @ValueSource(strings = {"c181", "e08181", "f0808181", "f4908080"})
    void overlongAndTooHighUtf8IsMalformed(String hex) {
        byte[] start = "{\"a\":\"".getBytes(UTF_8);
        byte[] character = HexFormat.of().parseHex(hex);
        byte[] json = ByteBuffer.allocate(start.length + character.length + 2)
                .put(start)
                .put(character)
                .put("\"}".getBytes(UTF_8))
                .array();

        assertThat(refusalOf(json)).isEqualTo(ProblemCode.MALFORMED_REQUEST);
    }

    /** RFC 8259 §8.1 lets a reader ignore it. */
    @Test
    void aByteOrderMarkOfUtf8IsIgnored() {
        assertThat(JsonBody.parse("\uFEFF{\"a\":1}".getBytes(UTF_8)).path("a").asInt())
                .isEqualTo(1);
    }

    @Test
    void deepNestingIsMalformedAndNoStackOverflow() {
        String deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
        String array = "{\"a\":" + "[".repeat(60_000);

        assertThat(refusalOf(deep.getBytes(UTF_8))).isEqualTo(ProblemCode.MALFORMED_REQUEST);
        assertThat(refusalOf(array.getBytes(UTF_8))).isEqualTo(ProblemCode.MALFORMED_REQUEST);
    }

    /** Java's BigDecimal has no such exponent. */
    @ParameterizedTest
    @ValueSource(strings = {"1e2147483648", "1e-2147483648", "0e2147483648", "-1.5E+99999999999"})
    void aNumberWithAHugeExponentIsMalformed(String number) {
        assertThat(detailOf("{\"amount\":" + number + "}"))
                .isEqualTo(
                        "expected numbers with exponents of at most 9 digits, exceeded at line 1, column 11, in /amount");
        assertThat(refusalOf(("{\"ignored\":[" + number + "]}").getBytes(UTF_8)))
                .isEqualTo(ProblemCode.MALFORMED_REQUEST);
    }

    @ParameterizedTest
    @CsvSource({"0.1, 0.1", "9999999999.99, 9999999999.99", "1e2, 100", "123456789012345678.5, 123456789012345678.5"})
    void numbersAreReadExactly(String number, BigDecimal expected) {
        ObjectNode object = JsonBody.parse(("{\"a\":" + number + "}").getBytes(UTF_8));

        assertThat(object.path("a").decimalValue()).isEqualByComparingTo(expected);
    }

    /** A detail that quotes the body would bring it into logs. */
    @Test
    void theProblemNamesThePlaceAndNotTheContent() {
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> JsonBody.parse("{\n \"document\":\"52998224725\",,}".getBytes(UTF_8)))
                .satisfies(problem -> assertThat(problem.detail())
                        .isEqualTo("expected a JSON object, unreadable at line 2, column 27, in /document"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = ';',
            value = {
                "{\"a\":{\"b\":[1,x]}}; unreadable at line 1, column 14, in /a/b/1",
                "{\"52998224725\":x}; unreadable at line 1, column 16",
                "{\"amount\":1,\"amount\":2}; found a second one at line 1, column 22, in /amount",
                "{\"a\":1} {}; found more at line 1, column 9",
                "{\"a\":1; unreadable at line 1, column 7, in /a",
            })
    void theProblemNamesThePlace(String json, String place) {
        assertThat(detailOf(json)).endsWith(place);
    }

    @Test
    void theProblemNamesTheLimit() {
        assertThat(detailOf("{\"a\":".repeat(40)))
                .startsWith("expected at most 32 levels and numbers of at most 1000 digits, exceeded at line 1");
        assertThat(detailOf("{\"a\":" + "9".repeat(1_001) + "}")).contains("1000 digits, exceeded at line 1");
    }

    private static String detailOf(String json) {
        try {
            JsonBody.parse(json.getBytes(UTF_8));
        } catch (Problem refusal) {
            return refusal.detail();
        }
        throw new AssertionError("was read");
    }
}
