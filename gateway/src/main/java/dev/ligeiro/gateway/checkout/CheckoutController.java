package dev.ligeiro.gateway.checkout;

import dev.ligeiro.gateway.api.Route;
import dev.ligeiro.gateway.api.Routes;
import dev.ligeiro.gateway.show.TransactionStore;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /checkout/{id}}: the page that a cashin's {@code payment_link} opens. It needs no authentication. */
@Component
@Order(5)
class CheckoutController implements Routes {

    private static final String PATH = "/checkout/{id}";
    /** The page has no scripts and loads nothing: its image is a data URI. */
    private static final String POLICY =
            "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

    private final TransactionStore store;
    private final CheckoutPage page = new CheckoutPage();

    CheckoutController(TransactionStore store) {
        this.store = store;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.page(PATH, this::show));
    }

    private Mono<ServerResponse> show(ServerRequest request) {
        return Mono.justOrEmpty(TransactionId.parse(request.pathVariable("id")))
                .flatMap(store::find)
                .filter(found -> found.operation() == Operation.CASHIN)
                .flatMap(found -> html(HttpStatus.OK, page.of(found)))
                .switchIfEmpty(Mono.defer(() -> html(HttpStatus.NOT_FOUND, page.notFound())));
    }

    private static Mono<ServerResponse> html(HttpStatus status, String page) {
        return ServerResponse.status(status)
                .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                .cacheControl(CacheControl.noStore())
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .bodyValue(page);
    }
}
