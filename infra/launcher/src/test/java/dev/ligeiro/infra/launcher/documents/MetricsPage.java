package dev.ligeiro.infra.launcher.documents;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics that {@code infra/prometheus/METRICS.md} lists, by the heading of their table. */
public final class MetricsPage {

    /** The heading of the metrics that are not our own. */
    public static final String ALL_SERVICES = "All services";

    private static final Pattern HEADING = Pattern.compile("## (.+)");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z][a-z0-9_]*)(?:\\{([a-z,]+)})?` \\| (.+) \\|");

    private final Map<String, List<Metric>> tables = new LinkedHashMap<>();

    private MetricsPage() {}

    /**
     * @param name as in Prometheus; of a histogram or timer without {@code _bucket}, {@code _count}, {@code _sum} and {@code _max}
     * @param labels those of our own; Prometheus adds {@code job} and {@code instance}
     */
    public record Metric(String name, Set<String> labels, String meaning) {

        /** The names of its series. */
        Set<String> series() {
            if (meaning.startsWith("histogram")) {
                return Set.of(name + "_bucket", name + "_count", name + "_sum");
            }
            if (meaning.startsWith("timer")) {
                return Set.of(name + "_count", name + "_sum", name + "_max");
            }
            return Set.of(name);
        }
    }

    public static MetricsPage read() {
        MetricsPage page = new MetricsPage();
        String heading = "";
        for (String line : Checkout.read("infra/prometheus/METRICS.md").lines().toList()) {
            Matcher newHeading = HEADING.matcher(line);
            Matcher row = ROW.matcher(line);
            if (newHeading.matches()) {
                heading = newHeading.group(1);
            } else if (row.matches()) {
                page.tables
                        .computeIfAbsent(heading, name -> new ArrayList<>())
                        .add(new Metric(row.group(1), labels(row), row.group(3)));
            } else if (line.startsWith("| `")) {
                throw new AssertionError("METRICS.md: " + line + " (expected: | `name{labels}` | meaning |)");
            }
        }
        return page;
    }

    private static Set<String> labels(Matcher row) {
        return row.group(2) == null ? Set.of() : Set.of(row.group(2).split(","));
    }

    /** The names in the table under the heading, such as {@code gateway}. */
    public Set<String> names(String heading) {
        Set<String> names = new TreeSet<>();
        tables.getOrDefault(heading, List.of()).forEach(metric -> names.add(metric.name()));
        return names;
    }

    /** The names of all series. */
    public Set<String> series() {
        Set<String> names = new TreeSet<>();
        all().forEach(metric -> names.addAll(metric.series()));
        return names;
    }

    List<Metric> all() {
        return tables.values().stream().flatMap(List::stream).toList();
    }
}
