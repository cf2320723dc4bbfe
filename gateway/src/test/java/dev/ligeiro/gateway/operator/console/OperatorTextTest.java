package dev.ligeiro.gateway.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.html.Language;
import java.time.ZoneId;
import java.util.ResourceBundle;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

class OperatorTextTest {

    private static final Pattern PLACE = Pattern.compile("%(\\d\\$)?[sd]");

    private final OperatorText english = new OperatorText(Language.ENGLISH, ZoneId.of("America/Sao_Paulo"));

    @Test
    void bothLanguagesHaveTheSameTextsWithTheSamePlaces() {
        ResourceBundle portuguese = ResourceBundle.getBundle("console.operator.pt");
        ResourceBundle texts = ResourceBundle.getBundle("console.operator.en");

        assertThat(portuguese.keySet()).isEqualTo(texts.keySet());
        texts.keySet()
                .forEach(key ->
                        assertThat(places(portuguese.getString(key))).as(key).isEqualTo(places(texts.getString(key))));
    }

    private static String places(String text) {
        return PLACE.matcher(text)
                .results()
                .map(MatchResult::group)
                .sorted()
                .toList()
                .toString();
    }

    @ParameterizedTest
    @CsvSource({"10.00, R$ 10.00", "-7.05, −R$ 7.05", "1234567.89, 'R$ 1,234,567.89'"})
    void amountsMayBeNegative(String amount, String text) {
        assertThat(english.amount(JsonNodeFactory.instance.stringNode(amount)).replace('\u00a0', ' '))
                .isEqualTo(text);
    }

    @Test
    void whatIsNullIsADashAndAnUnknownCodeIsItself() {
        assertThat(english.amount(JsonNodeFactory.instance.nullNode())).isEqualTo("–");
        assertThat(english.age(JsonNodeFactory.instance.nullNode())).isEqualTo("–");
        assertThat(english.code("status", "new_status")).isEqualTo("new_status");
        assertThat(english.code("status", "in_process")).isEqualTo("in process");
    }
}
