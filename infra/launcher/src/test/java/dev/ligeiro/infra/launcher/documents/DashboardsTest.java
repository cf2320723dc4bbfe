package dev.ligeiro.infra.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The boards of Grafana. */
class DashboardsTest {

    private static final String FOLDER = "infra/grafana/dashboards";
    private static final String DATA_SOURCE = "${datasource}";
    private static final String OF_NAMESPACE = "{namespace=~\"$namespace\"";

    private final KnownNames names = new KnownNames();

    static List<Path> boards() {
        return Checkout.files(FOLDER, ".json");
    }

    @ParameterizedTest
    @MethodSource("boards")
    void aBoardShowsMetricsThatExist(Path file) {
        JsonNode board = JsonMapper.shared().readTree(file);
        assertThat(file).hasFileName(board.required("uid").asString() + ".json");
        assertThat(board.required("title").asString()).startsWith("Ligeiro");
        assertThat(board.required("panels").values()).isNotEmpty().allSatisfy(panel -> {
            String title = panel.required("title").asString();
            assertThat(panel.required("datasource").required("uid").asString()).isEqualTo(DATA_SOURCE);
            assertThat(panel.required("targets").values()).isNotEmpty().allSatisfy(target -> {
                String expression = target.required("expr").asString();
                names.assertKnown(title, expression);
                assertThat(new Expression(expression).series()).as(title).allSatisfy(series -> assertThat(
                                expression.replace(series + OF_NAMESPACE, ""))
                        .doesNotContainPattern("\\b" + series + "\\b"));
            });
        });
        assertThat(board.at("/templating/list").values())
                .extracting(variable -> variable.required("name").asString())
                .containsExactly("datasource", "namespace");
    }
}
