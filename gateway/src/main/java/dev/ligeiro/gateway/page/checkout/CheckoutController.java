package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.Language;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code GET /checkout/{id}}: the page that a cashin's {@code payment_link} opens. {@code GET /checkout/{id}/receipt}: the receipt to
 * print, once it is paid. {@code GET /checkout/{id}/events}: its status as
 * server-sent events, first the current one and then the changes that {@link OpenPages} finds; nothing but the status. None needs
 * authentication.
 */
@Component
@Order(5)
class CheckoutController implements Routes {

    private static final String PAGE = "/checkout/{id}";
    private static final String RETRY_SECONDS = "2";

    private final TransactionStore transactions;
    private final CheckoutStore store;
    private final CheckoutHtml html;
    private final OpenPages livePages;
    private final OpenPages testPages;
    private final Clock clock;
    private final GatewayProperties properties;

    CheckoutController(
            TransactionStore transactions,
            CheckoutStore store,
            CheckoutHtml html,
            @Qualifier("livePages") OpenPages livePages,
            @Qualifier("testPages") OpenPages testPages,
            Clock clock,
            GatewayProperties properties) {
        this.transactions = transactions;
        this.store = store;
        this.html = html;
        this.livePages = livePages;
        this.testPages = testPages;
        this.clock = clock;
        this.properties = properties;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.page(PAGE, this::show, this::failed),
                Route.page(PAGE + "/receipt", this::receipt, this::failed),
                Route.stream(PAGE + "/events", this::events));
    }

    private Mono<ServerResponse> show(ServerRequest request) {
        return html(request, page(request).map(html::page), "missing");
    }

    private Mono<ServerResponse> receipt(ServerRequest request) {
        return html(request, page(request).filter(page -> page.paidAt() != null).map(html::receipt), "unpaid");
    }

    /** @param otherwise the message if there is no page */
    private Mono<ServerResponse> html(ServerRequest request, Mono<String> page, String otherwise) {
        return page.flatMap(text -> response(HttpStatus.OK).bodyValue(text))
                .switchIfEmpty(Mono.defer(
                        () -> response(HttpStatus.NOT_FOUND).bodyValue(html.message(language(request), otherwise))));
    }

    /** Empty unless the request names a cashin. */
    private Mono<CheckoutPage> page(ServerRequest request) {
        return Mono.justOrEmpty(TransactionId.parse(request.pathVariable("id")))
                .flatMap(this::cashin)
                .flatMap(cashin -> store.merchantName(cashin.tenant())
                        .map(merchant -> new CheckoutPage(
                                cashin, merchant, language(request), clock.instant(), properties.timeZone())));
    }

    private Mono<ServerResponse> failed(ServerRequest request, Throwable failure) {
        return isBrowser(request) && Problems.mayPass(failure)
                ? response(HttpStatus.SERVICE_UNAVAILABLE)
                        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                        .bodyValue(html.message(language(request), "unavailable"))
                : Mono.error(failure);
    }

    private static Language language(ServerRequest request) {
        return Language.preferred(request.headers().firstHeader(HttpHeaders.ACCEPT_LANGUAGE));
    }

    /** Other clients get a problem, as on every route. */
    private static boolean isBrowser(ServerRequest request) {
        String accept = request.headers().firstHeader(HttpHeaders.ACCEPT);
        return accept != null && accept.contains(MediaType.TEXT_HTML_VALUE);
    }

    private ServerResponse.BodyBuilder response(HttpStatus status) {
        return ServerResponse.status(status)
                .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                .cacheControl(CacheControl.noStore())
                .header(HttpHeaders.VARY, HttpHeaders.ACCEPT_LANGUAGE)
                .header("Content-Security-Policy", html.policy())
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer");
    }

    private Mono<ServerResponse> events(ServerRequest request) {
        return Mono.justOrEmpty(TransactionId.parse(request.pathVariable("id")))
                .flatMap(id -> opened(id).flatMap(this::stream))
                .switchIfEmpty(Mono.error(Problem::transactionNotFound));
    }

    /** Of a cashin. */
    private record Opened(TransactionId id, Mode mode, Status status) {}

    /** Ends as a future, which keeps these three only; a chain would keep the transaction while the page is open. */
    private Mono<Opened> opened(TransactionId id) {
        return Mono.fromFuture(() -> cashin(id)
                .map(cashin -> new Opened(id, cashin.tenant().mode(), cashin.status()))
                .toFuture());
    }

    private Mono<ServerResponse> stream(Opened opened) {
        OpenPages pages = opened.mode() == Mode.LIVE ? livePages : testPages;
        return ServerResponse.ok()
                .contentType(new MediaType(MediaType.TEXT_EVENT_STREAM, StandardCharsets.UTF_8))
                .cacheControl(CacheControl.noStore())
                // nginx would hold events back
                .header("X-Accel-Buffering", "no")
                .body(BodyInserters.fromServerSentEvents(
                        pages.open(opened.id(), opened.status()).map(CheckoutController::event)));
    }

    private static ServerSentEvent<String> event(OpenPages.Told told) {
        ServerSentEvent.Builder<String> event =
                ServerSentEvent.builder(told.status().code());
        event.event("status");
        if (told.reconnectAfter() != null) {
            event.retry(told.reconnectAfter());
        }
        return event.build();
    }

    private Mono<Transaction> cashin(TransactionId id) {
        return transactions.find(id).filter(found -> found.operation() == Operation.CASHIN);
    }
}
