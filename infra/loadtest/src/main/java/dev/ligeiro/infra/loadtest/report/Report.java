package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.system.Environment;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results of a run; the report file has the same names.
 *
 * @param startedAt an instant (ISO 8601)
 * @param command the command line
 * @param valid whether every audit passed
 * @param startupMillis from each start of the gateway to its first 201; empty when it was not measured
 */
public record Report(
        String startedAt,
        String command,
        boolean valid,
        Environment environment,
        List<ScenarioResult> scenarios,
        List<Long> startupMillis) {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * @param scenario its code
     * @param warmSeconds of full load before the first window
     * @param cold whether the warm-up was too short for figures that count
     * @param stored transactions stored before the scenario
     */
    public record ScenarioResult(
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

    public static Report parse(String json) {
        return JSON.readValue(json, Report.class);
    }

    public String json() {
        return JSON.writeValueAsString(this) + "\n";
    }

    /** The median of the starts; 0 without any. */
    long startupMedianMillis() {
        List<Long> sorted = startupMillis.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
    }

    /** A name that reports of the same scenarios, stored transactions and JDK share, such as {@code create-pay-jdk17}. */
    public String name() {
        Stream<String> codes = scenarios.stream()
                .map(scenario -> scenario.scenario() + (scenario.stored() == 0 ? "" : "-stored-" + scenario.stored()));
        String jdk = environment.jdk().replaceAll("^[^0-9]*([0-9]+).*", "jdk$1");
        return Stream.concat(codes, startupMillis.isEmpty() ? Stream.of(jdk) : Stream.of("startup", jdk))
                .collect(Collectors.joining("-"));
    }
}
