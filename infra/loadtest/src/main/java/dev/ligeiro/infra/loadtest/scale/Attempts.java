package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.merchant.WebhookCheck;
import dev.ligeiro.infra.loadtest.merchant.WebhookPaths;
import dev.ligeiro.infra.loadtest.merchant.WebhookSignature;
import dev.ligeiro.message.EventId;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The webhooks of merchants with one endpoint each, which create paid cashins in turn. The first attempt at a delivery finishes a call of
 * the load. Each further one is a fault, because every attempt gets a 2xx. The receiver's thread adds webhooks; the counts may be read
 * by any thread.
 */
final class Attempts implements Consumer<FullHttpRequest> {

    private static final int CALLS_FIRST = 1 << 16;

    private final CallJournal journal;
    private final RunFaults faults;
    private final Load load;
    private final int merchants;
    private final WebhookPaths paths;
    /** When the first attempt of each call's delivery arrived, on {@link System#nanoTime}'s clock. */
    private long[] firstAt = new long[CALLS_FIRST];

    private volatile long doubled;
    private volatile long atOnce;

    /** @param merchants the merchant with number {@code n} makes the calls {@code n}, {@code n + merchants}, … */
    Attempts(CallJournal journal, RunFaults faults, Load load, int merchants) {
        this.journal = journal;
        this.faults = faults;
        this.paths = new WebhookPaths(faults);
        this.load = load;
        this.merchants = merchants;
    }

    /**
     * @param path of the URL of the merchant's endpoint
     * @param answer how the receiver answers there; only the webhooks that it answers at once count in the load's latencies
     */
    void expect(int merchant, String path, String secret, Answer answer) {
        WebhookCheck.Valid valid = (number, id, body) -> arrived(merchant, answer, number, id);
        paths.add(path, new WebhookCheck(new WebhookSignature(secret), journal, faults, valid));
    }

    @Override
    public void accept(FullHttpRequest request) {
        paths.accept(request);
    }

    private void arrived(int merchant, Answer answer, int number, EventId id) {
        long now = System.nanoTime();
        if (number % merchants != merchant) {
            faults.add("webhook of another merchant", id.toString());
        } else if (!journal.addWebhook(number, id.sequence(), id.transactionId().value())) {
            attemptedAgain(answer, TimeUnit.NANOSECONDS.toMillis(now - firstAt[number]), id);
        } else {
            if (number >= firstAt.length) {
                firstAt = Arrays.copyOf(firstAt, 2 * number);
            }
            firstAt[number] = now;
            finish(answer, number, now);
        }
    }

    private void finish(Answer answer, int number, long now) {
        if (answer == Answer.AT_ONCE) {
            load.finishedByWebhook(journal.dueAt(number), now);
        } else {
            load.finishedUnmeasured();
        }
    }

    private void attemptedAgain(Answer answer, long millisLater, EventId id) {
        doubled++;
        boolean unanswered = millisLater < answer.millis();
        atOnce += unanswered ? 1 : 0;
        faults.add(
                unanswered ? "delivery attempted twice at once" : "delivery attempted again after a 2xx",
                id + " after " + millisLater + " ms, at the time " + System.currentTimeMillis());
    }

    /** Attempts at deliveries that had been attempted before. */
    long doubled() {
        return doubled;
    }

    /** Those that began before the earlier attempt was answered. */
    long atOnce() {
        return atOnce;
    }
}
