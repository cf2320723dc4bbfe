package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code GET /checkout/{id}/events}: the status of a cashin as server-sent events, first the current one and then what the looks of
 * {@link LookAtPages} find. It needs no authentication and shows nothing but the status.
 */
@Component
@Order(5)
class StatusController implements Routes {

    private static final String PATH = "/checkout/{id}/events";

    private final TransactionStore store;
    private final OpenPages pages;

    StatusController(TransactionStore store, OpenPages pages) {
        this.store = store;
        this.pages = pages;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.stream(PATH, this::events));
    }

    private Mono<ServerResponse> events(ServerRequest request) {
        return Mono.justOrEmpty(TransactionId.parse(request.pathVariable("id")))
                .flatMap(id -> status(id).flatMap(status -> stream(id, status)))
                .switchIfEmpty(Mono.error(Problem::transactionNotFound));
    }

    /** That of a cashin, or empty. Ends as a future, which keeps the status only; a chain would keep the transaction while the page is open. */
    private Mono<Status> status(TransactionId id) {
        return Mono.fromFuture(() -> store.find(id)
                .filter(found -> found.operation() == Operation.CASHIN)
                .map(Transaction::status)
                .toFuture());
    }

    private Mono<ServerResponse> stream(TransactionId id, Status status) {
        return ServerResponse.ok()
                .contentType(new MediaType(MediaType.TEXT_EVENT_STREAM, StandardCharsets.UTF_8))
                .cacheControl(CacheControl.noStore())
                // nginx would hold events back
                .header("X-Accel-Buffering", "no")
                .body(BodyInserters.fromServerSentEvents(pages.open(id, status).map(StatusController::event)));
    }

    private static ServerSentEvent<String> event(StatusStream.Told told) {
        ServerSentEvent.Builder<String> event =
                ServerSentEvent.builder(told.status().code());
        event.event("status");
        if (told.reconnectAfter() != null) {
            event.retry(told.reconnectAfter());
        }
        return event.build();
    }
}
