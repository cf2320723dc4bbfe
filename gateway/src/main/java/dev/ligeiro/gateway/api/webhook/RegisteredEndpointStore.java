package dev.ligeiro.gateway.api.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;

import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Webhook endpoints in MongoDB. Every query of a merchant contains the tenant, and reads at most its few endpoints. The endpoint of a
 * feed is never among them.
 */
@Component
public class RegisteredEndpointStore {

    private static final Duration RETRY_AFTER = Duration.ofMinutes(5);
    private static final Bson HAS_URL = ne(EndpointFields.KIND, EndpointFields.PULL);

    private final DecodeEach decode;
    private final MongoCollection<Document> endpoints;
    private final MongoCollection<Document> lanes;

    RegisteredEndpointStore(MongoDatabase database, DecodeEach decode) {
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

    /** The slots of the tenant's endpoints. */
    Mono<Set<Integer>> slots(Tenant tenant) {
        return Flux.from(endpoints.find(of(tenant)).projection(Projections.include(EndpointFields.SLOT)))
                .mapNotNull(document -> document.getInteger(EndpointFields.SLOT))
                .collect(Collectors.toSet());
    }

    /** The tenant's endpoints, the newest first, without those that cannot be decoded. */
    Flux<WebhookEndpoint> all(Tenant tenant) {
        return Flux.from(endpoints.find(of(tenant)).sort(Sorts.descending(EndpointFields.ID)))
                .mapNotNull(this::decoded);
    }

    /** Empty when the tenant has no such endpoint. Fails with a problem 503 when its document cannot be decoded. */
    public Mono<WebhookEndpoint> find(Tenant tenant, UUID id) {
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
     * Makes a dispatcher look at the endpoint at once, and ends the open time of its circuit breaker. Must follow the change of the
     * endpoint. An endpoint without outstanding deliveries has no lane, and gets none.
     */
    Mono<Void> markLaneDue(UUID endpointId, Tenant tenant, Instant now) {
        return Mono.from(lanes.updateOne(
                        eq(LaneFields.ID, TransactionCodec.binary(endpointId)), LaneUpdates.dueNow(tenant, now)))
                .then();
    }

    /** How the endpoints have answered lately, by their ids; without those that have had no failure since their last success. */
    public Mono<Map<UUID, Health>> health(Collection<UUID> ids) {
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
    public record Health(Instant failingSince, @Nullable Instant pausedUntil) {}

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
