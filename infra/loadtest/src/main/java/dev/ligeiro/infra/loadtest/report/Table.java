package dev.ligeiro.infra.loadtest.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The run as text for a terminal. The README explains the columns. */
public final class Table {

    private static final String COLUMNS = "%-14s %-6s %9s %8s %8s %8s %8s %8s";
    private static final double KILOBYTES_PER_MEGABYTE = 1024.0;

    private Table() {}

    public static String of(RunResult run) {
        List<String> lines = new ArrayList<>();
        lines.add("machine   %d cores %s, %d MB, Linux %s, fdatasync p50 %.2f ms p99 %.2f ms on %s"
                .formatted(
                        run.machine().cores(),
                        run.machine().model(),
                        run.machine().memoryMegabytes(),
                        run.machine().kernel(),
                        run.fsync().p50Millis(),
                        run.fsync().p99Millis(),
                        run.fsync().fileSystem()));
        lines.add("versions  JDK %s, Kafka %s, mongod %s, commit %s"
                .formatted(
                        run.versions().jdk(),
                        run.versions().kafka(),
                        run.versions().mongod(),
                        run.versions().commit()));
        lines.add("command   " + run.command());
        run.scenarios().forEach(scenario -> addScenario(lines, scenario));
        if (!run.startupMillis().isEmpty()) {
            lines.add("");
            lines.add("startup   gateway start to first 201: " + run.startupMillis() + " ms, median "
                    + median(run.startupMillis()) + " ms");
        }
        return String.join("\n", lines);
    }

    static long median(List<Long> values) {
        List<Long> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private static void addScenario(List<String> lines, ScenarioResult scenario) {
        lines.add("");
        lines.add("%s   %s, warmed %d s%s, %d stored before, %d connections"
                .formatted(
                        scenario.scenario(),
                        scenario.audit().passed() ? "audit passed" : "AUDIT FAILED",
                        scenario.warmSeconds(),
                        scenario.cold() ? " (COLD: does not count)" : "",
                        scenario.stored(),
                        scenario.connections()));
        if (!scenario.audit().passed()) {
            scenario.audit().faults().forEach(fault -> lines.add("  " + fault));
            lines.add("  no figure is valid");
            return;
        }
        lines.add("  %d calls, %d created and found once each, %d webhooks verified"
                .formatted(
                        scenario.audit().calls(),
                        scenario.audit().created(),
                        scenario.audit().webhooks()));
        lines.add("  " + COLUMNS.formatted("", "loop", "rate/s", "p50 ms", "p90", "p99", "p99.9", "max"));
        scenario.steps().forEach(step -> addStep(lines, step));
    }

    private static void addStep(List<String> lines, StepResult step) {
        String loop = step.openLoop() ? "open" : "closed";
        lines.add("  " + row(step.label(), loop, String.format(Locale.ROOT, "%.0f", step.rate()), step.answers())
                + (step.sustained() ? "" : "  NOT SUSTAINED")
                + (step.disturbed() ? "  DISTURBED" : ""));
        if (step.answersByCall().size() > 1) {
            step.answersByCall().forEach((call, latency) -> lines.add("  " + row("  " + call, "", "", latency)));
        }
        Latency webhook = step.webhook();
        if (webhook != null) {
            lines.add("  " + row("  -> webhook", "", "", webhook));
        }
        lines.add(String.format(
                Locale.ROOT,
                "      CPU µs each: %.0f = %s; %.2f cores in all, others %.2f, stolen %.2f; lag max %d, growth %.1f/s",
                step.systemCpuMicros(),
                words(step.cpuMicros(), "%.0f"),
                step.cpuCores(),
                step.othersCores(),
                step.stolenCores(),
                step.lagMax(),
                step.lagGrowth()));
        lines.add("      RSS/PSS MB: " + memory(step) + "; garbage bytes each: " + words(step.allocatedBytes(), "%d"));
    }

    private static String row(String label, String loop, String rate, Latency latency) {
        return COLUMNS.formatted(
                label,
                loop,
                rate,
                millis(latency.p50()),
                millis(latency.p90()),
                millis(latency.p99()),
                millis(latency.p999()),
                millis(latency.max()));
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }

    private static String words(Map<String, ?> values, String format) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + " " + String.format(Locale.ROOT, format, entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String memory(StepResult step) {
        return step.memoryKilobytes().entrySet().stream()
                .map(entry -> String.format(
                        Locale.ROOT,
                        "%s %.0f/%.0f",
                        entry.getKey(),
                        entry.getValue().rss() / KILOBYTES_PER_MEGABYTE,
                        entry.getValue().pss() / KILOBYTES_PER_MEGABYTE))
                .collect(Collectors.joining(", "));
    }
}
