package dev.ligeiro.gateway.page.docs;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code GET /docs}, {@code GET /docs/reference}, their files, the guide as text, and {@code GET /openapi.json}. They need no authentication.
 */
@Component
@Order(7)
class DocsController implements Routes {

    /** The pages load only files of this gateway, and send requests only to it. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'";

    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);
    private static final MediaType CSS = new MediaType("text", "css", StandardCharsets.UTF_8);
    private static final MediaType JAVASCRIPT = new MediaType("text", "javascript", StandardCharsets.UTF_8);
    private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);

    private static final MediaType MARKDOWN = new MediaType("text", "markdown", StandardCharsets.UTF_8);

    private final GatewayProperties properties;
    private final Mono<GuideText> guide = once(GuideText::read);
    private final Mono<PageFile> description = once(OpenApiDocument::members);

    DocsController(GatewayProperties properties) {
        this.properties = properties;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.page("/openapi.json", this::description),
                route("/docs", "guide.html", HTML),
                route("/docs/reference", "reference.html", HTML),
                Route.page("/docs.md", request -> text(request, MARKDOWN, GuideText::markdown)),
                Route.page("/llms.txt", request -> text(request, TEXT, GuideText::llms)),
                file("docs.css", CSS),
                file("docs.js", JAVASCRIPT),
                file("reference.css", CSS),
                file("reference.js", JAVASCRIPT),
                file("swagger-ui.css", CSS),
                file("swagger-ui-bundle.js", JAVASCRIPT),
                file("receivers/Receiver.java", TEXT),
                file("receivers/receiver.mjs", TEXT),
                file("receivers/receiver.py", TEXT),
                file("receivers/receiver.go", TEXT),
                route("/docs/bundle-verify.py", "receivers/bundle-verify", TEXT));
    }

    private static Route file(String name, MediaType type) {
        return route("/docs/" + name, name, type);
    }

    private static Route route(String path, String resource, MediaType type) {
        Mono<PageFile> file = once(() -> PageFile.read("/docs/" + resource));
        return Route.page(path, request -> file.flatMap(read -> response(request, type, read)));
    }

    private Mono<ServerResponse> text(
            ServerRequest request, MediaType type, BiFunction<GuideText, String, String> form) {
        return guide.flatMap(read -> {
            String text = form.apply(read, properties.baseUrl(request));
            return response(request, type, PageFile.ofOneResponse(text.getBytes(StandardCharsets.UTF_8)));
        });
    }

    /** A browser asks each time whether the file has changed, so it never mixes files of two versions. */
    private static Mono<ServerResponse> response(ServerRequest request, MediaType type, PageFile file) {
        return request.checkNotModified(file.tag()).switchIfEmpty(Mono.defer(() -> ServerResponse.ok()
                .contentType(type)
                .cacheControl(CacheControl.noCache())
                .eTag(file.tag())
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .contentLength(file.length())
                .body((message, context) ->
                        message.writeWith(Mono.fromSupplier(() -> file.view(message.bufferFactory()))))));
    }

    private Mono<ServerResponse> description(ServerRequest request) {
        return description.flatMap(members -> {
            byte[] head = OpenApiDocument.head(properties.baseUrl(request));
            return ServerResponse.ok()
                    .contentType(MediaType.APPLICATION_JSON)
                    .contentLength((long) head.length + members.length())
                    .body((message, context) -> message.writeWith(Flux.defer(() ->
                            Flux.just(message.bufferFactory().wrap(head), members.view(message.bufferFactory())))));
        });
    }

    /** The first request reads, since most gateways are never asked for the documentation. After a failure the next request reads again. */
    private static <T> Mono<T> once(Callable<T> read) {
        // unlike cache(), it keeps no failure
        return Mono.fromCallable(read).subscribeOn(Schedulers.boundedElastic()).cacheInvalidateIf(kept -> false);
    }
}
