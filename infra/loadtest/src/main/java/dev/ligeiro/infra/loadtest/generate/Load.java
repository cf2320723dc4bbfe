package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.ledger.Call;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * One stretch of load at one pace, and what came of it. Each counter and each histogram has one writing thread: calls and answers the
 * generator's, webhooks the receiver's. Histograms are read once the load is drained.
 */
public final class Load {

    private static final long MICROS_MAX = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;

    private final Mix mix;
    private final Pace pace;
    private final long measuredFrom;
    private final long measuredTo;
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong answeredLast = new AtomicLong();
    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong toAnnounce = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Map<Call, Histogram> answerMicros = new EnumMap<>(Call.class);
    private final Histogram announcedMicros = histogram();
    private volatile boolean canceled;

    /** @param measuredFrom from when on a due call counts in the histograms, {@code measuredTo} being the end of the load */
    public Load(Mix mix, Pace pace, long measuredFrom, long measuredTo) {
        this.mix = mix;
        this.pace = pace;
        this.measuredFrom = measuredFrom;
        this.measuredTo = measuredTo;
        mix.calls().forEach(call -> answerMicros.put(call, histogram()));
    }

    /** When the next call is due, {@link Long#MAX_VALUE} when none is in sight. */
    long nextDueAt(long now) {
        long due = pace.dueAt(made.get(), unfinished(), now);
        return due >= measuredTo || canceled ? Long.MAX_VALUE : due;
    }

    boolean isOver(long now) {
        return now >= measuredTo || canceled;
    }

    /** The kind of the next call, which is made now. */
    Call make() {
        Call call = mix.call(made.get());
        made.lazySet(made.get() + 1);
        if (call.isAnnounced()) {
            toAnnounce.lazySet(toAnnounce.get() + 1);
        }
        return call;
    }

    void answered(Call call, long dueAt, long now) {
        if (isMeasured(dueAt)) {
            answerMicros.computeIfAbsent(call, first -> histogram()).recordValue(micros(now - dueAt));
        }
        // last: whoever sees the counts sees the histograms too
        if (!call.isAnnounced()) {
            answeredLast.lazySet(answeredLast.get() + 1);
        }
        answered.lazySet(answered.get() + 1);
    }

    void failed() {
        failed.lazySet(failed.get() + 1);
    }

    /** The last webhook of a call that was due at {@code dueAt} has come for the first time. */
    public void announced(long dueAt, long now) {
        if (isMeasured(dueAt)) {
            announcedMicros.recordValue(micros(now - dueAt));
        }
        announced.lazySet(announced.get() + 1);
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

    /** Calls whose last expected effect has been seen: the answer, or the webhook of the last change. */
    public long finished() {
        return answeredLast.get() + announced.get();
    }

    /** Whether every call has been answered, rightly or wrongly, and every webhook has come that is still to be hoped for. */
    public boolean isDrained() {
        return answered.get() + failed.get() == made.get() && announced.get() + failed.get() >= toAnnounce.get();
    }

    public Mix mix() {
        return mix;
    }

    public long measuredFrom() {
        return measuredFrom;
    }

    public long measuredTo() {
        return measuredTo;
    }

    /** From due to answered, by kind of call. */
    public Map<Call, Histogram> answerMicros() {
        return answerMicros;
    }

    /** From due to the arrival of the webhook of the last change. */
    public Histogram announcedMicros() {
        return announcedMicros;
    }

    private long unfinished() {
        return made.get() - finished() - failed.get();
    }

    private boolean isMeasured(long dueAt) {
        return dueAt >= measuredFrom && dueAt < measuredTo;
    }

    private static long micros(long nanos) {
        return Math.min(MICROS_MAX, nanos / 1000);
    }

    private static Histogram histogram() {
        return new Histogram(1, MICROS_MAX, DIGITS);
    }
}
