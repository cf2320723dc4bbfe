package dev.ligeiro.infra.launcher.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The boards of Grafana. */
class DashboardsTest {

    private static final String FOLDER = "infra/grafana/dashboards";
    private static final String DATA_SOURCE = "prometheus";

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
            assertThat(panel.required("targets").values())
                    .isNotEmpty()
                    .allSatisfy(target ->
                            names.assertKnown(title, target.required("expr").asString()));
        });
    }

    @ParameterizedTest
    @MethodSource("boards")
    void panelsDoNotOverlap(Path file) {
        boolean[][] taken = new boolean[200][24];
        for (JsonNode panel :
                JsonMapper.shared().readTree(file).required("panels").values()) {
            JsonNode place = panel.required("gridPos");
            for (int y = 0; y < place.required("h").asInt(); y++) {
                for (int x = 0; x < place.required("w").asInt(); x++) {
                    boolean[] row = taken[place.required("y").asInt() + y];
                    int column = place.required("x").asInt() + x;
                    assertThat(row[column])
                            .as(panel.required("title").asString())
                            .isFalse();
                    row[column] = true;
                }
            }
        }
    }

    @Test
    void thereIsOneBoardForAllAndOneForEachService() {
        assertThat(boards())
                .extracting(board -> board.getFileName().toString())
                .containsExactly(
                        "ligeiro-gateway.json",
                        "ligeiro-processor.json",
                        "ligeiro-webhook-dispatcher.json",
                        "ligeiro.json");
    }
}
