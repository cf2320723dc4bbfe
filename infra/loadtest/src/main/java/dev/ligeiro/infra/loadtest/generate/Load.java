package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.journal.Call;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * A period of load at one pace: its counters and latencies. The generator's thread records calls and responses, the receiver's thread
 * records webhooks. Histograms may be read when the load is drained.
 */
public final class Load {

    private static final long MICROS_MAX = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;

    private final Scenario scenario;
    private final Pace pace;
    private final long measuredFrom;
    private final long measuredTo;
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong finishedByResponse = new AtomicLong();
    private final AtomicLong finishedByWebhook = new AtomicLong();
    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Map<Call, Histogram> responseMicros = new EnumMap<>(Call.class);
    private final Histogram webhookMicros = histogram();
    private volatile boolean canceled;

    /** Calls that are due from {@code measuredFrom} to {@code measuredTo} count in the histograms; later calls are not made. */
    public Load(Scenario scenario, Pace pace, long measuredFrom, long measuredTo) {
        this.scenario = scenario;
        this.pace = pace;
        this.measuredFrom = measuredFrom;
        this.measuredTo = measuredTo;
        scenario.calls().forEach(call -> responseMicros.put(call, histogram()));
    }

    /** When the next call is due; {@link Long#MAX_VALUE} when none is, or when it must wait until another call finishes. */
    long nextDueAt(long now) {
        long due = pace.dueAt(made.get(), made.get() - finished() - failed.get(), now);
        return due >= measuredTo || canceled ? Long.MAX_VALUE : due;
    }

    boolean isOver(long now) {
        return now >= measuredTo || canceled;
    }

    /** Counts the next call; returns its kind. */
    Call make() {
        Call call = scenario.call(made.getAndIncrement());
        if (call.isAnnounced()) {
            announced.incrementAndGet();
        }
        return call;
    }

    void answered(Call call, long dueAt, long now) {
        record(responseMicros.computeIfAbsent(call, first -> histogram()), dueAt, now);
        // counted after recording: a thread that reads the counts sees the histograms too
        if (!call.isAnnounced()) {
            finishedByResponse.incrementAndGet();
        }
        answered.incrementAndGet();
    }

    void failed() {
        failed.incrementAndGet();
    }

    /** The last webhook of a call arrived for the first time. */
    public void finishedByWebhook(long dueAt, long now) {
        record(webhookMicros, dueAt, now);
        finishedByWebhook.incrementAndGet();
    }

    /** No further calls are made. */
    public void cancel() {
        canceled = true;
    }

    public long made() {
        return made.get();
    }

    public long failures() {
        return failed.get();
    }

    /** Calls whose last expected effect was seen: the response, or the webhook of the last change. */
    public long finished() {
        return finishedByResponse.get() + finishedByWebhook.get();
    }

    /** Whether every call was answered or failed, and every webhook that can still be expected has arrived. */
    public boolean isDrained() {
        return answered.get() + failed.get() == made.get() && finishedByWebhook.get() + failed.get() >= announced.get();
    }

    public long measuredFrom() {
        return measuredFrom;
    }

    public long measuredTo() {
        return measuredTo;
    }

    /** From due to response, by kind of call. */
    public Map<Call, Histogram> responseMicros() {
        return responseMicros;
    }

    /** From due to the arrival of the last webhook. */
    public Histogram webhookMicros() {
        return webhookMicros;
    }

    public static Histogram histogram() {
        return new Histogram(1, MICROS_MAX, DIGITS);
    }

    private void record(Histogram micros, long dueAt, long now) {
        if (dueAt >= measuredFrom && dueAt < measuredTo) {
            micros.recordValue(Math.min(MICROS_MAX, (now - dueAt) / 1000));
        }
    }
}
