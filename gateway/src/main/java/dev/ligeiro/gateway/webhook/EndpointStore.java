package dev.ligeiro.gateway.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.UUID;
import org.bson.Document;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Webhook endpoints in MongoDB. Every query contains the tenant. */
@Component
class EndpointStore {

    private final MongoCollection<Document> endpoints;

    EndpointStore(MongoDatabase database) {
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS);
    }

    Mono<Void> insert(WebhookEndpoint endpoint) {
        return Mono.from(endpoints.insertOne(EndpointDocument.of(endpoint))).then();
    }

    /** Cheap, since {@link RegisterEndpoint} limits the endpoints of a tenant. */
    Mono<Long> count(Tenant tenant) {
        return Mono.from(endpoints.countDocuments(eq(EndpointFields.TENANT, tenant.key())));
    }

    /** The tenant's endpoints, the newest first. */
    Flux<WebhookEndpoint> all(Tenant tenant) {
        return Flux.from(endpoints
                        .find(eq(EndpointFields.TENANT, tenant.key()))
                        .sort(Sorts.descending(EndpointFields.ID)))
                .map(EndpointDocument::read);
    }

    Mono<WebhookEndpoint> find(Tenant tenant, UUID id) {
        return Mono.from(endpoints.find(and(eq(EndpointFields.ID, id), eq(EndpointFields.TENANT, tenant.key()))))
                .map(EndpointDocument::read);
    }

    /** False when the tenant has no such endpoint. */
    Mono<Boolean> delete(Tenant tenant, UUID id) {
        return Mono.from(endpoints.deleteOne(and(eq(EndpointFields.ID, id), eq(EndpointFields.TENANT, tenant.key()))))
                .map(deleted -> deleted.getDeletedCount() == 1);
    }
}
