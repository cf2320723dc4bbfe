package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.system.Role;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the pages of one filter took.
 *
 * @param first the first page, when it was asked for the first time: from the first request to its answer, refusals and waits included
 * @param tooEarly how many requests were answered 503 until then
 * @param warm the requests after that, by the kind of page
 * @param cpuMicros of each of them, by process
 */
record FilterTimes(
        ListFilter filter,
        long total,
        Duration first,
        int tooEarly,
        Map<String, Latency> warm,
        Map<Role, Double> cpuMicros) {

    /** The cells of its row by column. */
    Map<String, String> row() {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("filter", filter.label());
        row.put("total", Long.toString(total));
        row.put("first ever ms", format("%.0f", first.toNanos() / 1e6));
        row.put("503", Integer.toString(tooEarly));
        warm.forEach((kind, latency) -> {
            row.put(kind + " p50 ms", format("%.1f", latency.p50()));
            row.put("p99 " + kind, format("%.1f", latency.p99()));
            row.put("max " + kind, format("%.1f", latency.max()));
        });
        cpuMicros.forEach((role, micros) -> row.put(role.code() + " µs", format("%.0f", micros)));
        return row;
    }

    private static String format(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }

    @Override
    public String toString() {
        return "%s: %d, first %d ms after %d refusals".formatted(filter, total, first.toMillis(), tooEarly);
    }
}
