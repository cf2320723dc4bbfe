package dev.ligeiro.gateway.http.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.stream.DoubleStream;

/** Measures what the metrics of a request cost: {@code main} prints nanoseconds, the best of ten rounds, on one thread. */
final class ObserveBenchmark {

    private static final int CALLS = 2_000_000;
    private static final int ROUNDS = 10;

    private ObserveBenchmark() {}

    public static void main(String[] arguments) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().meterFilter(new Buckets());
        HttpMetrics metrics = new HttpMetrics(registry);
        ObservedRoute route = metrics.route("POST", "/api/v1/transaction/pix/cashin");
        double timer = best(() -> route.record(201, 5_000_000));
        double all = best(() -> {
            long started = System.nanoTime();
            metrics.begun();
            metrics.ended();
            route.record(201, System.nanoTime() - started);
        });
        System.out.printf("timer %.0f ns, with clock and gauge %.0f ns%n", timer, all);
    }

    private static double best(Runnable call) {
        double[] rounds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long started = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            rounds[round] = (System.nanoTime() - started) / (double) CALLS;
        }
        return DoubleStream.of(rounds).min().orElseThrow();
    }

    /** The buckets of application.yml. */
    private static final class Buckets implements MeterFilter {

        @Override
        public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
            return DistributionStatisticConfig.builder()
                    .serviceLevelObjectives(DoubleStream.of(
                                    2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
                            .map(millis -> Duration.ofMillis((long) millis).toNanos())
                            .toArray())
                    .build()
                    .merge(config);
        }
    }
}
