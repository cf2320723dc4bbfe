package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.dispatcher.http.WebhookProperties;
import dev.ligeiro.webhook.AttemptOutcome;
import java.time.Duration;

/**
 * How many attempts to one endpoint may run at once in this process. It begins with 20, and each round of as many successes makes it one
 * larger if it was full meanwhile, otherwise one smaller. A failed attempt halves it, and so does a round whose attempts mostly took longer
 * than a batch waits for them, or half as long again as with 20 at once: then the endpoint works on no more of them, they only queue there. It
 * is never smaller than at the beginning. Pure, and not thread-safe.
 */
final class EndpointWindow {

    private final Limits limits;
    private int size;
    /** An attempt that takes longer is late. */
    private long lateNanos;

    // of this round
    private int successes;
    private int late;
    private long totalNanos;
    private boolean full;

    EndpointWindow(Limits limits) {
        this.limits = limits;
        this.size = limits.min;
        this.lateNanos = limits.quickNanos;
    }

    /** @param quickNanos how long a batch waits for an attempt */
    record Limits(int min, int max, long quickNanos) {

        static Limits of(WebhookProperties properties) {
            int max = properties.attemptsPerEndpointMax();
            int min = Math.min(DispatcherMemoryBudget.WINDOW_MIN, max);
            return new Limits(min, max, properties.batchWindow().toNanos());
        }
    }

    int size() {
        return size;
    }

    /** By how much it is larger than at the beginning. */
    int grown() {
        return size - limits.min;
    }

    /** As many attempts are running as may. */
    void wasFull() {
        full = true;
    }

    /**
     * An attempt has ended.
     *
     * @param took how long the endpoint took
     * @param mayGrow false if the windows of all endpoints have grown as far as they may
     */
    void ended(AttemptOutcome outcome, Duration took, boolean mayGrow) {
        if (outcome == AttemptOutcome.DELIVERED) {
            long nanos = took.toNanos();
            successes++;
            totalNanos += nanos;
            late += nanos > lateNanos ? 1 : 0;
            if (successes >= size) {
                endRound(mayGrow);
            }
        } else if (outcome != AttemptOutcome.UNSENDABLE) {
            resize(size / 2);
            restart();
        }
    }

    private void endRound(boolean mayGrow) {
        if (size == limits.min) {
            lateNanos = Math.min(limits.quickNanos, totalNanos / successes * 3 / 2);
        }
        if (late * 2 > successes) {
            resize(size / 2);
        } else if (!full) {
            resize(size - 1);
        } else if (mayGrow) {
            resize(size + 1);
        }
        restart();
    }

    private void resize(int wanted) {
        size = Math.max(limits.min, Math.min(limits.max, wanted));
    }

    private void restart() {
        successes = 0;
        late = 0;
        totalNanos = 0;
        full = false;
    }
}
