package dev.ligeiro.gateway.api.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;

import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.EndpointChange;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Webhook endpoints in MongoDB, their lanes and who has changed them. Every query of a merchant contains the tenant, and reads at most its
 * few endpoints. The endpoint of a feed is never among them.
 */
@Component
public class RegisteredEndpointStore {

    private static final Duration RETRY_AFTER = Duration.ofMinutes(5);
    private static final Bson HAS_URL = ne(EndpointFields.KIND, EndpointFields.PULL);

    private final DecodeEach decode;
    private final MongoCollection<Document> endpoints;
    private final MongoCollection<Document> lanes;
    private final ReactiveMongoTemplate mongo;

    RegisteredEndpointStore(MongoDatabase database, ReactiveMongoTemplate mongo, DecodeEach decode) {
        this.mongo = mongo;
        this.decode = decode;
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS);
        this.lanes = database.getCollection(CollectionNames.LANES);
    }

    /** False if another endpoint of the tenant has the slot; then nothing is stored. */
    Mono<Boolean> insert(WebhookEndpoint endpoint, int slot) {
        Document document = EndpointDocument.of(endpoint).append(EndpointFields.SLOT, slot);
        return Mono.from(endpoints.insertOne(document))
                .thenReturn(true)
                .onErrorResume(WriteErrors::isDuplicateKey, duplicate -> Mono.just(false));
    }

    Mono<Set<Integer>> slots(Tenant tenant) {
        return Flux.from(endpoints.find(of(tenant)).projection(Projections.include(EndpointFields.SLOT)))
                .mapNotNull(document -> document.getInteger(EndpointFields.SLOT))
                .collect(Collectors.toSet());
    }

    /** The tenant's endpoints, the newest first, without those that cannot be decoded. */
    public Flux<WebhookEndpoint> all(Tenant tenant) {
        return Flux.from(endpoints.find(of(tenant)).sort(Sorts.descending(EndpointFields.ID)))
                .mapNotNull(this::decoded);
    }

    /** The URLs of the tenant's endpoints by their ids, of those that cannot be decoded too: {@code ""} for one that cannot be read. */
    public Mono<Map<UUID, String>> urls(Tenant tenant) {
        return Flux.from(endpoints.find(of(tenant)).projection(Projections.include(EndpointFields.URL)))
                .collectMap(
                        document -> document.get(EndpointFields.ID, UUID.class),
                        document -> document.get(EndpointFields.URL) instanceof String url ? url : "");
    }

    /** Empty when the tenant has no such endpoint. Fails with a problem 503 when its document cannot be decoded. */
    Mono<WebhookEndpoint> find(Tenant tenant, UUID id) {
        return Mono.from(endpoints.find(own(tenant, id))).flatMap(document -> Mono.justOrEmpty(decoded(document))
                .switchIfEmpty(Mono.error(() -> Problem.unavailable(
                        "The stored endpoint is damaged, and the operator has been told", RETRY_AFTER))));
    }

    /** Writes {@code changed}, unless the endpoint was changed or deleted since it was read; then false. */
    Mono<Boolean> update(WebhookEndpoint changed) {
        Bson unchanged = and(own(changed.tenant(), changed.id()), eq(EndpointFields.VERSION, changed.version()));
        Document update = new Document(
                "$set", EndpointDocument.changeable(changed).append(EndpointFields.VERSION, changed.version() + 1));
        return Mono.from(endpoints.updateOne(unchanged, update)).map(result -> result.getMatchedCount() == 1);
    }

    /** False when the tenant has no such endpoint. */
    Mono<Boolean> delete(Tenant tenant, UUID id) {
        return Mono.from(endpoints.deleteOne(own(tenant, id))).map(deleted -> deleted.getDeletedCount() == 1);
    }

    /**
     * Updates the lane of the endpoint's deliveries, so that a dispatcher looks at them. Must follow the change of the endpoint or of its
     * deliveries.
     *
     * @param upsert whether an endpoint without a lane, and so without outstanding deliveries, gets one
     */
    Mono<Void> markLane(UUID endpointId, List<BsonDocument> update, boolean upsert) {
        return Mono.from(lanes.updateOne(
                        eq(LaneFields.ID, TransactionCodec.binary(endpointId)),
                        update,
                        new UpdateOptions().upsert(upsert)))
                .then();
    }

    /** Stores which API key has changed which endpoint. MongoDB deletes it after 400 days. */
    Mono<Void> insert(EndpointChange change) {
        return mongo.insert(change, CollectionNames.ENDPOINT_CHANGES).then();
    }

    /** How the endpoints have answered lately, by their ids; without those that have had no failure since their last success. */
    Mono<Map<UUID, Health>> health(Collection<UUID> ids) {
        Bson failing = and(
                in(LaneFields.ID, ids.stream().map(TransactionCodec::binary).toList()),
                exists(LaneFields.FAILING_SINCE));
        return Flux.from(lanes.find(failing)
                        .projection(Projections.include(LaneFields.FAILING_SINCE, LaneFields.OPEN_UNTIL)))
                .collectMap(
                        lane -> lane.get(LaneFields.ID, UUID.class),
                        lane -> new Health(
                                lane.getDate(LaneFields.FAILING_SINCE).toInstant(),
                                Optional.ofNullable(lane.getDate(LaneFields.OPEN_UNTIL))
                                        .map(Date::toInstant)
                                        .orElse(null)));
    }

    /**
     * Of an endpoint that has failed since its last success.
     *
     * @param pausedUntil no webhook is sent before; null while its circuit breaker is closed
     */
    record Health(Instant failingSince, @Nullable Instant pausedUntil) {}

    private @Nullable WebhookEndpoint decoded(Document document) {
        UUID id = document.get(EndpointFields.ID, UUID.class);
        return decode.orNull(CollectionNames.ENDPOINTS, id, () -> EndpointDocument.read(document));
    }

    private static Bson own(Tenant tenant, UUID id) {
        return and(eq(EndpointFields.ID, id), of(tenant));
    }

    private static Bson of(Tenant tenant) {
        return and(eq(EndpointFields.TENANT, tenant.key()), HAS_URL);
    }
}
