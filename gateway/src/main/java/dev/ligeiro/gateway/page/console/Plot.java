package dev.ligeiro.gateway.page.console;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Bars of the last days in a box of 300 by 60.
 *
 * @param label what the plot shows, in words
 * @param most its highest value with the day, {@code ""} without one
 */
public record Plot(String label, String most, List<Bar> bars) {

    static final int WIDTH = 300;
    static final int HEIGHT = 60;

    private static final double GAP = 0.25;
    /** So that a day with little is not mistaken for one with nothing. */
    private static final double HEIGHT_MIN = 1.5;

    /** A bar; a day without a value or with 0 has none. All in the form of SVG attributes. */
    public record Bar(String x, String y, String width, String height) {}

    static Plot of(String label, String most, List<? extends @Nullable Number> values) {
        double max = values.stream()
                .filter(Objects::nonNull)
                .mapToDouble(Number::doubleValue)
                .max()
                .orElse(0);
        double step = (double) WIDTH / values.size();
        List<Bar> bars = IntStream.range(0, values.size())
                .filter(i -> max > 0 && value(values.get(i)) > 0)
                .mapToObj(i -> {
                    double height = Math.max(HEIGHT_MIN, value(values.get(i)) / max * (HEIGHT - 2));
                    return new Bar(
                            number(step * (i + GAP / 2)),
                            number(HEIGHT - 1 - height),
                            number(step * (1 - GAP)),
                            number(height));
                })
                .toList();
        return new Plot(label, most, bars);
    }

    private static double value(@Nullable Number number) {
        return number == null ? 0 : number.doubleValue();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
