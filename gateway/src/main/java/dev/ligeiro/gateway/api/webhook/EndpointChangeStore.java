package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.EndpointChange;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Which API key has changed which endpoint, in MongoDB, which deletes it after 400 days. */
@Component
public class EndpointChangeStore {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointChangeStore.class);

    private final ReactiveMongoTemplate mongo;
    private final Clock clock;

    public EndpointChangeStore(ReactiveMongoTemplate mongo, Clock clock) {
        this.mongo = mongo;
        this.clock = clock;
    }

    /**
     * The same handler, which also stores what was done: after the change, so only what succeeded. If that fails, the response goes out all the
     * same, because it may have a secret that no later one shows; then the log line says who did it.
     */
    public Route.Handler<Caller> storing(String what, Route.Handler<Caller> handler) {
        return request -> handler.handle(request).delayUntil(response -> store(what, request, response));
    }

    private Mono<Void> store(String what, Request<Caller> request, ServerResponse response) {
        URI made = response.headers().getLocation();
        UUID endpoint = request.http().pathVariables().containsKey("id") || made == null
                ? EndpointRoutes.id(request)
                : UUID.fromString(made.getPath().substring(made.getPath().lastIndexOf('/') + 1));
        Instant now = Instant.ofEpochMilli(clock.millis());
        Requester by = request.caller().requester();
        return mongo.insert(
                        new EndpointChange(UuidV7.at(now.toEpochMilli()), now, what, endpoint, by.key(), by.session()),
                        CollectionNames.ENDPOINT_CHANGES)
                .doOnError(failure -> LOG.atError()
                        .addKeyValue("event.action", "endpoint_change_not_stored")
                        .addKeyValue("cause", failure.getClass().getSimpleName())
                        .addKeyValue("what", what)
                        .addKeyValue("endpoint.id", endpoint)
                        .addKeyValue("key.id", by.key())
                        .addKeyValue("session.id", by.session())
                        .log("A key has changed an endpoint, and MongoDB could not store that"))
                .onErrorComplete()
                .then();
    }
}
