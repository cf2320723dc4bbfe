package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.system.Environment;
import dev.ligeiro.infra.loadtest.system.MeasuredWindow.Cost;
import dev.ligeiro.infra.loadtest.system.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report as Markdown tables with one number a cell, for the terminal and the documents. The README explains the columns. */
public final class Tables {

    private static final double KILOBYTES_PER_MEGABYTE = 1024;

    /** The cells of a table's row by column. */
    public static final class Row extends LinkedHashMap<String, String> {

        public Row with(String column, String cell) {
            put(column, cell);
            return this;
        }

        public Row with(String column, long number) {
            return with(column, Long.toString(number));
        }

        public Row with(String column, String format, double number) {
            return with(column, format(format, number));
        }
    }

    private Tables() {}

    /** Every figure of a report. */
    public static String of(Report report) {
        return text(
                report,
                rows(report, Tables::latencies),
                rows(report, (scenario, step) -> processes(step.cost())),
                rows(report, (scenario, step) -> machine(step.cost())),
                startups(report));
    }

    /** The figures that the documents show: latencies, CPU by process, and starts. */
    static String figures(Report report) {
        return text(
                report,
                rows(report, Tables::latencies),
                rows(report, (scenario, step) -> List.of(cpu(step.cost()))),
                startups(report));
    }

    @SafeVarargs
    private static String text(Report report, List<Row>... tables) {
        List<String> parts = new ArrayList<>(List.of(run(report)));
        report.scenarios().forEach(scenario -> parts.add(audit(scenario)));
        for (List<Row> table : tables) {
            if (!table.isEmpty()) {
                parts.add(ofRows(table));
            }
        }
        return String.join("\n", parts);
    }

    public static String of(Cost cost) {
        return ofRows(processes(cost)) + "\n" + ofRows(machine(cost));
    }

    /** A row for each latency, in the order of the map. */
    public static String of(Map<String, Latency> latencies) {
        List<Row> rows = new ArrayList<>();
        latencies.forEach((of, latency) -> rows.add(latency(of, "count", "" + latency.count(), latency)));
        return ofRows(rows);
    }

    /** Columns are padded, so that the text is a table on a terminal too. A row without a column's cell has an empty one. */
    public static String ofRows(List<Row> rows) {
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> columns.addAll(row.keySet()));
        Row header = new Row();
        Row line = new Row();
        Map<String, Integer> widths = new LinkedHashMap<>();
        for (String column : columns) {
            int cellMax = rows.stream()
                    .mapToInt(row -> row.getOrDefault(column, "").length())
                    .max()
                    .orElse(0);
            widths.put(column, Math.max(column.length(), cellMax));
            header.with(column, column);
            line.with(column, "-".repeat(Math.max(column.length(), cellMax)));
        }
        return Stream.concat(rows.isEmpty() ? Stream.empty() : Stream.of(header, line), rows.stream())
                .map(row -> widths.entrySet().stream()
                        .map(column -> format("%-" + column.getValue() + "s", row.getOrDefault(column.getKey(), "")))
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining());
    }

    /**
     * The sentence of the README about the newest run of {@code pay}: the best rate that counts, else the best rate and the reason why
     * it does not count. Empty without a run of pay.
     */
    public static Optional<String> headline(List<Report> reports) {
        return reports.stream()
                .sorted(Comparator.comparing(Report::startedAt).reversed())
                .flatMap(report -> report.scenarios().stream()
                        .filter(scenario -> scenario.scenario().equals("pay"))
                        .flatMap(pay -> headline(report, pay).stream()))
                .findFirst();
    }

    private static Optional<String> headline(Report report, ScenarioResult pay) {
        Comparator<StepResult> byCounting =
                Comparator.comparing(step -> pay.counts(step).equals("yes"));
        return pay.steps().stream()
                .max(byCounting.thenComparing(step -> step.cost().rate()))
                .map(best -> format(
                        "The last full run (%s, commit `%s`) created, paid and announced %,.0f transactions a second on %d cores, "
                                + "audited%s.%n",
                        report.startedAt().substring(0, 10),
                        report.environment().commit(),
                        best.cost().rate(),
                        report.environment().cores(),
                        pay.counts(best)
                                .replace("yes", "")
                                .replaceFirst("no: (.*)", "; this figure does not count ($1)")));
    }

    private static String run(Report report) {
        Environment on = report.environment();
        return format(
                "`%s`, %s, commit `%s`; %d cores %s, %d MB, Linux %s; JDK %s, Kafka %s, mongod %s; "
                        + "fdatasync p50 %.2f ms, p99 %.2f ms on %s.%n",
                report.command(),
                report.startedAt(),
                on.commit(),
                on.cores(),
                on.processorModel(),
                on.memoryMegabytes(),
                on.kernel(),
                on.jdk(),
                on.kafka(),
                on.mongod(),
                on.fdatasyncP50Millis(),
                on.fdatasyncP99Millis(),
                on.fileSystem());
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
    private static List<Row> rows(Report report, BiFunction<ScenarioResult, StepResult, List<Row>> rowsOfStep) {
        List<Row> rows = new ArrayList<>();
        for (ScenarioResult scenario : report.scenarios()) {
            for (StepResult step : scenario.audit().passed() ? scenario.steps() : List.<StepResult>of()) {
                for (Row cells : rowsOfStep.apply(scenario, step)) {
                    Row row = new Row().with("scenario", scenario.scenario()).with("load", step.load());
                    row.putAll(cells);
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static List<Row> latencies(ScenarioResult scenario, StepResult step) {
        List<Row> rows = new ArrayList<>();
        String rate = format("%.0f", step.cost().rate());
        rows.add(latency("response", "rate/s", rate, step.responses()).with("counts", scenario.counts(step)));
        if (step.responsesByCall().size() > 1) {
            step.responsesByCall().forEach((call, latency) -> rows.add(latency(call.code(), "rate/s", "", latency)));
        }
        Latency webhook = step.webhook();
        if (webhook != null) {
            rows.add(latency("last webhook", "rate/s", "", webhook));
        }
        return rows;
    }

    private static Row latency(String of, String column, String cell, Latency latency) {
        return new Row()
                .with("latency of", of)
                .with(column, cell)
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
        return List.of(
                cpu(cost), byRole("RSS MB", "", cost.rssKilobytes(), kilobytes -> kilobytes / KILOBYTES_PER_MEGABYTE));
    }

    private static Row cpu(Cost cost) {
        return byRole("CPU µs each", format("%.0f", cost.systemCpuMicros()), cost.cpuMicros(), micros -> micros);
    }

    private static <T> Row byRole(String name, String system, Map<Role, T> values, Function<T, Double> number) {
        Row row = new Row().with("of each process", name).with("system", system);
        values.forEach((role, value) -> row.with(role.code(), "%.0f", number.apply(value)));
        return row;
    }

    private static List<Row> machine(Cost cost) {
        return List.of(new Row()
                .with("cores in all", "%.2f", cost.cores())
                .with("others", "%.2f", cost.othersCores())
                .with("stolen", "%.2f", cost.stolenCores())
                .with("lag max", cost.lagMax())
                .with("lag growth/s", "%.1f", cost.lagGrowth()));
    }

    /** One row with every start. */
    private static List<Row> startups(Report report) {
        Row row = new Row().with("gateway", "start to first 201, ms").with("median", report.startupMedianMillis());
        report.startupMillis().forEach(millis -> row.with("start " + (row.size() - 1), millis));
        return report.startupMillis().isEmpty() ? List.of() : List.of(row);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
