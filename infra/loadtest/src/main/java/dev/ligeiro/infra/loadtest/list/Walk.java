package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code next_page_url} through a list without filters while transactions are created. Each row that was there at the start must
 * come exactly once.
 */
final class Walk {

    /** A create may still store a younger transaction. */
    private static final Duration SETTLED = Duration.ofSeconds(15);

    private static final int PARTS = 10;

    private final ListClient client;
    private final StoredRows rows;
    private final RunFaults faults;
    private final Map<UUID, Boolean> seen = new HashMap<>();
    private final List<Duration> times = new ArrayList<>();

    Walk(ListClient client, StoredRows rows, RunFaults faults) {
        this.client = client;
        this.rows = rows;
        this.faults = faults;
    }

    /** Returns how many rows were there at the start; at most {@code rowsMax} are followed. */
    int follow(Tenant tenant, int rowsMax) {
        UUID newest = UuidV7.lowest(System.currentTimeMillis() - SETTLED.toMillis());
        List<UUID> expected = rows.idsFrom(tenant, newest, rowsMax);
        expected.forEach(id -> seen.put(id, false));
        UUID oldest = expected.get(expected.size() - 1);
        @Nullable String next = ListFilter.NONE.path(1);
        while (next != null) {
            ListClient.Got got = client.require(next);
            times.add(got.took());
            got.page().ids().forEach(id -> take(id, newest, oldest));
            next = Boolean.TRUE.equals(seen.get(oldest)) ? null : got.page().next();
        }
        seen.forEach((id, came) -> {
            if (!came) {
                faults.add("row that a walk left out", id.toString());
            }
        });
        return expected.size();
    }

    private void take(UUID id, UUID newest, UUID oldest) {
        Boolean before = seen.replace(id, true);
        if (Boolean.TRUE.equals(before)) {
            faults.add("row that came twice in a walk", id.toString());
        } else if (before == null && isBetween(id, newest, oldest)) {
            faults.add("row that was not there when the walk began", id.toString());
        }
    }

    private static boolean isBetween(UUID id, UUID newest, UUID oldest) {
        String text = id.toString();
        return text.compareTo(newest.toString()) <= 0 && text.compareTo(oldest.toString()) >= 0;
    }

    /** Of the first tenth of the pages, and of the last one. */
    Map<String, Latency> latencies() {
        int tenth = Math.max(1, times.size() / PARTS);
        Map<String, Latency> latencies = new LinkedHashMap<>();
        latencies.put("first tenth", latency(times.subList(0, tenth)));
        latencies.put("last tenth", latency(times.subList(times.size() - tenth, times.size())));
        return latencies;
    }

    private static Latency latency(List<Duration> some) {
        Histogram micros = Load.histogram();
        some.forEach(took -> Load.recordNanos(micros, took.toNanos()));
        return Latency.of(micros);
    }
}
