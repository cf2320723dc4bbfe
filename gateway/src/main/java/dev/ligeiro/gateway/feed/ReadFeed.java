package dev.ligeiro.gateway.feed;

import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Reads a page of a tenant's feed. The first request makes the feed, which then gets the events that follow. An event becomes visible
 * when the dispatcher has given it a number. Numbers have no gaps and are given one after the other, so a page always continues where the
 * previous one ended, and an event that is stored late gets a later number.
 */
@Component
class ReadFeed {

    private static final Logger LOG = LoggerFactory.getLogger(ReadFeed.class);

    private final FeedStore store;
    private final Clock clock;

    ReadFeed(FeedStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The events of a page, and where the next one begins. */
    record Events(List<TransactionEvent> events, FeedCursor next) {}

    Mono<Events> read(Tenant tenant, FeedQuery query) {
        return store.find(tenant)
                .switchIfEmpty(Mono.defer(() -> first(tenant, query)))
                .flatMap(feed -> store.rows(feed.id(), FeedPage.firstNumber(query.after()), query.limit() + 1)
                        .map(rows -> FeedPage.of(feed, query, rows)))
                .flatMap(this::events);
    }

    private Mono<Feed> first(Tenant tenant, FeedQuery query) {
        if (query.after() != null) {
            return Mono.error(FeedQuery::unknownCursor);
        }
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.insert(WebhookEndpoint.feed(UuidV7.at(now.toEpochMilli()), tenant, now))
                .then(Mono.defer(() -> store.find(tenant)));
    }

    private Mono<Events> events(FeedPage page) {
        List<EventId> ids = page.rows().stream().map(FeedRow::eventId).toList();
        return store.transactions(ids).map(found -> new Events(events(ids, found), page.next()));
    }

    private static List<TransactionEvent> events(List<EventId> ids, Map<TransactionId, Transaction> found) {
        List<TransactionEvent> events = new ArrayList<>(ids.size());
        for (EventId id : ids) {
            Optional<TransactionEvent> event = TransactionEvent.find(found.get(id.transactionId()), id.sequence());
            event.ifPresentOrElse(events::add, () -> logMissing(id));
        }
        return events;
    }

    /** The dispatcher has processed the event, so its transaction was deleted afterwards. The other events are still shown. */
    private static void logMissing(EventId id) {
        LOG.atError()
                .addKeyValue("event.action", "feed_event_missing")
                .addKeyValue("webhook_id", id)
                .log("The transaction of an event is not stored; the feed leaves the event out");
    }
}
