package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.loadtest.merchant.Timeline;
import dev.ligeiro.infra.loadtest.report.Row;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.system.Role;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A phase of the command {@code scale}.
 *
 * @param processesBefore of the service, at the beginning
 * @param processes at the end
 * @param fromSecond of the load
 * @param rate finished calls a second
 * @param cores busy on the whole machine
 * @param serviceCores busy with the service's processes; null when some of them ended in the phase
 * @param lag records that the consumers had not committed at the end
 * @param failed calls that were answered with an error, or whose connection ended before the response
 * @param doubled deliveries that were attempted again
 */
record ScalePhase(
        Role service,
        int processesBefore,
        int processes,
        double fromSecond,
        double toSecond,
        double rate,
        double cores,
        @Nullable Double serviceCores,
        long lag,
        long failed,
        long doubled) {

    /** Whether processes start or stop. */
    boolean isChange() {
        return processesBefore != processes;
    }

    /** Such as {@code 1}, or {@code 1 → 3}. */
    String label() {
        return isChange() ? processesBefore + " → " + processes : Integer.toString(processes);
    }

    /** Its row, with the latencies of the calls that were due in it. */
    Row row(Timeline responses, Timeline webhooks) {
        return new Row()
                .with("service", service.code())
                .with("processes", label())
                .with("s", "%.0f", toSecond - fromSecond)
                .with("rate/s", "%.0f", rate)
                .with("201 p50 / p99 ms", latency(responses))
                .with("webhook p50 / p99 ms", latency(webhooks))
                .with("failed", failed)
                .with("doubled", doubled)
                .with("lag", lag)
                .with("cores", "%.2f", cores)
                .with("of the service", serviceCores == null ? "" : String.format(Locale.ROOT, "%.2f", serviceCores));
    }

    /** For the terminal, before the audit. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %s: %.0f s, %.0f/s, lag %d, %d failed, %d doubled",
                service.code(),
                label(),
                toSecond - fromSecond,
                rate,
                lag,
                failed,
                doubled);
    }

    /** Empty when no second began in the phase. */
    private String latency(Timeline timeline) {
        Latency latency = Latency.of(timeline.micros(fromSecond, toSecond));
        return latency.count() == 0 ? "" : String.format(Locale.ROOT, "%.1f / %.0f", latency.p50(), latency.p99());
    }
}
