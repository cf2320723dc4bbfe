package dev.ligeiro.infra.loadtest.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.merchant.Timeline;
import dev.ligeiro.infra.loadtest.system.Role;
import java.io.StringReader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ScaleFigureTest {

    private static final List<ScalePhase> PHASES =
            List.of(phase(1, 1, 0, 2), phase(1, 3, 2, 3), phase(3, 3, 3, 7), phase(3, 1, 7, 8), phase(1, 1, 8, 10));

    @Test
    void drawsALineForEachPercentileOfResponsesAndWebhooks() throws Exception {
        Timeline webhooks = timeline(12);

        Document svg = parse(new ScaleFigure(PHASES).svg(timeline(3), webhooks));

        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(4);
        String points = ((Element) svg.getElementsByTagName("polyline").item(0)).getAttribute("points");
        assertThat(points.split(" ")).as("one for each second").hasSize(10);
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("processes of gateway", "p50", "p99", "1 ms", "100 ms");
    }

    @Test
    void aPhaseIsARowOfTheTable() {
        assertThat(PHASES.get(3).row(timeline(3), timeline(12)))
                .containsEntry("service", "gateway")
                .containsEntry("processes", "3 → 1")
                .containsEntry("201 p50 / p99 ms", "3.0 / 3")
                .containsEntry("failed", "0")
                .containsEntry("of the service", "");
        assertThat(PHASES.get(2).row(timeline(3), timeline(12)))
                .containsEntry("processes", "3")
                .containsEntry("of the service", "0.75");
    }

    private static ScalePhase phase(int before, int after, int from, int to) {
        return new ScalePhase(Role.GATEWAY, before, after, from, to, 150, 1.5, after < before ? null : 0.75, 7, 0, 0);
    }

    /** A call a second that takes this long. */
    private static Timeline timeline(int millis) {
        Timeline responses = new Timeline(0);
        Load load = Load.open(Scenario.PAY, 1, 0, 0, Long.MAX_VALUE).withTimelines(new Timeline(0), responses);
        for (int second = 0; second < 10; second++) {
            long dueAt = TimeUnit.SECONDS.toNanos(second);
            load.finishedByWebhook(dueAt, dueAt + TimeUnit.MILLISECONDS.toNanos(millis));
        }
        return responses;
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}
