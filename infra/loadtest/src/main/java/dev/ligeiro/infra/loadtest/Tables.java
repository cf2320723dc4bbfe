package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.MeasuredWindow.Cost;
import dev.ligeiro.infra.loadtest.Report.Latency;
import dev.ligeiro.infra.loadtest.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.Report.StepResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report as Markdown tables with one number a cell, for the terminal and the documents. The README explains the columns. */
final class Tables {

    /** The cells of a table's row by column. */
    private static final class Row extends LinkedHashMap<String, String> {

        private static final long serialVersionUID = 1L;

        Row with(String column, String cell) {
            put(column, cell);
            return this;
        }

        Row with(String column, String format, double number) {
            return with(column, format(format, number));
        }
    }

    private Tables() {}

    static String of(Report report) {
        List<String> parts = new ArrayList<>();
        parts.add(format("`%s`, %s, %s.%n", report.command(), report.startedAt(), report.environment()));
        report.scenarios().forEach(scenario -> parts.add(audit(scenario)));
        parts.add(table(report, Tables::latencies));
        parts.add(table(report, (scenario, step) -> processes(step.cost())));
        parts.add(table(report, (scenario, step) -> machine(step.cost())));
        return String.join("\n", parts);
    }

    private static String audit(ScenarioResult scenario) {
        return format(
                        "`%s`: %s; warmed %d s%s, %d stored before, %d connections; %d calls, %d answered, "
                                + "%d created and found once each, %d webhooks verified.%n",
                        scenario.scenario(),
                        scenario.audit().passed() ? "audit passed" : "AUDIT FAILED, no figure is valid",
                        scenario.warmSeconds(),
                        scenario.cold() ? " (COLD: does not count)" : "",
                        scenario.stored(),
                        scenario.connections(),
                        scenario.audit().calls(),
                        scenario.audit().answered(),
                        scenario.audit().created(),
                        scenario.audit().webhooks())
                + scenario.audit().faults().stream().map("  %s%n"::formatted).collect(Collectors.joining());
    }

    /** The rows of each step; each row starts with the scenario and the load. A scenario with a failed audit has none. */
    private static String table(Report report, BiFunction<ScenarioResult, StepResult, List<Row>> rowsOfStep) {
        List<Row> rows = new ArrayList<>();
        for (ScenarioResult scenario : report.scenarios()) {
            for (StepResult step : scenario.audit().passed() ? scenario.steps() : List.<StepResult>of()) {
                for (Row cells : rowsOfStep.apply(scenario, step)) {
                    Row row = new Row().with("scenario", scenario.scenario()).with("load", step.label());
                    row.putAll(cells);
                    rows.add(row);
                }
            }
        }
        return text(rows);
    }

    /** Columns are padded, so that the text is a table on a terminal too. A row without a column's cell has an empty one. */
    private static String text(List<Row> rows) {
        Map<String, Integer> widths = new LinkedHashMap<>();
        for (Row row : rows) {
            row.forEach((column, cell) -> widths.merge(column, Math.max(column.length(), cell.length()), Math::max));
        }
        Row header = new Row();
        Row line = new Row();
        widths.forEach((column, width) -> {
            header.with(column, column);
            line.with(column, "-".repeat(width));
        });
        return Stream.concat(rows.isEmpty() ? Stream.empty() : Stream.of(header, line), rows.stream())
                .map(row -> widths.entrySet().stream()
                        .map(column -> format("%-" + column.getValue() + "s", row.getOrDefault(column.getKey(), "")))
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining());
    }

    private static List<Row> latencies(ScenarioResult scenario, StepResult step) {
        List<Row> rows = new ArrayList<>();
        String rate = format("%.0f", step.cost().rate());
        rows.add(latency("response", rate, step.responses()).with("counts", scenario.counts(step)));
        if (step.responsesByCall().size() > 1) {
            step.responsesByCall().forEach((call, latency) -> rows.add(latency(call.code(), "", latency)));
        }
        Latency webhook = step.webhook();
        if (webhook != null) {
            rows.add(latency("last webhook", "", webhook));
        }
        return rows;
    }

    private static Row latency(String of, String rate, Latency latency) {
        return new Row()
                .with("latency of", of)
                .with("rate/s", rate)
                .with("p50 ms", millis(latency.p50()))
                .with("p90 ms", millis(latency.p90()))
                .with("p99 ms", millis(latency.p99()))
                .with("p99.9 ms", millis(latency.p999()))
                .with("max ms", millis(latency.max()));
    }

    private static String millis(double value) {
        return format(value < 100 ? "%.2f" : "%.0f", value);
    }

    private static List<Row> processes(Cost cost) {
        Row cpu = new Row().with("of each process", "CPU µs each").with("system", "%.0f", cost.systemCpuMicros());
        cost.cpuMicros().forEach((role, micros) -> cpu.with(role.code(), "%.0f", micros));
        Row memory = new Row().with("of each process", "RSS MB").with("system", "");
        cost.rssKilobytes().forEach((role, kilobytes) -> memory.with(role.code(), "%.0f", kilobytes / 1024.0));
        return List.of(cpu, memory);
    }

    private static List<Row> machine(Cost cost) {
        return List.of(new Row()
                .with("cores in all", "%.2f", cost.cores())
                .with("others", "%.2f", cost.othersCores())
                .with("stolen", "%.2f", cost.stolenCores())
                .with("lag max", "%.0f", cost.lagMax())
                .with("lag growth/s", "%.1f", cost.lagGrowth()));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
