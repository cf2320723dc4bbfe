package dev.ligeiro.infra.loadtest.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LatencyPlotTest {

    private static final int LINES = 5;
    private static final int OPEN_STEPS = 2;

    @Test
    void drawsALineForEachPercentileOverTheOpenLoops() throws Exception {
        Document svg = parse(LatencyPlot.svg(Results.run(List.of())));

        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(LINES);
        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(LINES * OPEN_STEPS);
    }

    @Test
    void ratesGoRightAndLatenciesGoUp() throws Exception {
        NodeList points = parse(LatencyPlot.svg(Results.run(List.of()))).getElementsByTagName("circle");

        // the first line is p50, with 1 ms at 500/s and 2 ms at 1,000/s
        assertThat(attribute(points, 0, "cx")).isLessThan(attribute(points, 1, "cx"));
        assertThat(attribute(points, 0, "cy")).isGreaterThan(attribute(points, 1, "cy"));
    }

    @Test
    void everythingIsInsideThePicture() throws Exception {
        Document svg = parse(LatencyPlot.svg(Results.run(List.of())));
        double width = Double.parseDouble(svg.getDocumentElement().getAttribute("width"));
        double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));
        NodeList points = svg.getElementsByTagName("circle");

        assertThat(IntStream.range(0, points.getLength()).mapToObj(i -> attribute(points, i, "cx")))
                .allMatch(x -> x >= 0 && x <= width);
        assertThat(IntStream.range(0, points.getLength()).mapToObj(i -> attribute(points, i, "cy")))
                .allMatch(y -> y >= 0 && y <= height);
    }

    @Test
    void saysSoWhenTheAuditFailed() {
        assertThat(LatencyPlot.svg(Results.run(List.of("x")))).contains("(audit failed)");
    }

    private static double attribute(NodeList elements, int index, String name) {
        return Double.parseDouble(((Element) elements.item(index)).getAttribute(name));
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
}
