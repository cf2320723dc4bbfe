package dev.ligeiro.infra.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.launcher.documents.MetricsPage.Metric;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Checks that the series and labels of an expression are in the list of metrics. */
final class KnownNames {

    /** Prometheus adds the first three; the last one is the bound of a bucket. */
    private static final Set<String> ADDED = Set.of("job", "instance", "namespace", "le");

    private final List<Metric> metrics = MetricsPage.read().all();

    void assertKnown(String where, String expression) {
        Expression parsed = new Expression(expression);
        assertThat(parsed.series()).as(where).isNotEmpty();
        Set<String> labels = new TreeSet<>(ADDED);
        for (String series : parsed.series()) {
            List<Metric> found = metrics.stream()
                    .filter(metric -> metric.series().contains(series))
                    .toList();
            assertThat(found).as("%s: %s in METRICS.md", where, series).isNotEmpty();
            found.forEach(metric -> labels.addAll(metric.labels()));
        }
        assertThat(labels).as(where).containsAll(parsed.labels());
    }
}
