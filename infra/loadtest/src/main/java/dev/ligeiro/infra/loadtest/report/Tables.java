package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.observe.Role;
import dev.ligeiro.infra.loadtest.observe.WindowCost;
import dev.ligeiro.infra.loadtest.report.Report.ScenarioResult;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A report as Markdown tables with one number a cell, for the terminal and the documents. The README explains the columns. */
public final class Tables {

    private static final List<String> LATENCY =
            cells("scenario|load|latency of|rate/s|p50 ms|p90 ms|p99 ms|p99.9 ms|max ms|counts");
    private static final List<String> MACHINE = cells("scenario|load|cores in all|others|stolen|lag max|lag growth/s");
    private static final List<String> PROCESSES = Stream.concat(
                    Stream.of("scenario", "load", "of each process", "system"),
                    Arrays.stream(Role.values()).map(Role::code))
            .toList();
    private static final double KILOBYTES_PER_MEGABYTE = 1024;

    private Tables() {}

    public static String of(Report report) {
        List<String> parts = new ArrayList<>();
        parts.add(run(report));
        report.scenarios().forEach(scenario -> parts.add(audit(scenario)));
        List<ScenarioResult> valid = report.scenarios().stream()
                .filter(scenario -> scenario.audit().passed())
                .toList();
        if (!valid.isEmpty()) {
            parts.add(table(LATENCY, rows(valid, Tables::latencies)));
            parts.add(table(PROCESSES, rows(valid, Tables::processes)));
            parts.add(table(MACHINE, rows(valid, Tables::machine)));
        }
        if (!report.startupMillis().isEmpty()) {
            List<List<String>> starts = new ArrayList<>();
            report.startupMillis().forEach(millis -> starts.add(List.of("start " + (starts.size() + 1), "" + millis)));
            starts.add(List.of("median", "" + report.startupMedianMillis()));
            parts.add(table(List.of("gateway", "start to first 201, ms"), starts));
        }
        return String.join("\n", parts);
    }

    private static String run(Report report) {
        return format(
                "`%s`, %s, commit %s; %d cores %s, %d MB, Linux %s; JDK %s, Kafka %s, mongod %s; "
                        + "fdatasync p50 %.2f ms, p99 %.2f ms on %s.%n",
                report.command(),
                report.startedAt(),
                report.versions().commitText(),
                report.machine().cores(),
                report.machine().model(),
                report.machine().memoryMegabytes(),
                report.machine().kernel(),
                report.versions().jdk(),
                report.versions().kafka(),
                report.versions().mongod(),
                report.disk().p50Millis(),
                report.disk().p99Millis(),
                report.disk().fileSystem());
    }

    private static String audit(ScenarioResult scenario) {
        String head = format(
                "`%s`: %s; warmed %d s%s, %d stored before, %d connections; ",
                scenario.scenario(),
                scenario.audit().passed() ? "audit passed" : "AUDIT FAILED, no figure is valid",
                scenario.warmSeconds(),
                scenario.cold() ? " (COLD: does not count)" : "",
                scenario.stored(),
                scenario.connections());
        String counts = format(
                "%d calls, %d answered, %d created and found once each, %d webhooks verified.%n",
                scenario.audit().calls(),
                scenario.audit().answered(),
                scenario.audit().created(),
                scenario.audit().webhooks());
        return head
                + counts
                + scenario.audit().faults().stream().map("  %s%n"::formatted).collect(Collectors.joining());
    }

    private interface Rows {
        Stream<Stream<String>> of(ScenarioResult scenario, StepResult step);
    }

    /** Each row starts with the scenario and the load. */
    private static List<List<String>> rows(List<ScenarioResult> scenarios, Rows rows) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.steps().stream().flatMap(step -> rows.of(scenario, step)
                        .map(cells -> Stream.concat(Stream.of(scenario.scenario(), step.load()), cells)
                                .toList())))
                .toList();
    }

    private static Stream<Stream<String>> latencies(ScenarioResult scenario, StepResult step) {
        List<Stream<String>> rows = new ArrayList<>();
        rows.add(latency("response", format("%.0f", step.cost().rate()), step.responses(), scenario.counts(step)));
        if (step.responsesByCall().size() > 1) {
            step.responsesByCall().forEach((call, latency) -> rows.add(latency(call.code(), "", latency, "")));
        }
        Latency webhook = step.webhook();
        if (webhook != null) {
            rows.add(latency("last webhook", "", webhook, ""));
        }
        return rows.stream();
    }

    private static Stream<String> latency(String of, String rate, Latency latency, String counts) {
        Stream<String> millis = Stream.of(latency.p50(), latency.p90(), latency.p99(), latency.p999(), latency.max())
                .map(value -> format(value < 100 ? "%.2f" : "%.0f", value));
        return Stream.of(Stream.of(of, rate), millis, Stream.of(counts)).flatMap(cells -> cells);
    }

    private static Stream<Stream<String>> processes(ScenarioResult scenario, StepResult step) {
        WindowCost cost = step.cost();
        return Stream.of(
                byRole("CPU µs each", format("%.0f", cost.systemCpuMicros()), cost.cpuMicros(), micros -> micros),
                byRole("RSS MB", "", cost.memoryKilobytes(), memory -> memory.rss() / KILOBYTES_PER_MEGABYTE),
                byRole("PSS MB", "", cost.memoryKilobytes(), memory -> memory.pss() / KILOBYTES_PER_MEGABYTE),
                byRole("garbage bytes each", "", cost.allocatedBytes(), Long::doubleValue));
    }

    private static <T> Stream<String> byRole(
            String name, String system, Map<Role, T> values, Function<T, Double> number) {
        Stream<String> cells = Arrays.stream(Role.values()).map(role -> {
            T value = values.get(role);
            return value == null ? "" : format("%.0f", number.apply(value));
        });
        return Stream.concat(Stream.of(name, system), cells);
    }

    private static Stream<Stream<String>> machine(ScenarioResult scenario, StepResult step) {
        WindowCost cost = step.cost();
        return Stream.of(Stream.of(
                format("%.2f", cost.cores()),
                format("%.2f", cost.othersCores()),
                format("%.2f", cost.stolenCores()),
                "" + cost.lagMax(),
                format("%.1f", cost.lagGrowth())));
    }

    /** Columns are padded, so that the text is a table on a terminal too. */
    static String table(List<String> header, List<List<String>> rows) {
        List<Integer> widths = IntStream.range(0, header.size())
                .mapToObj(column -> Stream.concat(Stream.of(header), rows.stream())
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toList();
        List<String> line = widths.stream().map("-"::repeat).toList();
        return Stream.concat(Stream.of(header, line), rows.stream())
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(column -> row.get(column)
                                + " "
                                        .repeat(widths.get(column)
                                                - row.get(column).length()))
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining());
    }

    private static List<String> cells(String header) {
        return List.of(header.split("\\|"));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
