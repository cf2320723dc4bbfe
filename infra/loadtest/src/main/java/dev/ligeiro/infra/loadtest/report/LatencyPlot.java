package dev.ligeiro.infra.loadtest.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Latency over rate as an SVG: one chart a scenario, open loop only, milliseconds on a logarithmic axis. */
public final class LatencyPlot {

    private static final int WIDTH = 760;
    private static final int CHART_HEIGHT = 340;
    private static final int LEFT = 70;
    private static final int RIGHT = 150;
    private static final int TOP = 40;
    private static final int BOTTOM = 45;
    private static final int LABEL_HEIGHT = 16;
    private static final List<String> COLORS = List.of("#2b6cb0", "#c05621", "#9b2c2c", "#2f855a", "#276749");

    private LatencyPlot() {}

    public static String svg(RunResult run) {
        List<ScenarioResult> plotted = run.scenarios().stream()
                .filter(scenario -> !openSteps(scenario).isEmpty())
                .toList();
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                Math.max(1, plotted.size()) * CHART_HEIGHT));
        for (int i = 0; i < plotted.size(); i++) {
            svg.append(String.format(Locale.ROOT, "<g transform=\"translate(0,%d)\">%n", i * CHART_HEIGHT));
            addChart(svg, plotted.get(i));
            svg.append("</g>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    private static void addChart(StringBuilder svg, ScenarioResult scenario) {
        List<StepResult> steps = openSteps(scenario);
        List<Line> lines = lines(steps);
        Axis axis = Axis.of(lines);
        text(
                svg,
                LEFT,
                TOP - 18,
                "start",
                escaped(scenario.scenario())
                        + (scenario.audit().passed() ? "" : " (audit failed)")
                        + (scenario.cold() ? " (cold)" : ""));
        addGrid(svg, axis);
        for (int i = 0; i < lines.size(); i++) {
            addLine(svg, axis, lines.get(i), COLORS.get(i), i);
        }
    }

    private static List<StepResult> openSteps(ScenarioResult scenario) {
        return scenario.steps().stream()
                .filter(StepResult::openLoop)
                .sorted(Comparator.comparingDouble(StepResult::rate))
                .toList();
    }

    private static List<Line> lines(List<StepResult> steps) {
        List<Line> lines = new ArrayList<>();
        lines.add(line("answer p50", steps, step -> step.answers().p50()));
        lines.add(line("answer p99", steps, step -> step.answers().p99()));
        lines.add(line("answer p99.9", steps, step -> step.answers().p999()));
        List<Latency> webhooks =
                steps.stream().map(StepResult::webhook).filter(Objects::nonNull).toList();
        if (webhooks.size() == steps.size()) {
            lines.add(line("webhook p50", steps, step -> millis(step.webhook(), Latency::p50)));
            lines.add(line("webhook p99", steps, step -> millis(step.webhook(), Latency::p99)));
        }
        return lines;
    }

    private static double millis(@Nullable Latency latency, ToDoubleFunction<Latency> percentile) {
        return latency == null ? 0 : percentile.applyAsDouble(latency);
    }

    private static Line line(String label, List<StepResult> steps, ToDoubleFunction<StepResult> millis) {
        return new Line(
                label,
                steps.stream()
                        .map(step -> new Point(step.rate(), millis.applyAsDouble(step)))
                        .toList());
    }

    private static void addGrid(StringBuilder svg, Axis axis) {
        for (double millis = axis.millisMin(); millis <= axis.millisMax() * 1.001; millis *= 10) {
            double y = axis.y(millis);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                    LEFT,
                    y,
                    WIDTH - RIGHT,
                    y));
            text(svg, LEFT - 6, y + 4, "end", trimmed(millis) + " ms");
        }
        for (int tick = 0; tick <= 4; tick++) {
            double rate = axis.rateMax() * tick / 4;
            text(svg, axis.x(rate), CHART_HEIGHT - BOTTOM + 18, "middle", String.format(Locale.ROOT, "%.0f/s", rate));
        }
    }

    private static void addLine(StringBuilder svg, Axis axis, Line line, String color, int index) {
        StringBuilder path = new StringBuilder();
        for (Point point : line.points()) {
            double x = axis.x(point.rate());
            double y = axis.y(point.millis());
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
            svg.append(
                    String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, color));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                path.toString().strip(),
                color));
        int y = TOP + 10 + index * LABEL_HEIGHT;
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>%n",
                WIDTH - RIGHT + 14,
                y - 9,
                color));
        text(svg, WIDTH - RIGHT + 30, y, "start", line.label());
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String trimmed(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private record Point(double rate, double millis) {}

    private record Line(String label, List<Point> points) {}

    /** Whole decades of milliseconds upwards, rates from 0 to the right. */
    private record Axis(double rateMax, double millisMin, double millisMax) {

        private static final double MILLIS_LEAST = 0.1;

        static Axis of(List<Line> lines) {
            double rateMax = points(lines).mapToDouble(Point::rate).max().orElse(1);
            double least = points(lines).mapToDouble(Point::millis).min().orElse(1);
            double most = points(lines).mapToDouble(Point::millis).max().orElse(1);
            double from = Math.pow(10, Math.floor(Math.log10(Math.max(MILLIS_LEAST, least))));
            double to = Math.pow(10, Math.ceil(Math.log10(Math.max(MILLIS_LEAST, most))));
            return new Axis(Math.max(1, rateMax), from, Math.max(to, 10 * from));
        }

        private static Stream<Point> points(List<Line> lines) {
            return lines.stream().flatMap(line -> line.points().stream());
        }

        double x(double rate) {
            return LEFT + rate / rateMax * (WIDTH - LEFT - RIGHT);
        }

        double y(double millis) {
            double part = Math.log10(Math.max(millisMin, millis) / millisMin) / Math.log10(millisMax / millisMin);
            return CHART_HEIGHT - BOTTOM - part * (CHART_HEIGHT - BOTTOM - TOP);
        }
    }
}
