package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.report.Tables.Row;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.Processes;
import dev.ligeiro.infra.loadtest.system.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * Asks for the pages of one filter after the other, while no transaction changes: the first page until it is answered, then again, pages
 * anywhere, the last page, and the pages that {@code next_page_url} leads to.
 */
final class Grid {

    private static final List<Role> REPORTED = List.of(Role.GATEWAY, Role.MONGOD);

    private final ListClient client;
    private final Processes processes;
    private final RunFaults faults;
    private final int requests;
    private final SplittableRandom random = new SplittableRandom(15);

    /** @param requests of each kind of page of each filter */
    Grid(ListClient client, Processes processes, RunFaults faults, int requests) {
        this.client = client;
        this.processes = processes;
        this.faults = faults;
        this.requests = requests;
    }

    /** Prints a row for each filter, and adds its total to those to be compared. */
    void measure(List<ListFilter> filters, ListTotals totals) {
        List<Row> rows = new ArrayList<>();
        for (ListFilter filter : filters) {
            client.get(filter.path(1))
                    .ifPresentOrElse(
                            first -> {
                                Progress.say(
                                        "  %s: %d, first %d ms after %d times 503",
                                        filter, first.total(), first.took().toMillis(), first.unavailable());
                                totals.add(filter, first.total());
                                rows.add(row(filter, first));
                            },
                            () -> faults.add("filter that was refused for ever", filter.label()));
        }
        System.out.printf("%n%s%n", Tables.ofRows(rows));
    }

    /** @param first the first page, when it was asked for the first time */
    private Row row(ListFilter filter, TimedPage first) {
        long last = first.last();
        Map<String, Latency> warm = new LinkedHashMap<>();
        Map<Role, Long> before = processes.cpuMicros();
        warm.put("first", times(filter, previous -> filter.path(1)));
        warm.put("any", times(filter, previous -> anyPage(filter, last)));
        warm.put("last", times(filter, previous -> filter.path(last)));
        warm.put("next", times(filter, previous -> next(filter, last, previous)));
        Map<Role, Long> after = processes.cpuMicros();
        Row row = new Row()
                .with("filter", filter.label())
                .with("total", first.total())
                .with("first ever ms", "%.0f", first.took().toNanos() / 1e6)
                .with("503", first.unavailable());
        warm.forEach((kind, latency) -> row.with(kind + " p50 ms", "%.1f", latency.p50())
                .with("p99 " + kind, "%.1f", latency.p99())
                .with("max " + kind, "%.1f", latency.max()));
        for (Role role : REPORTED) {
            long micros = after.getOrDefault(role, 0L) - before.getOrDefault(role, 0L);
            row.with(role.code() + " µs", "%.0f", micros / (double) (warm.size() * requests));
        }
        return row;
    }

    /** @param paths returns the path of a page by the {@code next_page_url} of the page before, which is empty without one */
    private Latency times(ListFilter filter, UnaryOperator<String> paths) {
        Histogram micros = Load.histogram();
        String next = "";
        for (int request = 0; request < requests; request++) {
            TimedPage page = client.require(paths.apply(next));
            Load.recordNanos(micros, page.took().toNanos());
            if (!page.isWhole()) {
                faults.add("page with wrong rows", filter.label() + ", page " + page.number());
            }
            next = Objects.requireNonNullElse(page.next(), "");
        }
        return Latency.of(micros);
    }

    private String anyPage(ListFilter filter, long last) {
        return filter.path(random.nextLong(1, last + 1));
    }

    /** The page after the previous one; at the beginning and at the end of a list, the page after one anywhere. */
    private String next(ListFilter filter, long last, String previous) {
        if (!previous.isEmpty()) {
            return previous;
        }
        String from = anyPage(filter, Math.max(1, last - 1));
        return Objects.requireNonNullElse(client.require(from).next(), from);
    }
}
