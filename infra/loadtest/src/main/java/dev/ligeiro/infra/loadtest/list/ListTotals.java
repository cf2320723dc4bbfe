package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.report.Tables;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The totals that a merchant's lists show, to be compared with its stored transactions. */
final class ListTotals {

    private final ListClient client;
    private final RunFaults faults;
    private final List<ListFilter> filters = new ArrayList<>();
    private final List<Long> totals = new ArrayList<>();

    ListTotals(ListClient client, RunFaults faults) {
        this.client = client;
        this.faults = faults;
    }

    /** Asks for the first page of each, and prints what that took. */
    void ask(List<ListFilter> asked) {
        Histogram micros = Load.histogram();
        for (ListFilter filter : asked) {
            Optional<ListClient.Got> got = client.get(filter.path(1));
            got.ifPresentOrElse(
                    answer -> {
                        Load.recordNanos(micros, answer.took().toNanos());
                        add(filter, answer.page().total());
                    },
                    () -> add(filter, -1));
        }
        System.out.printf("%n%s%n", Tables.of(Map.of("first page, refusals included", Latency.of(micros))));
    }

    void add(ListFilter filter, long total) {
        filters.add(filter);
        totals.add(total);
    }

    void compare(StoredRows rows, Tenant tenant) {
        long[] counts = counts(rows, tenant);
        int different = 0;
        for (int i = 0; i < counts.length; i++) {
            if (totals.get(i) != counts[i]) {
                different++;
                faults.add(
                        "list with a wrong total",
                        "%s: %d (expected: %d)".formatted(filters.get(i), totals.get(i), counts[i]));
            }
        }
        Progress.say(
                "%d totals compared with a brute count, %d different, %d matches in all",
                counts.length, different, Arrays.stream(counts).sum());
    }

    /**
     * How many transactions match each filter. Reads every stored transaction and compares its fields: none of the gateway's indexes, tokens
     * and kept counts has a part in it.
     */
    private long[] counts(StoredRows rows, Tenant tenant) {
        long[] counts = new long[filters.size()];
        rows.forEach(tenant, row -> {
            for (int i = 0; i < counts.length; i++) {
                if (filters.get(i).matches(row)) {
                    counts[i]++;
                }
            }
        });
        return counts;
    }
}
