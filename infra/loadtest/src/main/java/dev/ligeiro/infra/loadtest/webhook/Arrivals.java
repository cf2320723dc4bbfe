package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.merchant.WebhookCheck;
import dev.ligeiro.infra.loadtest.merchant.WebhookSignature;
import dev.ligeiro.message.EventId;
import io.netty.handler.codec.http.FullHttpRequest;
import java.time.Instant;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * The webhooks of events that one or several endpoints receive: which pairs of event and endpoint have arrived. The receiver's thread
 * adds webhooks; other threads may read counts at any time, and audit when no webhook is under way.
 */
public final class Arrivals implements Consumer<FullHttpRequest> {

    /** A merchant has at most 20 endpoints. */
    private static final int SLOTS = 32;

    private final CallJournal journal;
    private final RunFaults faults;
    private final int merchants;
    private final Map<String, WebhookCheck> checksByPath = new ConcurrentHashMap<>();
    private final BitSet arrived = new BitSet();
    private volatile Listener listener = (endpoint, number, eventAt) -> {};
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
    public record Endpoint(int merchant, int slot, String id, String secret, boolean measured) {}

    /** Takes the webhooks that have passed every check. Called by the receiver's thread. */
    public interface Listener {

        /**
         * The first webhook of a pair of event and endpoint.
         *
         * @param number of the call that created the transaction
         * @param eventAt the payload's {@code timestamp}
         */
        void first(Endpoint endpoint, int number, Instant eventAt);

        /** A webhook of a pair that had arrived before. */
        default void repeated(Endpoint endpoint, int number, EventId id) {}
    }

    Arrivals(CallJournal journal, RunFaults faults, int merchants) {
        this.journal = journal;
        this.faults = faults;
        this.merchants = merchants;
    }

    void expect(String path, Endpoint endpoint) {
        WebhookSignature signature = new WebhookSignature(endpoint.secret());
        WebhookCheck.Valid valid = (number, id, body) -> arrived(endpoint, number, id, body);
        checksByPath.put(path, new WebhookCheck(signature, journal, faults, valid));
    }

    public void listen(Listener newListener) {
        listener = newListener;
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

    private void arrived(Endpoint endpoint, int number, EventId id, JsonNode body) {
        if (number % merchants != endpoint.merchant()) {
            faults.add("webhook of another merchant", id.toString());
            return;
        }
        journal.addWebhook(number, id.sequence(), id.transactionId().value());
        int pair = number * SLOTS + endpoint.slot();
        if (arrived.get(pair)) {
            duplicates++;
            listener.repeated(endpoint, number, id);
            return;
        }
        arrived.set(pair);
        listener.first(endpoint, number, Instant.parse(body.path("timestamp").asString("")));
        // counted last: a thread that reads the counts sees the listener's figures too
        if (endpoint.measured()) {
            measured++;
        } else {
            others++;
        }
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
    public long duplicates() {
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
