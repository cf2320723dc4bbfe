package dev.ligeiro.gateway.http.html;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sends the pages of the consoles, and the files that they need. The policy of a page allows its own style and its two scripts only: no
 * script or style inside the HTML, no frames, no other site.
 */
@Component
public final class ConsoleHtml {

    /** The published file of htmx 2.0.8; browsers refuse another content (Subresource Integrity). */
    public static final String HTMX = "htmx-2.0.8.min.js";

    public static final String HTMX_INTEGRITY = "sha256-Iig+9oy3VFkU8KiKG97cclanA9HVgMHSVSF9ClDTExM=";

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
                    + " form-action 'self'; frame-ancestors 'none'";
    private static final String LANGUAGE = "ligeiro_language";
    private static final Duration YEAR = Duration.ofDays(365);
    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);
    private static final MediaType CSS = new MediaType("text", "css", StandardCharsets.UTF_8);
    private static final MediaType JAVASCRIPT = new MediaType("text", "javascript", StandardCharsets.UTF_8);

    private final Templates templates;

    ConsoleHtml(Templates templates) {
        this.templates = templates;
    }

    /** The language that the reader has chosen, otherwise the one that the browser prefers. */
    public static Language language(ServerRequest request) {
        @Nullable HttpCookie chosen = request.cookies().getFirst(LANGUAGE);
        return Stream.of(Language.values())
                .filter(one -> chosen != null && one.tag().equals(chosen.getValue()))
                .findFirst()
                .orElseGet(() -> Language.preferred(request.headers().firstHeader(HttpHeaders.ACCEPT_LANGUAGE)));
    }

    /**
     * A page. It is never stored by a cache.
     *
     * @param template its path below {@code src/main/jte}; it has the parameter {@code frame}
     * @param parameters the further ones
     */
    public Mono<ServerResponse> page(
            HttpStatus status, ConsoleFrame frame, String template, Map<String, Object> parameters) {
        return Mono.fromCallable(() -> templates.render(template, with(frame, parameters)))
                .flatMap(html -> ServerResponse.status(status)
                        .contentType(HTML)
                        .cacheControl(CacheControl.noStore())
                        .header("Content-Security-Policy", POLICY)
                        .header("X-Content-Type-Options", "nosniff")
                        // without an origin, a form would come from "null"
                        .header("Referrer-Policy", "same-origin")
                        .bodyValue(html));
    }

    private static Map<String, Object> with(ConsoleFrame frame, Map<String, Object> parameters) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("frame", frame);
        return all;
    }

    /** After a form: the browser shows {@code path} by a GET, and reloading it sends nothing again (RFC 9110 §15.4.4). */
    public static ServerResponse.BodyBuilder seeOther(String path) {
        return ServerResponse.status(HttpStatus.SEE_OTHER)
                .location(URI.create(path))
                .cacheControl(CacheControl.noStore());
    }

    /**
     * The files below {@code <home>/files/}, and the change of the language.
     *
     * @param home the path of the console
     */
    public List<Route> routes(String home) {
        return List.of(
                file(home, "console.css", CSS),
                file(home, "console.js", JAVASCRIPT),
                file(home, HTMX, JAVASCRIPT),
                Route.page(home + "/language", request -> changeLanguage(request, home)));
    }

    /** A browser asks each time whether the file has changed, so a page never meets the files of another version. */
    private static Route file(String home, String name, MediaType type) {
        // unlike cache(), it keeps no failure
        Mono<PageFile> file = Mono.fromCallable(() -> PageFile.read("/console/" + name))
                .subscribeOn(Schedulers.boundedElastic())
                .cacheInvalidateIf(kept -> false);
        return Route.page(
                home + "/files/" + name,
                request -> file.flatMap(
                        read -> request.checkNotModified(read.tag()).switchIfEmpty(Mono.defer(() -> ServerResponse.ok()
                                .contentType(type)
                                .cacheControl(CacheControl.noCache())
                                .eTag(read.tag())
                                .header("X-Content-Type-Options", "nosniff")
                                .contentLength(read.length())
                                .body((message, context) -> message.writeWith(
                                        Mono.fromSupplier(() -> read.view(message.bufferFactory()))))))));
    }

    /** {@code GET <home>/language?to=en&back=<path>}. It changes no more than how this browser shows the console. */
    private static Mono<ServerResponse> changeLanguage(ServerRequest request, String home) {
        String back = back(home, request.queryParam("back").orElse(""));
        String to = request.queryParam("to").orElse("");
        if (Stream.of(Language.values()).noneMatch(one -> one.tag().equals(to))) {
            return Mono.error(Problem.of(ProblemCode.NOT_FOUND, "There is no such language"));
        }
        return seeOther(back).cookie(languageCookie(home, to)).build();
    }

    /** Keeps the language with this tag as the reader's choice. */
    public static ResponseCookie languageCookie(String home, String tag) {
        return ResponseCookie.from(LANGUAGE, tag)
                .path(home)
                .maxAge(YEAR)
                .httpOnly(true)
                .sameSite("Lax")
                .build();
    }

    /** {@code path} if it leads to a page of the console, otherwise {@code home}. */
    public static String back(String home, String path) {
        try {
            return path.matches(Pattern.quote(home) + "([/?][\\x21-\\x7e]*)?") ? new URI(path).toString() : home;
        } catch (URISyntaxException malformed) {
            return home;
        }
    }
}
