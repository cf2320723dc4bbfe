package dev.ligeiro.gateway.api.list.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "=1+1→'=1+1",
                "=HYPERLINK(\"http://x\")→'=HYPERLINK(\"http://x\")",
                "+1+1→'+1+1",
                "+→'+",
                "-1→'-1",
                "@SUM(A1)→'@SUM(A1)",
                "＝1→'＝1",
                "x;=1→x;'=1",
                "x;;-1;@y→x;;'-1;'@y",
                "x|+1→x|'+1",
                "x;\"=1+1→x;\"'=1+1",
                "x; =1→x; '=1",
                " =1→ '=1"
            })
    void aTextThatCouldBeAFormulaGetsAnApostrophe(String given, String expected) {
        assertThat(CellText.of(given)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t=1", "\r=1", "\n-1"})
    void aTextMayNotBeginWithATabOrALineBreak(String given) {
        assertThat(CellText.of(given)).isEqualTo("'" + given.charAt(0) + "'" + given.substring(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\t=1", "a\n=1", "a\r\n=1"})
    void aLineOrColumnInATextMayBeginACell(String given) {
        assertThat(CellText.of(given)).isEqualTo(given.replace("=1", "'=1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Maria Silva",
                "a=b",
                "1-2",
                "a, =b",
                "maria+1@example.com",
                "{\"a\": -1}",
                "a\r\nb",
                "'=1",
                "+5511987654321",
                "a; b",
                "é 日本 😀"
            })
    void anyOtherTextIsUnchanged(String given) {
        assertThat(CellText.of(given)).isSameAs(given);
    }
}
