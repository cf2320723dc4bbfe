package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.merchant.WebhookCheck;
import dev.ligeiro.infra.loadtest.merchant.WebhookPaths;
import dev.ligeiro.infra.loadtest.merchant.WebhookSignature;
import dev.ligeiro.message.EventId;
import io.netty.handler.codec.http.FullHttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/**
 * The webhooks of events that several endpoints receive: which pairs of event and endpoint have arrived, and the time from the event
 * (the payload's {@code timestamp}) to the arrival. The receiver's thread adds webhooks; other threads may read counts and times at any
 * time, and audit when no webhook is under way.
 */
final class Arrivals implements Consumer<FullHttpRequest> {

    /** A merchant has at most 20 endpoints. */
    private static final int SLOTS = 32;

    private final CallJournal journal;
    private final RunFaults faults;
    private final int merchants;
    private final WebhookPaths paths;
    private final BitSet arrived = new BitSet();
    private final Map<Long, Histogram> microsByPeriod = new ConcurrentHashMap<>();
    private volatile Instant startedAt = Instant.MAX;
    private volatile Duration period = Duration.ofDays(1);
    private volatile long measured;
    private volatile long others;
    private volatile long duplicates;

    /**
     * An endpoint of the test.
     *
     * @param merchant whose endpoint it is: the merchant with number {@code n} makes the calls {@code n}, {@code n + merchants}, …
     * @param slot its number among the merchant's endpoints
     * @param id given by the gateway
     * @param measured whether its webhooks count in the times, and must all arrive
     */
    record Endpoint(int merchant, int slot, String id, String secret, boolean measured) {}

    Arrivals(CallJournal journal, RunFaults faults, int merchants) {
        this.journal = journal;
        this.faults = faults;
        this.paths = new WebhookPaths(faults);
        this.merchants = merchants;
    }

    /** @param path of the endpoint's URL */
    void expect(String path, Endpoint endpoint) {
        WebhookSignature signature = new WebhookSignature(endpoint.secret());
        paths.add(
                path,
                new WebhookCheck(
                        signature, journal, faults, (number, id, body) -> arrived(endpoint, number, id, body)));
    }

    /** Times are kept for each period from now on, by the time of the event. */
    void startPeriods(Duration length) {
        period = length;
        startedAt = Instant.now();
    }

    @Override
    public void accept(FullHttpRequest request) {
        paths.accept(request);
    }

    private void arrived(Endpoint endpoint, int number, EventId id, JsonNode body) {
        if (number % merchants != endpoint.merchant()) {
            faults.add("webhook of another merchant", id.toString());
            return;
        }
        journal.addWebhook(number, id.sequence(), id.transactionId().value());
        int pair = number * SLOTS + endpoint.slot();
        if (arrived.get(pair)) {
            duplicates++;
            return;
        }
        arrived.set(pair);
        if (endpoint.measured()) {
            record(Instant.parse(body.path("timestamp").asString("")));
            measured++;
        } else {
            others++;
        }
    }

    private void record(Instant eventAt) {
        Instant now = Instant.now();
        if (!eventAt.isBefore(startedAt)) {
            long index = Duration.between(startedAt, eventAt).dividedBy(period);
            long micros = Duration.between(eventAt, now).toNanos() / 1000;
            micros(index).recordValue(Math.max(1, Math.min(Load.MICROS_MAX, micros)));
        }
    }

    /** The times of the events of this period, the first being 0. */
    Histogram micros(long index) {
        return microsByPeriod.computeIfAbsent(index, any -> new ConcurrentHistogram(1, Load.MICROS_MAX, 3));
    }

    /** Pairs of event and measured endpoint that have arrived. */
    long measured() {
        return measured;
    }

    /** Pairs of event and any endpoint that have arrived. */
    long count() {
        return measured + others;
    }

    /** Webhooks of pairs that had arrived before. */
    long duplicates() {
        return duplicates;
    }

    /** Each event must have arrived at each measured endpoint of its merchant, always with one {@code webhook-id}. */
    void audit(Iterable<Endpoint> endpoints) {
        for (Endpoint endpoint : endpoints) {
            for (int number = endpoint.merchant();
                    endpoint.measured() && number < journal.size();
                    number += merchants) {
                if (!arrived.get(number * SLOTS + endpoint.slot())) {
                    faults.add("webhooks missing", journal.identifiers().reference(number));
                } else if (!journal.webhooksAgree(number)) {
                    faults.add(
                            "webhooks with several ids", journal.identifiers().reference(number));
                }
            }
        }
    }
}
