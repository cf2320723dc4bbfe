package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.webhook.Arrivals;
import dev.ligeiro.infra.loadtest.webhook.Arrivals.Endpoint;
import dev.ligeiro.message.EventId;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The attempts at the deliveries of merchants with one endpoint each. The first attempt at a delivery finishes a call of the load. Each
 * further one is a fault, because every attempt gets a 2xx. The receiver's thread adds attempts; any thread may read the count.
 */
final class Attempts implements Arrivals.Listener {

    private static final int CALLS_FIRST = 1 << 16;

    private final CallJournal journal;
    private final RunFaults faults;
    private final Load load;
    /** When the first attempt at each call's delivery arrived, on {@link System#nanoTime}'s clock. */
    private long[] firstAt = new long[CALLS_FIRST];

    private volatile long atOnce;

    Attempts(CallJournal journal, RunFaults faults, Load load) {
        this.journal = journal;
        this.faults = faults;
        this.load = load;
    }

    @Override
    public void first(Endpoint endpoint, int number, Instant eventAt) {
        long now = System.nanoTime();
        if (number >= firstAt.length) {
            firstAt = Arrays.copyOf(firstAt, 2 * number);
        }
        firstAt[number] = now;
        if (endpoint.measured()) {
            load.finishedByWebhook(journal.dueAt(number), now);
        } else {
            load.finishedUnmeasured();
        }
    }

    /** An endpoint that is not measured is slow: an earlier attempt may be unanswered. */
    @Override
    public void repeated(Endpoint endpoint, int number, EventId id) {
        long millisLater = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - firstAt[number]);
        boolean unanswered = !endpoint.measured() && millisLater < Answer.SLOW.millis();
        atOnce += unanswered ? 1 : 0;
        faults.add(
                unanswered ? "delivery attempted twice at once" : "delivery attempted again after a 2xx",
                id + " after " + millisLater + " ms, at the time " + System.currentTimeMillis());
    }

    /** Further attempts that began before the earlier one was answered. */
    long atOnce() {
        return atOnce;
    }
}
