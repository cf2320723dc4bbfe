package dev.ligeiro.gateway.page.console;

import dev.ligeiro.gateway.http.html.ApiAnswer;
import dev.ligeiro.gateway.http.html.ApiFailure;
import dev.ligeiro.gateway.http.html.ApiRequest;
import dev.ligeiro.gateway.http.html.OpenStreams;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tells open pages of transactions when their transaction has changed; the page then fetches itself again. All pages of a transaction share one
 * question to the API every two seconds, with the rights of the first one. Above the limit a page is told nothing, and asks again later.
 */
@Component
class LiveTransactions {

    private static final Duration EVERY = Duration.ofSeconds(2);
    /** The webhooks of a change follow it. */
    private static final Duration DELIVERIES_AFTER = Duration.ofSeconds(3);

    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
    private static final Duration AGE_MAX = Duration.ofMinutes(15);
    private static final Duration RECONNECT = Duration.ofSeconds(5);
    private static final Duration RECONNECT_WITHOUT_PLACE = Duration.ofSeconds(30);

    /** In each mode. Each keeps a connection; MongoDB is asked 50 times a second at most. */
    static final int STREAMS_MAX = 100;

    private final Map<Shown, Flux<String>> shown = new ConcurrentHashMap<>();
    private final Map<Mode, AtomicInteger> open =
            Map.of(Mode.LIVE, new AtomicInteger(), Mode.TEST, new AtomicInteger());
    private final OpenStreams streams;

    private record Shown(Tenant tenant, String id) {}

    LiveTransactions(OpenStreams streams) {
        this.streams = streams;
    }

    /** The stream of one page. Fails with an {@link ApiFailure} if the session may not see the transaction. */
    Mono<ServerResponse> stream(ConsoleVisit visit, String id) {
        return history(visit, id).flatMap(now -> ServerResponse.ok()
                .contentType(new MediaType(MediaType.TEXT_EVENT_STREAM, StandardCharsets.UTF_8))
                .cacheControl(CacheControl.noStore())
                // nginx would hold events back
                .header("X-Accel-Buffering", "no")
                .body(BodyInserters.fromServerSentEvents(events(visit, id, now))));
    }

    /**
     * Tells a change at once, because the page may have been made before it, or may have lost an earlier stream.
     *
     * @param now what has happened so far
     */
    Flux<ServerSentEvent<String>> events(ConsoleVisit visit, String id, String now) {
        return Flux.defer(() -> {
            AtomicInteger ofMode =
                    Objects.requireNonNull(open.get(visit.session().of().mode()));
            if (ofMode.incrementAndGet() > STREAMS_MAX) {
                ofMode.decrementAndGet();
                return Flux.just(comment("full", RECONNECT_WITHOUT_PLACE));
            }
            Flux<ServerSentEvent<String>> changes = changes(visit, id, now)
                    .startWith("open")
                    .map(change -> ServerSentEvent.<String>builder(change)
                            .event("changed")
                            .build());
            return streams.untilStop(Flux.merge(
                                    Flux.just(comment("open", RECONNECT)),
                                    changes,
                                    Flux.interval(SILENCE_MAX).map(tick -> comment("open", RECONNECT)))
                            .take(AGE_MAX))
                    .onErrorComplete()
                    .doFinally(signal -> ofMode.decrementAndGet());
        });
    }

    private static ServerSentEvent<String> comment(String text, Duration retry) {
        return ServerSentEvent.<String>builder().comment(text).retry(retry).build();
    }

    /** Each change, and once more when its webhooks have been attempted. */
    private Flux<String> changes(ConsoleVisit visit, String id, String now) {
        Shown key = new Shown(visit.session().of(), id);
        return shown.computeIfAbsent(key, one -> Flux.interval(EVERY)
                .onBackpressureDrop()
                .concatMap(tick -> history(visit, id), 1)
                .startWith(now)
                .distinctUntilChanged()
                .skip(1)
                .flatMap(change -> Flux.just("transaction")
                        .concatWith(Mono.just("deliveries").delayElement(DELIVERIES_AFTER)))
                .doFinally(signal -> shown.remove(key))
                .share());
    }

    /** What has happened so far; a pause of MongoDB is no change. */
    static Mono<String> history(ConsoleVisit visit, String id) {
        return visit.send(ApiRequest.get("/api/v1/transaction/" + id + "/history"))
                .filter(answer -> answer.status() < 500)
                .flatMap(answer -> answer.isSuccess() ? Mono.just(text(answer)) : Mono.error(new ApiFailure(answer)));
    }

    private static String text(ApiAnswer answer) {
        return Integer.toHexString(answer.json().hashCode());
    }
}
