package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.MeasuredWindow.Cost;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results of a run; the report file has the same names.
 *
 * @param startedAt an instant (ISO 8601)
 * @param command the command line
 * @param environment the machine and the versions, for a person
 */
record Report(String startedAt, String command, String environment, List<ScenarioResult> scenarios) {

    private static final String HEADER =
            """
            | scenario | load | rate/s | response: p50, p90, p99, p99.9, max ms | last webhook: the same | CPU µs each | RSS MB \
            | lag: max, growth/s | cores: all, others, stolen \
            | each: thread switches, MongoDB operations, insertions, journal bytes | counts |
            | - | - | - | - | - | - | - | - | - | - | - |
            """;
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * @param scenario its code
     * @param warmSeconds of full load before the first window
     * @param cold whether the warm-up was too short for figures that count
     * @param stored transactions stored before the scenario
     */
    record ScenarioResult(
            String scenario,
            int warmSeconds,
            boolean cold,
            long stored,
            int connections,
            List<StepResult> steps,
            Audit.Result audit) {

        /** Whether the figures of the step count: {@code yes}, or {@code no: } and the reason. */
        String counts(StepResult step) {
            String reasons = Stream.of(
                            cold ? "cold" : "",
                            step.disturbed() ? "disturbed" : "",
                            step.sustained() ? "" : "not sustained")
                    .filter(reason -> !reason.isEmpty())
                    .collect(Collectors.joining(", "));
            return reasons.isEmpty() ? "yes" : "no: " + reasons;
        }
    }

    /**
     * The results of one window.
     *
     * @param label such as {@code 50 %, open} or {@code peak, closed}
     * @param sustained whether the schedule was kept and the consumers' lag was flat
     * @param disturbed whether other programs used so much CPU that the figures do not count
     * @param responses from due to response, all calls together
     * @param webhook from due to the arrival of the last webhook; null without webhooks
     */
    record StepResult(
            String label,
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

        /** The results of a drained load. */
        static StepResult of(String label, Load load, Cost cost) {
            Histogram all = Load.histogram();
            Map<Call, Latency> byCall = new EnumMap<>(Call.class);
            load.responseMicros.forEach((call, micros) -> {
                all.add(micros);
                byCall.put(call, Latency.of(micros));
            });
            Double targetRate = load.targetRate;
            boolean kept = targetRate == null || cost.rate() >= SUSTAINED_PART * targetRate;
            return new StepResult(
                    label + (targetRate == null ? ", closed" : ", open"),
                    kept && cost.lagFlat(),
                    cost.othersCores() + cost.stolenCores() > DISTURBED_CORES,
                    Latency.of(all),
                    byCall,
                    load.scenario.isAnnounced() ? Latency.of(load.webhookMicros) : null,
                    cost);
        }
    }

    /** The latencies of {@code count} calls in milliseconds. */
    record Latency(long count, double p50, double p90, double p99, double p999, double max) {

        static Latency of(Histogram micros) {
            return new Latency(
                    micros.getTotalCount(),
                    micros.getValueAtPercentile(50) / 1000.0,
                    micros.getValueAtPercentile(90) / 1000.0,
                    micros.getValueAtPercentile(99) / 1000.0,
                    micros.getValueAtPercentile(99.9) / 1000.0,
                    micros.getMaxValue() / 1000.0);
        }

        @Override
        public String toString() {
            return format("%.2f, %.2f, %.2f, %.2f, %.2f", p50, p90, p99, p999, max);
        }
    }

    /** Whether every audit passed. */
    boolean valid() {
        return scenarios.stream().allMatch(scenario -> scenario.audit().passed());
    }

    String json() {
        return JSON.writeValueAsString(this) + "\n";
    }

    /** For the terminal and the documents: Markdown with a row for each window. A scenario with a failed audit has none. */
    String text() {
        StringBuilder text = new StringBuilder(format("`%s`, %s, %s.%n%n", command, startedAt, environment));
        scenarios.forEach(scenario -> text.append(audit(scenario)));
        text.append(HEADER);
        for (ScenarioResult scenario : scenarios) {
            if (scenario.audit().passed()) {
                scenario.steps().forEach(step -> text.append(row(scenario, step)));
            }
        }
        return text.toString();
    }

    private static String audit(ScenarioResult scenario) {
        Audit.Result audit = scenario.audit();
        return format(
                        "`%s`: %s; warmed %d s%s, %d stored before, %d connections; %d calls, %d answered, "
                                + "%d created and found once each, %d webhooks verified.%n%n",
                        scenario.scenario(),
                        audit.passed() ? "audit passed" : "AUDIT FAILED, no figure is valid",
                        scenario.warmSeconds(),
                        scenario.cold() ? " (COLD: does not count)" : "",
                        scenario.stored(),
                        scenario.connections(),
                        audit.calls(),
                        audit.answered(),
                        audit.created(),
                        audit.webhooks())
                + audit.faults().stream().map("  %s%n"::formatted).collect(Collectors.joining());
    }

    private static String row(ScenarioResult scenario, StepResult step) {
        Cost cost = step.cost();
        String calls = step.responsesByCall().size() < 2
                ? ""
                : step.responsesByCall().entrySet().stream()
                        .map(call -> "; " + call.getKey().code() + " " + call.getValue())
                        .collect(Collectors.joining());
        return format(
                "| %s | %s | %.0f | %s%s | %s | %.0f: %s | %s | %d, %.1f | %.2f, %.2f, %.2f | %.1f, %.2f, %.1f, %.0f | %s |%n",
                scenario.scenario(),
                step.label(),
                cost.rate(),
                step.responses(),
                calls,
                step.webhook() == null ? "" : step.webhook(),
                cost.systemCpuMicros(),
                ofRoles(cost.cpuMicros(), 1),
                ofRoles(cost.rssKilobytes(), 1024),
                cost.lagMax(),
                cost.lagGrowth(),
                cost.cores(),
                cost.othersCores(),
                cost.stolenCores(),
                cost.workEach().threadSwitches(),
                cost.workEach().mongodbOperations(),
                cost.workEach().mongodbInsertions(),
                cost.workEach().journalBytes(),
                scenario.counts(step));
    }

    private static String ofRoles(Map<Role, ? extends Number> values, int unit) {
        return values.entrySet().stream()
                .map(value -> format(
                        "%s %.0f", value.getKey().code(), value.getValue().doubleValue() / unit))
                .collect(Collectors.joining(", "));
    }

    private static String format(String format, @Nullable Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
