package dev.ligeiro.infra.loadtest.report;

import org.HdrHistogram.Histogram;

/** How long calls took, in milliseconds. */
public record Latency(long count, double p50, double p90, double p99, double p999, double max) {

    public static Latency of(Histogram micros) {
        return new Latency(
                micros.getTotalCount(),
                millis(micros.getValueAtPercentile(50)),
                millis(micros.getValueAtPercentile(90)),
                millis(micros.getValueAtPercentile(99)),
                millis(micros.getValueAtPercentile(99.9)),
                millis(micros.getMaxValue()));
    }

    private static double millis(long micros) {
        return micros / 1000.0;
    }
}
