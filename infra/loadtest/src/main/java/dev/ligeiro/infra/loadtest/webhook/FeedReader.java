package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Polls a merchant's feed of events from its start, on a thread of its own, and keeps the ids in the order of the feed. */
final class FeedReader {

    private static final String PATH = "/api/v1/events?limit=100";
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Empty pages in a row after which a finishing reader has seen everything. */
    private static final int LAST_PAGES = 30;

    /** The sequence numbers of a paid transaction's events. */
    private static final int CREATED = 1;

    private static final int PAID = 2;

    private final JsonApi api;
    private final int merchant;
    private final List<String> ids = new ArrayList<>();
    private final Thread thread = new Thread(this::read, "feed-reader");
    private volatile boolean finishing;
    private volatile @Nullable String failure;
    private int pages;
    private int failedCalls;

    /** @param merchant its number in the run */
    FeedReader(JsonApi api, int merchant) {
        this.api = api;
        this.merchant = merchant;
        page(""); // makes the feed: it has only the events after that
        thread.start();
    }

    int merchant() {
        return merchant;
    }

    /** Returns when the feed has had no further event for 3 s. */
    void finish() {
        finishing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        String after = "";
        int emptyPages = 0;
        while (!finishing || emptyPages < LAST_PAGES) {
            JsonNode page = page(after);
            int before = ids.size();
            page.path("events").forEach(event -> ids.add(event.path("id").asString("(none)")));
            JsonNode next = page.path("next_cursor");
            after = next.isString() ? next.stringValue() : after;
            emptyPages = ids.size() == before ? emptyPages + 1 : 0;
            if (emptyPages > 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** An empty page when the gateway does not answer: it may be restarting. */
    private JsonNode page(String after) {
        try {
            pages++;
            return api.get(after.isEmpty() ? PATH : PATH + "&after=" + after)
                    .expect(200)
                    .json();
        } catch (ApiException e) {
            failedCalls++;
            failure = e.getMessage();
            return MissingNode.getInstance();
        }
    }

    /**
     * Adds a fault for an event that was read twice or not at all, in another order, or that is not of this merchant.
     *
     * @param merchants in the run
     * @param first the first reader of this merchant's feed
     */
    void audit(CallJournal journal, int merchants, FeedReader first, RunFaults faults) {
        Set<String> seen = new HashSet<>(ids);
        if (seen.size() < ids.size()) {
            faults.add("feed with an event twice", this + ": " + (ids.size() - seen.size()));
        }
        if (!ids.equals(first.ids)) {
            faults.add("feed in another order", this + " and " + first);
        }
        Set<String> expected = new HashSet<>();
        boolean allAnswered = true;
        for (int number = merchant; number < journal.size(); number += merchants) {
            allAnswered &= journal.isAnswered(number);
            if (journal.isAnswered(number)) {
                TransactionId transaction = new TransactionId(journal.id(number));
                expected.add(new EventId(transaction, CREATED).toString());
                expected.add(new EventId(transaction, PAID).toString());
            }
        }
        expected.stream()
                .filter(id -> !seen.contains(id))
                .forEach(id -> faults.add("feed without an event", this + ": " + id));
        if (allAnswered) {
            seen.removeAll(expected);
            seen.forEach(id -> faults.add("feed with an event of no transaction of its merchant", this + ": " + id));
        }
    }

    @Override
    public String toString() {
        return "merchant %d: %d events in %d pages, %d failed calls%s"
                .formatted(merchant, ids.size(), pages, failedCalls, failure == null ? "" : " (" + failure + ")");
    }
}
