package dev.ligeiro.gateway.page.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.html.Language;
import dev.ligeiro.gateway.http.html.PageFile;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageTextTest {

    private static final PageText PORTUGUESE = new PageText(Language.PORTUGUESE);
    private static final PageText ENGLISH = new PageText(Language.ENGLISH);

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            delimiter = '|',
            value = {
                "1234.56 | R$ 1.234,56  | R$ 1,234.56",
                "-0.01   | −R$ 0,01     | −R$ 0.01",
                "0.00    | R$ 0,00      | R$ 0.00",
                "-       | –            | –"
            })
    void amountsHaveTheFormOfTheLanguage(@Nullable String amount, String portuguese, String english) {
        assertThat(PORTUGUESE.amount(amount).replace('\u00a0', ' ')).isEqualTo(portuguese);
        assertThat(ENGLISH.amount(amount).replace('\u00a0', ' ')).isEqualTo(english);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, –",
                "0, 0 s",
                "99, 99 s",
                "100, 2 min",
                "5999, 100 min",
                "6000, 2 h",
                "172799, 48 h",
                "172800, 2 dias"
            })
    void durationsAreRounded(@Nullable Long seconds, String text) {
        assertThat(PORTUGUESE.duration(seconds).replace('\u00a0', ' ')).isEqualTo(text);
    }

    @Test
    void timesHaveTheFormOfTheLanguage() {
        assertThat(PORTUGUESE.time("2026-11-01 09:05:07")).isEqualTo("01/11/2026 09:05:07");
        assertThat(ENGLISH.time("2026-11-01 09:05:07")).isEqualTo("1 Nov 2026, 09:05:07");
        assertThat(ENGLISH.time("")).isEqualTo("–");
    }

    /** Banks and newer versions have codes that this version does not know. */
    @Test
    void anUnknownCodeIsShownAsItIs() {
        assertThat(ENGLISH.code("reason", "AB03")).isEqualTo("AB03");
        assertThat(ENGLISH.code("status", "paid")).isEqualTo("Paid");
    }

    @Test
    void bothLanguagesHaveTheSameTexts() {
        assertThat(texts("pt").stringPropertyNames()).isEqualTo(texts("en").stringPropertyNames());
    }

    @Test
    void eachActionHasItsTexts() {
        Stream<String> actions = Arrays.stream(TransactionActions.values()).map(TransactionActions::code);
        assertThat(texts("en").stringPropertyNames())
                .containsAll(actions.flatMap(code ->
                                List.of("action.", "confirm.", "done.").stream().map(kind -> kind + code))
                        .toList());
    }

    private static Properties texts(String language) {
        Properties texts = new Properties();
        String file = "/console/merchant/" + language + ".properties";
        try {
            texts.load(new StringReader(new String(PageFile.bytes(file), StandardCharsets.UTF_8)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return texts;
    }
}
