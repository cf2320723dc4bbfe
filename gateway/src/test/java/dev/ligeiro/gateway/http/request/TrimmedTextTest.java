package dev.ligeiro.gateway.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.view.TrimmedText;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import tools.jackson.databind.json.JsonMapper;

/** Texts of bodies and of queries. */
class TrimmedTextTest {

    private static final List<String> INVISIBLE = List.of(
            " ",
            "\t",
            "\n",
            "\u0085",
            "\u00A0",
            "\u00AD",
            "\u034F",
            "\u061C",
            "\u115F",
            "\u180E",
            "\u2003",
            "\u200B",
            "\u200D",
            "\u2028",
            "\u202E",
            "\u202F",
            "\u2060",
            "\u3000",
            "\u3164",
            "\uFE0F",
            "\uFEFF",
            "\uFFA0",
            "\uDB40\uDC01",
            "\uDB40\uDFFF");

    /** With the fault, both were two transactions. */
    @Test
    void aReferenceThatLooksTheSameIsTheSame() {
        for (String invisible : INVISIBLE) {
            assertThat(field(invisible + "order-1" + invisible + " " + invisible))
                    .isEqualTo("order-1");
            assertThat(parameter(invisible + "order-1" + invisible)).isEqualTo("order-1");
            assertThat(field(invisible + " ")).isNull();
            assertThat(parameter(invisible + " ")).isNull();
            assertThat(required(invisible)).containsExactly("reference:required");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-1",
                "a\u00A0b",
                "a\u200Db",
                "é",
                "Ação",
                "李",
                "\uD83D\uDE00",
                "\u2010",
                "\uFFFB",
                "\uDB3F\uDFFD"
            })
    void whatIsVisibleStays(String text) {
        assertThat(field(text)).isEqualTo(text);
        assertThat(parameter(text)).isEqualTo(text);
    }

    /** The JDK knows the first of the two properties. */
    @Test
    void allWhiteSpaceIsTrimmed() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .mapToObj(Character::toString)
                        .filter(character -> character.matches("\\p{IsWhite_Space}")))
                .hasSize(25)
                .allMatch(character -> TrimmedText.of(character).isEmpty());
    }

    private static @Nullable String field(String text) {
        return fields(text).optionalText("reference", 50);
    }

    private static List<String> required(String text) {
        Fields fields = fields(text);
        fields.requiredText("reference", 50);
        try {
            fields.orThrow();
            return List.of();
        } catch (Problem problem) {
            return problem.errors().stream()
                    .map(error -> error.field() + ":" + error.code())
                    .toList();
        }
    }

    private static Fields fields(String text) {
        return new Fields(JsonMapper.shared().createObjectNode().put("reference", text));
    }

    private static @Nullable String parameter(String text) {
        MultiValueMap<String, String> query = new LinkedMultiValueMap<>();
        query.add("reference", text);
        return new QueryParameters(query, Set.of("reference")).parsed("reference", value -> value);
    }
}
