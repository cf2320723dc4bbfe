package dev.ligeiro.desk.webhook;

import static dev.ligeiro.store.EndpointFields.*;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointDocument;
import dev.ligeiro.store.LaneDocument;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.LaneUpdates;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
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

    private static final Function<Document, Stream<WebhookEndpoint>> DECODE =
            DecodeEach.of(CollectionNames.ENDPOINTS, EndpointDocument::read);

    private final MongoTemplate mongo;
    private final MongoCollection<BsonDocument> lanes;

    EndpointStore(MongoTemplate mongo) {
        this.mongo = mongo;
        this.lanes = mongo.getDb().getCollection(CollectionNames.LANES, BsonDocument.class);
    }

    /** The merchant's endpoints in both modes, those of the test mode first, the newest first in each. */
    public List<WebhookEndpoint> all(long merchantNumber) {
        return read(query(of(merchantNumber)))
                .sorted(Comparator.comparing(
                                (WebhookEndpoint each) -> each.tenant().key())
                        .thenComparing(WebhookEndpoint::createdAt, Comparator.reverseOrder()))
                .toList();
    }

    /** The URLs of a tenant's endpoints by their ids, of those that cannot be decoded too: {@code ""} for one that cannot be read. */
    public Map<UUID, String> urls(Tenant tenant) {
        return documents(query(where(TENANT).is(tenant.key()).and(KIND).ne(PULL))).stream()
                .collect(Collectors.toMap(
                        each -> each.get(ID, UUID.class), each -> each.get(URL) instanceof String url ? url : ""));
    }

    /** @throws Problem 404 if the merchant has no such endpoint, 503 if its document cannot be decoded */
    WebhookEndpoint find(long merchantNumber, UUID id) {
        List<Document> found = documents(query(of(merchantNumber).and(ID).is(id)));
        if (found.isEmpty()) {
            throw Problem.notFound("There is no such merchant or webhook endpoint");
        }
        return found.stream()
                .flatMap(DECODE)
                .findFirst()
                .orElseThrow(
                        () -> Problem.of(ProblemCode.UNAVAILABLE, "The stored endpoint is damaged; the log names it"));
    }

    /** Those that exist, by their ids. */
    public Map<UUID, WebhookEndpoint> byId(Collection<UUID> ids) {
        return ids.isEmpty()
                ? Map.of()
                : read(query(where(ID).in(ids).and(KIND).ne(PULL)))
                        .collect(Collectors.toMap(WebhookEndpoint::id, Function.identity()));
    }

    /** The endpoints that dispatchers have disabled, the latest first, at most 100. */
    List<WebhookEndpoint> disabled() {
        Criteria byDispatcher = where(ENABLED)
                .is(false)
                .and(DISABLED_REASON)
                .in(DisabledReason.GONE.code(), DisabledReason.FAILING.code());
        return read(query(byDispatcher)
                        .with(Sort.by(Sort.Direction.DESC, STATUS_SINCE))
                        .limit(Slice.ITEMS_MAX))
                .toList();
    }

    /** The endpoints of all merchants in the order of their ids; empty for one that cannot be decoded. */
    Map<UUID, Optional<WebhookEndpoint>> page(@Nullable UUID after, int max) {
        Criteria hasUrl = where(KIND).ne(PULL);
        Map<UUID, Optional<WebhookEndpoint>> page = new LinkedHashMap<>();
        documents(query(after == null ? hasUrl : hasUrl.and(ID).gt(after))
                        .with(Sort.by(ID))
                        .limit(max))
                .forEach(each ->
                        page.put(each.get(ID, UUID.class), DECODE.apply(each).findFirst()));
        return page;
    }

    private static Criteria of(long merchantNumber) {
        return where(TENANT)
                .in(Stream.of(Mode.values())
                        .map(mode -> Tenant.of(merchantNumber, mode).key())
                        .toList())
                .and(KIND)
                .ne(PULL);
    }

    private Stream<WebhookEndpoint> read(Query query) {
        return documents(query).stream().flatMap(DECODE);
    }

    private List<Document> documents(Query query) {
        return mongo.find(query, Document.class, CollectionNames.ENDPOINTS);
    }

    /** By the endpoints' ids. One without failures and outstanding deliveries has none. */
    public Map<UUID, Lane> lanes(Collection<UUID> endpointIds) {
        return lanes(Filters.in(LaneFields.ID, endpointIds), endpointIds.size()).stream()
                .collect(Collectors.toMap(Lane::endpointId, Function.identity()));
    }

    /** The lanes of endpoints that have failed since their last success, the longest failing first. */
    Slice<Lane> failing(@Nullable PageCursor after) {
        String since = LaneFields.FAILING_SINCE;
        Bson behind = after == null
                ? Filters.empty()
                : Filters.and(
                        Filters.gte(since, after.at()),
                        Filters.or(Filters.gt(since, after.at()), Filters.gt(LaneFields.ID, after.uuid())));
        List<Lane> found = lanes(Filters.and(Filters.exists(since), behind), Slice.ITEMS_MAX + 1);
        return Slice.of(
                found,
                last -> new PageCursor(
                        Objects.requireNonNull(last.health().failingSince()),
                        last.endpointId().toString()));
    }

    private List<Lane> lanes(Bson which, int max) {
        return lanes
                .find(which)
                .sort(Sorts.ascending(LaneFields.FAILING_SINCE, LaneFields.ID))
                .limit(max)
                .into(new ArrayList<>())
                .stream()
                .flatMap(DecodeEach.of(CollectionNames.LANES, LaneDocument::read))
                .toList();
    }

    /**
     * The endpoint after a pure change of it; empty if it was deleted.
     *
     * @throws Problem 503 if another request has changed it in between, and nothing is written
     */
    Optional<WebhookEndpoint> change(UUID id, UnaryOperator<WebhookEndpoint> change) {
        WebhookEndpoint before = byId(List.of(id)).get(id);
        if (before == null) {
            return Optional.empty();
        }
        WebhookEndpoint changed = change.apply(before);
        Criteria unchanged = where(ID)
                .is(id)
                .and(TENANT)
                .is(before.tenant().key())
                .and(VERSION)
                .is(before.version());
        Document fields = EndpointDocument.changeable(changed).append(VERSION, before.version() + 1);
        UpdateResult result = mongo.getCollection(CollectionNames.ENDPOINTS)
                .updateOne(unchanged.getCriteriaObject(), new Document("$set", fields));
        if (result.getMatchedCount() != 1) {
            throw Problem.of(ProblemCode.UNAVAILABLE, "The endpoint was changed by another request");
        }
        return Optional.of(changed);
    }

    /**
     * Makes a dispatcher attempt the endpoint's deliveries at once, and ends the open time of its circuit breaker. Must follow the change.
     *
     * @param hasDeliveries false: an endpoint without a lane gets none
     */
    void markDue(WebhookEndpoint endpoint, boolean hasDeliveries, Instant now) {
        lanes.updateOne(
                Filters.eq(LaneFields.ID, endpoint.id()),
                LaneUpdates.dueNow(endpoint.tenant(), now),
                new UpdateOptions().upsert(hasDeliveries));
    }

    /** What API keys have done to the endpoint, the newest first; also to one that was deleted. */
    Slice<EndpointChange> changes(UUID endpoint, @Nullable UUID after) {
        Query newest = Slice.newestFirst(where("endpoint").is(endpoint), after);
        return Slice.of(mongo.find(newest, EndpointChange.class, CollectionNames.ENDPOINT_CHANGES), EndpointChange::id);
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
        Query one = query(where("_id").is(id).and("endpoint").is(endpoint));
        return Optional.ofNullable(mongo.findOne(one, Replay.class, CollectionNames.REPLAYS));
    }
}
