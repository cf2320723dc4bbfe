package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.problem.Problems;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
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
    private static final String RETRY_SECONDS = "2";

    private final ShowCheckout checkout;
    private final CheckoutHtml html;

    CheckoutController(ShowCheckout checkout, CheckoutHtml html) {
        this.checkout = checkout;
        this.html = html;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.page(PATH, this::show, this::failed));
    }

    private Mono<ServerResponse> show(ServerRequest request) {
        Language language = language(request);
        return checkout.page(request.pathVariable("id"), language)
                .flatMap(page -> response(HttpStatus.OK).bodyValue(html.page(page)))
                .switchIfEmpty(Mono.defer(() -> response(HttpStatus.NOT_FOUND).bodyValue(html.missing(language))));
    }

    private Mono<ServerResponse> failed(ServerRequest request, Throwable failure) {
        return isBrowser(request) && Problems.mayPass(failure)
                ? response(HttpStatus.SERVICE_UNAVAILABLE)
                        .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                        .bodyValue(html.unavailable(language(request)))
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
}
