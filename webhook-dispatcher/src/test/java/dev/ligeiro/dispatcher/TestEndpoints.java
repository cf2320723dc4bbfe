package dev.ligeiro.dispatcher;

import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The endpoints in an environment's database, which the gateway writes. */
public final class TestEndpoints {

    private final MongoCollection<Document> endpoints;
    private final WebhookReceiver receiver;

    TestEndpoints(MongoDatabase database, WebhookReceiver receiver) {
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS);
        this.receiver = receiver;
    }

    /** Registers an endpoint at {@code path} of the receiver, as the gateway does. */
    public WebhookEndpoint register(Tenant tenant, String path) {
        return registerUrl(tenant, receiver.url(path));
    }

    public WebhookEndpoint registerUrl(Tenant tenant, String url) {
        WebhookEndpoint endpoint = Endpoints.endpoint(UuidV7.at(System.currentTimeMillis()), tenant, url);
        TestEnvironment.run(endpoints.insertOne(EndpointDocument.of(endpoint)));
        return endpoint;
    }

    /** Makes the tenant's feed, as the gateway does at the merchant's first request. */
    public WebhookEndpoint makeFeed(Tenant tenant) {
        WebhookEndpoint feed = WebhookEndpoint.feed(UuidV7.at(System.currentTimeMillis()), tenant, Instant.now());
        TestEnvironment.run(endpoints.insertOne(EndpointDocument.ofFeed(feed)));
        return feed;
    }

    /** Stores {@code changed} instead of the endpoint with its id. */
    public void replace(WebhookEndpoint changed) {
        TestEnvironment.run(endpoints.replaceOne(new Document("_id", changed.id()), EndpointDocument.of(changed)));
    }

    /** Changes the URL to {@code path} of the receiver, as the gateway does. */
    public void changeUrl(WebhookEndpoint endpoint, String path) {
        set(endpoint, EndpointFields.URL, receiver.url(path));
        set(endpoint, EndpointFields.VERSION, endpoint.version() + 1);
    }

    /** Sets a field of the stored endpoint. */
    public void set(WebhookEndpoint endpoint, String field, @Nullable Object value) {
        TestEnvironment.run(endpoints.updateOne(
                new Document("_id", endpoint.id()), new Document("$set", new Document(field, value))));
    }

    public void delete(WebhookEndpoint endpoint) {
        TestEnvironment.run(endpoints.deleteOne(new Document("_id", endpoint.id())));
    }

    public Document stored(WebhookEndpoint endpoint) {
        return Mono.from(endpoints.find(new Document("_id", endpoint.id())))
                .blockOptional(TestEnvironment.WAIT)
                .orElseThrow();
    }
}
