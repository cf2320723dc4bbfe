package dev.ligeiro.desk.webhook;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Filters.or;
import static dev.ligeiro.store.EndpointFields.*;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.LaneCodec;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EndpointChange;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Replay;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.stereotype.Component;

/**
 * Webhook endpoints, and how they have answered lately: their lanes, which the webhook-dispatcher writes. The endpoint of a feed is never among
 * them.
 */
@Component
public class EndpointStore {

    static final int READ_MAX = Slice.ITEMS_MAX + 1;

    private static final int TRIES_MAX = 10;
    private static final Bson HAS_URL = ne(KIND, PULL);

    private final MongoTemplate mongo;
    private final MongoCollection<RawBsonDocument> endpoints;
    private final Function<BsonDocument, Stream<WebhookEndpoint>> decode;
    private final MongoCollection<BsonDocument> lanes;

    EndpointStore(MongoTemplate mongo) {
        this.mongo = mongo;
        MongoDatabase database = mongo.getDb();
        Codec<Document> documents = database.getCodecRegistry().get(Document.class);
        this.endpoints = database.getCollection(CollectionNames.ENDPOINTS, RawBsonDocument.class);
        this.decode = DecodeEach.of(
                CollectionNames.ENDPOINTS,
                stored -> EndpointDocument.read(((RawBsonDocument) stored).decode(documents)));
        this.lanes = database.getCollection(CollectionNames.LANES, BsonDocument.class);
    }

    /** A stored endpoint; null if its document cannot be decoded. */
    record Row(UUID id, @Nullable WebhookEndpoint endpoint) {}

    /** The merchant's endpoints in both modes, those of the test mode first, the newest first in each. */
    public List<WebhookEndpoint> all(long merchantNumber) {
        return read(endpoints.find(and(of(merchantNumber), HAS_URL)))
                .sorted(Comparator.comparing(
                                (WebhookEndpoint each) -> each.tenant().key())
                        .thenComparing(WebhookEndpoint::createdAt, Comparator.reverseOrder()))
                .toList();
    }

    /** @throws Problem 404 if the merchant has no such endpoint, 503 if its document cannot be decoded */
    WebhookEndpoint find(long merchantNumber, UUID id) {
        RawBsonDocument found =
                endpoints.find(and(eq(ID, id), of(merchantNumber), HAS_URL)).first();
        if (found == null) {
            throw Problem.notFound("There is no such merchant or webhook endpoint");
        }
        return decode.apply(found)
                .findFirst()
                .orElseThrow(
                        () -> Problem.of(ProblemCode.UNAVAILABLE, "The stored endpoint is damaged; the log names it"));
    }

    /** Those that exist, by their ids. */
    public Map<UUID, WebhookEndpoint> byId(Collection<UUID> ids) {
        return ids.isEmpty()
                ? Map.of()
                : read(endpoints.find(and(in(ID, ids), HAS_URL)))
                        .collect(Collectors.toMap(WebhookEndpoint::id, Function.identity()));
    }

    /** The endpoints that dispatchers have disabled, the latest first, at most 100. */
    List<WebhookEndpoint> disabled() {
        return read(endpoints
                        .find(and(
                                eq(ENABLED, false),
                                in(DISABLED_REASON, DisabledReason.GONE.code(), DisabledReason.FAILING.code())))
                        .sort(Sorts.descending(STATUS_SINCE))
                        .limit(Slice.ITEMS_MAX))
                .toList();
    }

    /** The endpoints of all merchants in the order of their ids, also those that cannot be decoded. */
    List<Row> page(@Nullable UUID after, int max) {
        return endpoints
                .find(after == null ? HAS_URL : and(gt(ID, after), HAS_URL))
                .sort(Sorts.ascending(ID))
                .limit(max)
                .map(found -> new Row(
                        StoredValues.uuid(found, ID),
                        decode.apply(found).findFirst().orElse(null)))
                .into(new ArrayList<>());
    }

    /** By the endpoints' ids. One without failures and outstanding deliveries has none. */
    public Map<UUID, Lane> lanes(Collection<UUID> endpointIds) {
        Map<UUID, Lane> found = new HashMap<>();
        lanes(lanes.find(in(
                        LaneFields.ID,
                        endpointIds.stream().map(TransactionCodec::binary).toList())))
                .forEach(lane -> found.put(lane.endpointId(), lane));
        return found;
    }

