package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Latency over rate as an SVG: one chart a scenario, open loops only, the latency axis logarithmic from 0.1 ms to 10 s. It uses no
 * chart library: those need AWT, which fails on servers without fonts.
 */
public final class LatencyPlot {

    private static final int HEIGHT = 340;
    private static final int LEFT = 70;
    private static final int RIGHT = 610;
    private static final int TOP = 40;
    private static final int BOTTOM = 295;
    private static final double MILLIS_MIN = 0.1;
    private static final int DECADES = 5;

    private LatencyPlot() {}

    private enum Line {
        RESPONSE_P50("#2b6cb0", StepResult::responses, Latency::p50),
        RESPONSE_P99("#c05621", StepResult::responses, Latency::p99),
        WEBHOOK_P50("#2f855a", StepResult::webhook, Latency::p50),
        WEBHOOK_P99("#9b2c2c", StepResult::webhook, Latency::p99);

        private final String color;
        private final Function<StepResult, @Nullable Latency> latency;
        private final Function<Latency, Double> percentile;

        Line(String color, Function<StepResult, @Nullable Latency> latency, Function<Latency, Double> percentile) {
            this.color = color;
            this.latency = latency;
            this.percentile = percentile;
        }
    }

    public static String svg(Report report) {
        List<ScenarioResult> plotted = report.scenarios().stream()
                .filter(scenario -> scenario.steps().stream().anyMatch(StepResult::openLoop))
                .toList();
        StringBuilder charts = new StringBuilder();
        for (int i = 0; i < plotted.size(); i++) {
            charts.append(format("<g transform=\"translate(0,%d)\">%n%s</g>%n", i * HEIGHT, chart(plotted.get(i))));
        }
        return format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n%s</svg>%n",
                Math.max(1, plotted.size()) * HEIGHT, charts);
    }

    private static String chart(ScenarioResult scenario) {
        List<StepResult> steps = scenario.steps().stream()
                .filter(StepResult::openLoop)
                .sorted(Comparator.comparing(step -> step.cost().rate()))
                .toList();
        double rateMax = Math.max(1, steps.get(steps.size() - 1).cost().rate());
        StringBuilder svg = new StringBuilder(text(
                LEFT,
                TOP - 18,
                scenario.scenario()
                        + (scenario.audit().passed() ? "" : " (audit failed)")
                        + (scenario.cold() ? " (cold)" : "")));
        for (int decade = 0; decade <= DECADES; decade++) {
            double millis = MILLIS_MIN * Math.pow(10, decade);
            svg.append(format("<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>%n", LEFT, y(millis), RIGHT))
                    .append(text(5, y(millis) + 4, format(decade == 0 ? "%.1f ms" : "%.0f ms", millis)));
        }
        for (int quarter = 0; quarter <= 4; quarter++) {
            double rate = rateMax * quarter / 4;
            svg.append(text(x(rate, rateMax) - 15, BOTTOM + 18, format("%.0f/s", rate)));
        }
        for (Line line : Line.values()) {
            svg.append(line(line, steps, rateMax));
        }
        return svg.toString();
    }

    private static String line(Line line, List<StepResult> steps, double rateMax) {
        List<StepResult> drawn =
                steps.stream().filter(step -> line.latency.apply(step) != null).toList();
        if (drawn.isEmpty()) {
            return "";
        }
        String points = drawn.stream()
                .map(step -> format(
                        "%.1f,%.1f",
                        x(step.cost().rate(), rateMax),
                        y(line.percentile.apply(Objects.requireNonNull(line.latency.apply(step))))))
                .collect(Collectors.joining(" "));
        int labelY = TOP + 10 + 16 * line.ordinal();
        return format(
                        "<marker id=\"%s\" refX=\"3\" refY=\"3\"><circle cx=\"3\" cy=\"3\" r=\"1.5\""
                                + " fill=\"%s\"/></marker>%n<polyline points=\"%s\" fill=\"none\" stroke=\"%2$s\""
                                + " stroke-width=\"2\" marker-start=\"url(#%1$s)\" marker-mid=\"url(#%1$s)\""
                                + " marker-end=\"url(#%1$s)\"/>%n",
                        line, line.color, points)
                + format(
                        "<path d=\"M%d %dh10\" stroke=\"%s\" stroke-width=\"8\"/>%n",
                        RIGHT + 14, labelY - 4, line.color)
                + text(RIGHT + 30, labelY, line.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    private static double x(double rate, double rateMax) {
        return LEFT + rate / rateMax * (RIGHT - LEFT);
    }

    private static double y(double millis) {
        double decades = Math.min(DECADES, Math.log10(Math.max(MILLIS_MIN, millis) / MILLIS_MIN));
        return BOTTOM - decades / DECADES * (BOTTOM - TOP);
    }

    private static String text(double x, double y, String text) {
        return format("<text x=\"%.1f\" y=\"%.1f\">%s</text>%n", x, y, text);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
