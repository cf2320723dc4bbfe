package dev.ligeiro.infra.loadtest.system;

import java.util.ArrayList;
import java.util.List;

/** The lag during a window: samples, and whether it grew. */
final class LagTrend {

    /** A lag below this much of a second's transactions counts as flat. */
    private static final double HARMLESS_SECONDS = 0.5;
    /** A growth below this part of the rate may be chance. */
    private static final double HARMLESS_PART = 0.01;

    private final List<Sample> samples = new ArrayList<>();

    private record Sample(double seconds, long records) {}

    void add(double atSeconds, long records) {
        samples.add(new Sample(atSeconds, records));
    }

    long max() {
        return samples.stream().mapToLong(Sample::records).max().orElse(0);
    }

    /** Records a second by which it grew, by least squares; negative when it shrank. */
    double growth() {
        double meanX = samples.stream().mapToDouble(Sample::seconds).average().orElse(0);
        double meanY = samples.stream().mapToLong(Sample::records).average().orElse(0);
        double products = 0;
        double squares = 0;
        for (Sample sample : samples) {
            products += (sample.seconds() - meanX) * (sample.records() - meanY);
            squares += (sample.seconds() - meanX) * (sample.seconds() - meanX);
        }
        return squares == 0 ? 0 : products / squares;
    }

    /** Whether the consumers kept up with {@code rate} transactions a second. */
    boolean isFlat(double rate) {
        return max() <= HARMLESS_SECONDS * rate || growth() <= HARMLESS_PART * rate;
    }
}
