package dev.ligeiro.infra.loadtest.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LatencyPlotTest {

    @Test
    void drawsALineForEachPercentileOverTheOpenLoops() throws Exception {
        NodeList lines = parse(LatencyPlot.svg(Reports.report(List.of()))).getElementsByTagName("polyline");

        assertThat(lines.getLength()).isEqualTo(4);
        // the first line is p50: 1 ms at 500/s, 2 ms at 1,000/s
        List<Double> first = Stream.of(
                        ((Element) lines.item(0)).getAttribute("points").split("[ ,]"))
                .map(Double::valueOf)
                .toList();
        assertThat(first).hasSize(4).allMatch(value -> value >= 0 && value <= 760);
        assertThat(first.get(0)).as("a lower rate is further left").isLessThan(first.get(2));
        assertThat(first.get(1)).as("a higher latency is further up").isGreaterThan(first.get(3));
    }

    @Test
    void theTitleNamesAFailedAudit() {
        assertThat(LatencyPlot.svg(Reports.report(List.of("x")))).contains("(audit failed)");
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
}
