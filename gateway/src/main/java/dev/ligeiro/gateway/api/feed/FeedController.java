package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.gateway.api.feed.FeedPage.Place;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.Page;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code GET /api/v1/events?after=&limit=}: a page of a tenant's feed, without {@code after} from the oldest kept event on. The first
 * request makes the feed, which then gets the events that follow. An event becomes visible when the dispatcher has given it a number.
 * Numbers have no gaps and are given one after the other, so a page always continues where the previous one ended, and an event that is
 * stored late gets a later number.
 */
@Component
@Order(4)
class FeedController implements Routes {

    private static final Logger LOG = LoggerFactory.getLogger(FeedController.class);
    private static final String PATH = "/api/v1/events";

    private final Callers callers;
    private final FeedStore store;
    private final Clock clock;
    private final WebhookPayload payload;
    private final BoundedReads reads;
    private final UnsentPages pages;

    FeedController(
            Callers callers,
            FeedStore store,
            WebhookPayload payload,
            BoundedReads reads,
            UnsentPages pages,
            Clock clock) {
        this.callers = callers;
        this.store = store;
        this.clock = clock;
        this.payload = payload;
        this.reads = reads;
        this.pages = pages;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get(PATH, callers.with(Scope.TRANSACTIONS_READ), this::read));
    }

    private Mono<ServerResponse> read(Request<Caller> request) {
        Caller caller = request.caller();
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after", "limit"));
        Place after = given.parsed("after", Place::parse);
        int limit = given.number("limit", 1, Page.ITEMS_MAX, Page.ITEMS_MAX);
        given.orThrow();
        return reads.page(caller.tenant(), read(caller.tenant(), after, limit))
                .flatMap(page -> pages.send(caller.tenant(), page.json("events", (json, event) -> {
                    json.writeStringProperty("id", event.id().toString());
                    payload.writeFields(json, event);
                })));
    }

    private Mono<Page<TransactionEvent>> read(Tenant tenant, @Nullable Place after, int limit) {
        return store.find(tenant)
                .switchIfEmpty(Mono.defer(() -> first(tenant, after)))
                .flatMap(feed -> store.rows(feed.id(), FeedPage.firstNumber(after), limit + 1)
                        .map(rows -> FeedPage.of(feed, after, limit, rows)))
                .flatMap(page -> store.events(
                                tenant,
                                page.rows().stream().map(FeedPage.Row::eventId).toList())
                        .map(found -> events(tenant, page, found)));
    }

    private Mono<FeedPage.Feed> first(Tenant tenant, @Nullable Place after) {
        if (after != null) {
            return Mono.error(FeedPage::unknownPlace);
        }
        Instant now = Instant.ofEpochMilli(clock.millis());
        return store.insert(WebhookEndpoint.feed(UuidV7.at(now.toEpochMilli()), tenant, now))
                .then(Mono.defer(() -> store.find(tenant)));
    }

    private static Page<TransactionEvent> events(Tenant tenant, FeedPage page, Map<EventId, TransactionEvent> found) {
        List<TransactionEvent> events = new ArrayList<>(page.rows().size());
        for (FeedPage.Row row : page.rows()) {
            TransactionEvent event = found.get(row.eventId());
            if (event == null) {
                logMissing(tenant, page, row);
            } else {
                events.add(event);
            }
        }
        return new Page<>(events, page.next().cursor());
    }

    /**
     * The transaction was deleted after the dispatcher had processed the event, or a newer version has written it. The other events are
     * still shown, and the next page goes on after this event: a reader must not meet it for ever.
     */
    private static void logMissing(Tenant tenant, FeedPage page, FeedPage.Row row) {
        LoggedMerchant.add(LOG.atError().addKeyValue("event.action", "feed_event_missing"), tenant)
                .addKeyValue("endpoint_id", page.next().feedId())
                .addKeyValue("feed_number", row.number())
                .addKeyValue("webhook_id", row.eventId())
                .log("The transaction of an event is not stored or cannot be decoded; the feed leaves the event out");
    }
}
