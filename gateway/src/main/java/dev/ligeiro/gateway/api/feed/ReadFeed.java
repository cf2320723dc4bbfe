package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

    private final FeedReadStore store;
    private final Clock clock;

    ReadFeed(FeedReadStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The events of a page, and where the next one begins. */
    record Events(List<TransactionEvent> events, FeedCursor next) {}

    /** @param after null for the oldest kept event */
    Mono<Events> read(Tenant tenant, @Nullable FeedCursor after, int limit) {
        return store.find(tenant)
                .switchIfEmpty(Mono.defer(() -> first(tenant, after)))
                .flatMap(feed -> store.rows(feed.id(), FeedPage.firstNumber(after), limit + 1)
                        .map(rows -> FeedPage.of(feed, after, limit, rows)))
                .flatMap(page -> events(tenant, page));
    }

    private Mono<FeedReadStore.Feed> first(Tenant tenant, @Nullable FeedCursor after) {
        if (after != null) {
            return Mono.error(FeedCursor::unknown);
        }
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.insert(WebhookEndpoint.feed(UuidV7.at(now.toEpochMilli()), tenant, now))
                .then(Mono.defer(() -> store.find(tenant)));
    }

    private Mono<Events> events(Tenant tenant, FeedPage page) {
        List<EventId> ids = page.rows().stream().map(FeedReadStore.Row::eventId).toList();
        return store.events(tenant, ids).map(found -> new Events(events(tenant, page, found), page.next()));
    }

    private static List<TransactionEvent> events(Tenant tenant, FeedPage page, Map<EventId, TransactionEvent> found) {
        List<TransactionEvent> events = new ArrayList<>(page.rows().size());
        for (FeedReadStore.Row row : page.rows()) {
            TransactionEvent event = found.get(row.eventId());
            if (event == null) {
                logMissing(tenant, page, row);
            } else {
                events.add(event);
            }
        }
        return events;
    }

    /**
     * The transaction was deleted after the dispatcher had processed the event, or a newer version has written it. The other events are
     * still shown, and the next page goes on after this event: a reader must not meet it for ever.
     */
    private static void logMissing(Tenant tenant, FeedPage page, FeedReadStore.Row row) {
        LoggedMerchant.add(LOG.atError().addKeyValue("event.action", "feed_event_missing"), tenant)
                .addKeyValue("endpoint_id", page.next().feedId())
                .addKeyValue("feed_number", row.number())
                .addKeyValue("webhook_id", row.eventId())
                .log("The transaction of an event is not stored or cannot be decoded; the feed leaves the event out");
    }
}
