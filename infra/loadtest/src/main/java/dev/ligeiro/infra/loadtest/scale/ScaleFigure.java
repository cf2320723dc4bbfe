package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.loadtest.merchant.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws the latencies of a {@code scale} run over time as SVG: p50 and p99 of the responses, and below them of the webhooks. A shade
 * marks the time with more processes, a darker one the start and the stop.
 */
final class ScaleFigure {

    private static final int WIDTH = 960;
    private static final int LEFT = 64;
    private static final int RIGHT = 16;
    private static final int TOP = 64;
    private static final int PANEL = 190;
    private static final int GAP = 52;
    private static final int HEIGHT = TOP + 2 * PANEL + GAP + 44;
    /** The lowest latency of the logarithmic scale, in ms. */
    private static final double FLOOR_MILLIS = 1;

    private static final double SECOND_MILLIS = 1_000;
    private static final int POINTS_MAX = 120;
    private static final int MINUTE_SECONDS = 60;
    private static final Map<Double, String> COLORS = colors();

    private final List<ScalePhase> phases;
    private final double seconds;
    private final double periodSeconds;
    private final StringBuilder svg = new StringBuilder();

    /** @param phases in order; not empty */
    ScaleFigure(List<ScalePhase> phases) {
        this.phases = phases;
        this.seconds = phases.get(phases.size() - 1).toSecond();
        this.periodSeconds = Math.max(1, Math.ceil(seconds / POINTS_MAX));
    }

    private static Map<Double, String> colors() {
        Map<Double, String> colors = new LinkedHashMap<>();
        colors.put(50.0, "#2166ac");
        colors.put(99.0, "#b2182b");
        return colors;
    }

    String svg(Timeline responses, Timeline webhooks) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                        + "font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
        phases.forEach(this::drawPhase);
        drawServices();
        drawPanel("from the call to its 201", responses, TOP);
        drawPanel("from the call to its webhook", webhooks, TOP + PANEL + GAP);
        text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 6.0, "middle", "minutes");
        return svg.append("</svg>\n").toString();
    }

    private void drawPhase(ScalePhase phase) {
        boolean more = phase.processes() != phases.get(0).processes();
        String color = phase.isChange() ? "#d9d9d9" : more ? "#f0f0f0" : "#ffffff";
        double from = x(phase.fromSecond());
        double width = x(phase.toSecond()) - from;
        for (int top : List.of(TOP, TOP + PANEL + GAP)) {
            add("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", from, top, width, PANEL, color);
        }
        if (!phase.isChange()) {
            text(from + width / 2, TOP - 26.0, "middle", phase.label());
        }
    }

    /** The service's name above its phases. */
    private void drawServices() {
        Map<String, List<ScalePhase>> byService = new LinkedHashMap<>();
        phases.forEach(phase -> byService
                .computeIfAbsent(phase.service().code(), first -> new ArrayList<>())
                .add(phase));
        byService.forEach((service, own) -> {
            double from = own.get(0).fromSecond();
            double to = own.get(own.size() - 1).toSecond();
            text(x((from + to) / 2), TOP - 44.0, "middle", "processes of " + service);
            line(x(from), TOP - 40.0, x(from), HEIGHT - 44.0, "#999999");
        });
    }

    private void drawPanel(String title, Timeline timeline, int top) {
        List<String> labels = new ArrayList<>();
        COLORS.forEach(
                (percentile, color) -> labels.add("<tspan fill=\"%s\">p%.0f</tspan>".formatted(color, percentile)));
        text(LEFT, top - 8.0, "start", title + ": " + String.join(" ", labels));
        double max = FLOOR_MILLIS * 10;
        for (double second = 0; second < seconds; second += periodSeconds) {
            max = Math.max(max, millis(timeline, second, 99));
        }
        int decades = (int) Math.ceil(Math.log10(max / FLOOR_MILLIS));
        for (int decade = 0; decade <= decades; decade++) {
            double y = top + PANEL * (1 - (double) decade / decades);
            line(LEFT, y, WIDTH - RIGHT, y, "#cccccc");
            text(LEFT - 6.0, y + 4, "end", duration(FLOOR_MILLIS * Math.pow(10, decade)));
        }
        for (int minute = 0; minute * MINUTE_SECONDS <= seconds; minute++) {
            text(x(minute * MINUTE_SECONDS), top + PANEL + 16.0, "middle", Integer.toString(minute));
        }
        COLORS.forEach((percentile, color) -> drawLine(timeline, percentile, color, top, decades));
    }

    private void drawLine(Timeline timeline, double percentile, String color, int top, int decades) {
        List<String> points = new ArrayList<>();
        for (double second = 0; second < seconds; second += periodSeconds) {
            double millis = millis(timeline, second, percentile);
            if (millis > 0) {
                double part = Math.log10(Math.max(FLOOR_MILLIS, millis) / FLOOR_MILLIS) / decades;
                points.add(format("%.1f,%.1f", x(second + periodSeconds / 2), top + PANEL * (1 - part)));
            }
        }
        add(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>",
                color, String.join(" ", points));
    }

    private static String duration(double millis) {
        return millis < SECOND_MILLIS ? format("%.0f ms", millis) : format("%.0f s", millis / SECOND_MILLIS);
    }

    /** 0 without a call. */
    private double millis(Timeline timeline, double second, double percentile) {
        return timeline.micros(second, second + periodSeconds).getValueAtPercentile(percentile) / 1000.0;
    }

    private double x(double second) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.min(1, second / seconds);
    }

    private void line(double x1, double y1, double x2, double y2, String color) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, color);
    }

    private void text(double x, double y, String anchor, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, text);
    }

    private void add(String format, Object... values) {
        svg.append(format(format, values)).append('\n');
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
