package dev.ligeiro.infra.loadtest.observe;

import java.util.ArrayList;
import java.util.List;

/** The lag over a window: samples at even times, and whether it grew. */
public final class LagTrend {

    /** A lag that takes less than this to work off does not count as growth. */
    private static final double HARMLESS_SECONDS = 0.5;
    /** Of the rate: at which lag may seem to grow by chance. */
    private static final double HARMLESS_PART = 0.01;

    private final List<Double> seconds = new ArrayList<>();
    private final List<Long> records = new ArrayList<>();

    public void add(double atSeconds, long lag) {
        seconds.add(atSeconds);
        records.add(lag);
    }

    public long max() {
        return records.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Records a second by which it grew, by least squares; negative when it shrank. */
    public double growth() {
        int n = seconds.size();
        double meanX =
                seconds.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        double meanY = records.stream().mapToLong(Long::longValue).average().orElse(0);
        double products = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            products += (seconds.get(i) - meanX) * (records.get(i) - meanY);
            squares += (seconds.get(i) - meanX) * (seconds.get(i) - meanX);
        }
        return squares == 0 ? 0 : products / squares;
    }

    /** Whether consumers kept up with {@code rate} transactions a second. */
    public boolean isFlat(double rate) {
        return max() <= HARMLESS_SECONDS * rate || growth() <= HARMLESS_PART * rate;
    }
}
