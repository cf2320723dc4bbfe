package dev.ligeiro.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.Amount;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                            | PORTUGUESE",
                "pt-BR,pt;q=0.9,en;q=0.8     | PORTUGUESE",
                "pt-PT                       | PORTUGUESE",
                "en                          | ENGLISH",
                "en-US,en;q=0.9,pt;q=0.8     | ENGLISH",
                "en;q=0.5,pt;q=0.6           | PORTUGUESE",
                "fr,en;q=0.5                 | ENGLISH",
                "de                          | PORTUGUESE",
                "*                           | PORTUGUESE",
                "en;q=much                   | PORTUGUESE",
                ";;;                         | PORTUGUESE"
            })
    void theHeaderDecides(String acceptLanguage, Language language) {
        assertThat(Language.preferred(acceptLanguage)).isEqualTo(language);
    }

    /** With the fault a header of 8 kB took milliseconds of an event loop. */
    @Test
    void aHeaderThatNoBrowserSendsIsNotRead() {
        assertThat(Language.preferred("en" + ",en".repeat(66))).isEqualTo(Language.ENGLISH);
        assertThat(Language.preferred("en" + ",en".repeat(67))).isEqualTo(Language.PORTUGUESE);
    }

    @ParameterizedTest
    @CsvSource({
        "1,            'R$ 0,01',             R$ 0.01",
        "10,           'R$ 0,10',             R$ 0.10",
        "100,          'R$ 1,00',             R$ 1.00",
        "15075,        'R$ 150,75',           R$ 150.75",
        "123456,       'R$ 1.234,56',         'R$ 1,234.56'",
        "999999999999, 'R$ 9.999.999.999,99', 'R$ 9,999,999,999.99'"
    })
    void amountsHaveTheSeparatorsOfTheLanguage(long cents, String portuguese, String english) {
        assertThat(Language.PORTUGUESE.format(new Amount(cents)).replace('\u00a0', ' '))
                .isEqualTo(portuguese);
        assertThat(Language.ENGLISH.format(new Amount(cents)).replace('\u00a0', ' '))
                .isEqualTo(english);
    }

    @Test
    void aSumOfManyAmountsMayBeNegativeAndAboveTheLargest() {
        assertThat(Language.ENGLISH.amount("-12345678901.50").replace('\u00a0', ' '))
                .isEqualTo("\u2212R$ 12,345,678,901.50");
    }

    @Test
    void timesHaveTheirZone() {
        Instant at = Instant.parse("2026-11-23T00:50:00Z");
        ZoneId zone = ZoneId.of("America/Sao_Paulo");

        assertThat(Language.PORTUGUESE.format(at, zone)).isEqualTo("22/11/2026 21:50 (GMT-3)");
        assertThat(Language.ENGLISH.format(at, zone)).isEqualTo("22 Nov 2026, 21:50 (GMT-3)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1.000,00; 1000.00",
                "1,000.00; 1000.00",
                "R$ 1.000; 1000",
                "1000,5; 1000.5",
                "12.50; 12.50",
                "1.000.000,00; 1000000.00",
                "1000; 1000",
                "1.00,00; 1.00,00",
                "muito; muito",
                "-1; -1"
            })
    void amountsAreTakenInBothForms(String entered, String sent) {
        assertThat(Language.amountOf(entered)).isEqualTo(sent);
    }
}
