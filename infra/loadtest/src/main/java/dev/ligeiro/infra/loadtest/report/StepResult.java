package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.merchant.Call;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.system.MeasuredWindow.Cost;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The results of one window.
 *
 * @param targetRate of an open loop, whose latencies count from the intended start; null in a closed loop
 * @param sustained whether the schedule was kept and the consumers' lag was flat
 * @param disturbed whether other programs used so much CPU that the figures do not count
 * @param responses from due to response, all calls together
 * @param webhook from due to the arrival of the last webhook; null without webhooks
 */
public record StepResult(
        String label,
        @Nullable Double targetRate,
        boolean sustained,
        boolean disturbed,
        Latency responses,
        Map<Call, Latency> responsesByCall,
        @Nullable Latency webhook,
        Cost cost) {

    /** The part of the target rate that a schedule must reach: the window's edges may cost the rest. */
    private static final double SUSTAINED_PART = 0.985;

    /** Interrupts and kernel threads of an otherwise idle machine use less. */
    private static final double DISTURBED_CORES = 0.3;

    /** The latencies of {@code count} calls in milliseconds. */
    public record Latency(long count, double p50, double p90, double p99, double p999, double max) {

        public static Latency of(Histogram micros) {
            return new Latency(
                    micros.getTotalCount(),
                    micros.getValueAtPercentile(50) / 1000.0,
                    micros.getValueAtPercentile(90) / 1000.0,
                    micros.getValueAtPercentile(99) / 1000.0,
                    micros.getValueAtPercentile(99.9) / 1000.0,
                    micros.getMaxValue() / 1000.0);
        }
    }

    /** The results of a drained load. */
    public static StepResult of(String label, Load load, Cost cost) {
        Histogram all = Load.histogram();
        Map<Call, Latency> byCall = new EnumMap<>(Call.class);
        load.responseMicros().forEach((call, micros) -> {
            all.add(micros);
            byCall.put(call, Latency.of(micros));
        });
        Double targetRate = load.targetRate();
        boolean kept = targetRate == null || cost.rate() >= SUSTAINED_PART * targetRate;
        return new StepResult(
                label,
                targetRate,
                kept && cost.lagFlat(),
                cost.othersCores() + cost.stolenCores() > DISTURBED_CORES,
                Latency.of(all),
                byCall,
                load.scenario().isAnnounced() ? Latency.of(load.webhookMicros()) : null,
                cost);
    }

    boolean openLoop() {
        return targetRate != null;
    }

    /** Such as {@code 50 %, open} or {@code peak, closed}. */
    String load() {
        return label + (openLoop() ? ", open" : ", closed");
    }
}