    /** The last endpoint of a page of failing ones. */
    record FailingCursor(Instant since, UUID endpointId) {}

    /** The lanes of endpoints that have failed since their last success, the longest failing first. */
    List<Lane> failing(@Nullable FailingCursor after) {
        Bson behind = after == null
                ? exists(LaneFields.FAILING_SINCE)
                : and(
                        exists(LaneFields.FAILING_SINCE),
                        gte(LaneFields.FAILING_SINCE, Date.from(after.since())),
                        or(
                                gt(LaneFields.FAILING_SINCE, Date.from(after.since())),
                                gt(LaneFields.ID, TransactionCodec.binary(after.endpointId()))));
        return lanes(lanes.find(behind)
                        .sort(Sorts.ascending(LaneFields.FAILING_SINCE, LaneFields.ID))
                        .limit(READ_MAX))
                .toList();
    }

    /**
     * The changed endpoint. Reads it, applies a pure function, and writes the result if nothing changed the endpoint in between; otherwise it
     * starts again.
     *
     * @return empty if the endpoint was deleted
     */
    Optional<WebhookEndpoint> change(UUID id, UnaryOperator<WebhookEndpoint> change) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            WebhookEndpoint before = byId(List.of(id)).get(id);
            if (before == null) {
                return Optional.empty();
            }
            WebhookEndpoint changed = change.apply(before);
            Document update =
                    new Document("$set", EndpointDocument.changeable(changed).append(VERSION, before.version() + 1));
            Bson unchanged = and(eq(ID, id), eq(TENANT, before.tenant().key()), eq(VERSION, before.version()));
            if (endpoints.updateOne(unchanged, update).getMatchedCount() == 1) {
                return Optional.of(changed);
            }
        }
        throw Problem.of(ProblemCode.UNAVAILABLE, "The endpoint is being changed by other requests");
    }

    /**
     * Makes a dispatcher attempt the endpoint's deliveries at once, and ends the open time of its circuit breaker. Must follow the change.
     *
     * @param hasDeliveries false: an endpoint without a lane gets none
     */
    void markDue(WebhookEndpoint endpoint, boolean hasDeliveries, Instant now) {
        lanes.updateOne(
                eq(LaneFields.ID, TransactionCodec.binary(endpoint.id())),
                LaneUpdates.dueNow(endpoint.tenant(), now),
                new UpdateOptions().upsert(hasDeliveries));
    }

    /** What API keys have done to the endpoint, the newest first; also to one that was deleted. */
    List<EndpointChange> changes(UUID endpoint, @Nullable UUID after) {
        Criteria which = Criteria.where("endpoint").is(endpoint);
        return mongo.find(
                Query.query(after == null ? which : which.and("_id").lt(after))
                        .with(Sort.by(Sort.Direction.DESC, "_id"))
                        .limit(READ_MAX),
                EndpointChange.class,
                CollectionNames.ENDPOINT_CHANGES);
    }

    /** False if the endpoint has a running replay: gateways run one of an endpoint at a time. */
    boolean insert(Replay replay) {
        try {
            mongo.insert(replay, CollectionNames.REPLAYS);
            return true;
        } catch (DuplicateKeyException running) {
            return false;
        }
    }

    Optional<Replay> replay(UUID endpoint, UUID id) {
        Query query = Query.query(Criteria.where("_id").is(id).and("endpoint").is(endpoint));
        return Optional.ofNullable(mongo.findOne(query, Replay.class, CollectionNames.REPLAYS));
    }

    private static Bson of(long merchantNumber) {
        return in(
                TENANT,
                Stream.of(Mode.values())
                        .map(mode -> Tenant.of(merchantNumber, mode).key())
                        .toList());
    }

    private Stream<WebhookEndpoint> read(FindIterable<RawBsonDocument> found) {
        return found.into(new ArrayList<>()).stream().flatMap(decode);
    }

    private static Stream<Lane> lanes(FindIterable<BsonDocument> found) {
        return found.into(new ArrayList<>()).stream().flatMap(DecodeEach.of(CollectionNames.LANES, LaneCodec::read));
    }
}
