package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.merchant.WebhookCheck;
import dev.ligeiro.message.EventId;
import io.netty.handler.codec.http.FullHttpRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * The webhooks of events that several endpoints receive: which pairs of event and endpoint have arrived. The receiver's thread adds
 * webhooks; other threads may read the counts at any time, and audit when no webhook is under way.
 */
final class Arrivals implements Consumer<FullHttpRequest> {

    /** A merchant has at most 20 endpoints. */
    private static final int SLOTS = 32;

    private final CallJournal journal;
    private final RunFaults faults;
    private final int merchants;
    private final Consumer<Instant> eventTimes;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final Map<String, WebhookCheck> checksByPath = new ConcurrentHashMap<>();
    private final BitSet arrived = new BitSet();
    private volatile long measured;
    private volatile long duplicates;

    /**
     * An endpoint of the test.
     *
     * @param merchant whose endpoint it is: the merchant with number {@code n} makes the calls {@code n}, {@code n + merchants}, …
     * @param slot its number among the merchant's endpoints
     * @param id given by the gateway
     * @param measured whether its webhooks count in the times, and must all arrive
     */
    record Endpoint(int merchant, int slot, String id, boolean measured) {}

    /** @param eventTimes takes the {@code timestamp} of each first webhook of a measured endpoint, on the receiver's thread */
    Arrivals(CallJournal journal, RunFaults faults, int merchants, Consumer<Instant> eventTimes) {
        this.journal = journal;
        this.faults = faults;
        this.merchants = merchants;
        this.eventTimes = eventTimes;
    }

    /** @param path of the endpoint's URL */
    void expect(Endpoint endpoint, String path, String secret) {
        endpoints.add(endpoint);
        WebhookCheck.Valid valid = (number, id, body) -> add(endpoint, number, id, body);
        checksByPath.put(path, new WebhookCheck(secret, journal, faults, valid));
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    @Override
    public void accept(FullHttpRequest request) {
        WebhookCheck check = checksByPath.get(request.uri());
        if (check == null) {
            faults.add("webhook to an unknown path", request.uri());
        } else {
            check.accept(request);
        }
    }

    private void add(Endpoint endpoint, int number, EventId id, JsonNode body) {
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
            eventTimes.accept(Instant.parse(body.path("timestamp").asString("")));
            // counted last: a thread that reads the count sees the times too
            measured++;
        }
    }

    /** The pairs of event and measured endpoint that have arrived. */
    long measured() {
        return measured;
    }

    /** The pairs of event and measured endpoint. */
    long expected() {
        int calls = journal.size();
        return endpoints.stream()
                .filter(Endpoint::measured)
                .mapToLong(endpoint -> (calls - endpoint.merchant() + merchants - 1) / merchants)
                .sum();
    }

    /** The webhooks of pairs that had arrived before. */
    long duplicates() {
        return duplicates;
    }

    /** Each event must have arrived at each measured endpoint of its merchant, always with one {@code webhook-id}. */
    void audit() {
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
