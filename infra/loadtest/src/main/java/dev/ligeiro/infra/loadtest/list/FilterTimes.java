package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.report.Row;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.system.Role;
import java.time.Duration;
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

    Row row() {
        Row row = new Row()
                .with("filter", filter.label())
                .with("total", total)
                .with("first ever ms", "%.0f", first.toNanos() / 1e6)
                .with("503", tooEarly);
        warm.forEach((kind, latency) -> row.with(kind + " p50 ms", "%.1f", latency.p50())
                .with("p99 " + kind, "%.1f", latency.p99())
                .with("max " + kind, "%.1f", latency.max()));
        cpuMicros.forEach((role, micros) -> row.with(role.code() + " µs", "%.0f", micros));
        return row;
    }

    @Override
    public String toString() {
        return "%s: %d, first %d ms after %d refusals".formatted(filter, total, first.toMillis(), tooEarly);
    }
}
