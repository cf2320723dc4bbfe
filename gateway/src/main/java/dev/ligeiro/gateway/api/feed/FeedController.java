package dev.ligeiro.gateway.api.feed;

import dev.ligeiro.gateway.api.feed.ReadFeed.Events;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.view.WebhookPayload;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/v1/events?after=&limit=}: without {@code after} from the oldest kept event on. */
@Component
@Order(4)
class FeedController implements Routes {

    private static final String PATH = "/api/v1/events";
    private static final int LIMIT_MAX = 100;
    private static final Pattern LIMIT = Pattern.compile("[0-9]{1,3}");

    private final Callers callers;
    private final ReadFeed feed;
    private final WebhookPayload payload;
    private final BoundedReads reads;
    private final UnsentPages pages;

    FeedController(Callers callers, ReadFeed feed, WebhookPayload payload, BoundedReads reads, UnsentPages pages) {
        this.callers = callers;
        this.feed = feed;
        this.payload = payload;
        this.reads = reads;
        this.pages = pages;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get(PATH, callers.with(Scope.TRANSACTIONS_READ), this::read));
    }

    private Mono<ServerResponse> read(ServerRequest request, Caller caller) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after", "limit"));
        FeedCursor after = given.parsed("after", FeedCursor::parse);
        Integer limit = given.parsed("limit", FeedController::limit);
        given.orThrow();
        return reads.page(caller.tenant(), feed.read(caller.tenant(), after, limit == null ? LIMIT_MAX : limit))
                .flatMap(events -> pages.send(caller.tenant(), json(events)));
    }

    private static Integer limit(String text) {
        if (!LIMIT.matcher(text).matches() || Integer.parseInt(text) < 1 || Integer.parseInt(text) > LIMIT_MAX) {
            throw new IllegalArgumentException("expected a number from 1 to " + LIMIT_MAX);
        }
        return Integer.valueOf(text);
    }

    private byte[] json(Events page) {
        return JsonResponse.object(json -> {
            json.writeArrayPropertyStart("events");
            for (TransactionEvent event : page.events()) {
                json.writeStartObject();
                json.writeStringProperty("id", event.id().toString());
                payload.writeFields(json, event);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringProperty("next_cursor", page.next().text());
        });
    }
}
