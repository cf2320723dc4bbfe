package dev.ligeiro.gateway.api.webhook.replay;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.api.webhook.delivery.StatusFilter;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.DeliveryId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Replays in MongoDB. During a step a gateway holds the replay by a lease with a random token, which the write of its progress checks; so
 * another gateway continues where one has died.
 */
@Component
class ReplayStore {

    private static final String ID = "_id";
    private static final String ENDPOINT = "endpoint";
    private static final String TENANT = "tenant";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String STATUS = "status";
    private static final String CREATED_AT = "createdAt";
    private static final String STATE = "state";
    private static final String POSITION = "position";
    private static final String LOOKED = "looked";
    private static final String SCHEDULED = "scheduled";
    private static final String CLAIM = "claim";

    private final MongoCollection<Document> replays;

    ReplayStore(MongoDatabase database) {
        this.replays = database.getCollection(CollectionSetup.REPLAYS);
    }

    /** False if the endpoint has a running replay. */
    Mono<Boolean> insert(Replay replay) {
        Document document = new Document(ID, replay.id())
                .append(ENDPOINT, replay.endpointId())
                .append(TENANT, replay.tenant().key())
                .append(FROM, Date.from(replay.request().from()))
                .append(TO, Date.from(replay.request().to()))
                .append(STATUS, replay.request().status().code())
                .append(CREATED_AT, Date.from(replay.createdAt()))
                .append(STATE, replay.state().code())
                .append(POSITION, new Binary(replay.position().bytes()))
                .append(LOOKED, replay.looked())
                .append(SCHEDULED, replay.scheduled())
                .append(CollectionSetup.REPLAY_LEASE_UNTIL, Date.from(replay.createdAt()));
        return Mono.from(replays.insertOne(document))
                .thenReturn(true)
                .onErrorResume(WriteErrors::isDuplicateKey, duplicate -> Mono.just(false));
    }

    Mono<Replay> find(Tenant tenant, UUID endpointId, UUID id) {
        return Mono.from(replays.find(and(eq(ID, id), eq(ENDPOINT, endpointId), eq(TENANT, tenant.key()))))
                .map(ReplayStore::read);
    }

    /** Takes, of the running replays that no gateway holds, the one that has waited longest; empty if there is none. */
    Mono<Replay> claim(UUID claim, Instant now, Duration lease) {
        return Mono.from(replays.findOneAndUpdate(
                        lte(CollectionSetup.REPLAY_LEASE_UNTIL, Date.from(now)),
                        combine(set(CLAIM, claim), set(CollectionSetup.REPLAY_LEASE_UNTIL, Date.from(now.plus(lease)))),
                        new FindOneAndUpdateOptions()
                                .sort(Sorts.ascending(CollectionSetup.REPLAY_LEASE_UNTIL))
                                .returnDocument(ReturnDocument.AFTER)))
                .map(ReplayStore::read);
    }

    /** Writes the progress and releases the replay, unless another gateway has taken it meanwhile. */
    Mono<Void> save(Replay replay, UUID claim, Instant now) {
        List<Bson> changes = new ArrayList<>();
        changes.add(set(STATE, replay.state().code()));
        changes.add(set(LOOKED, replay.looked()));
        changes.add(set(SCHEDULED, replay.scheduled()));
        changes.add(set(POSITION, new Binary(replay.position().bytes())));
        if (replay.state() == Replay.State.RUNNING) {
            changes.add(set(CollectionSetup.REPLAY_LEASE_UNTIL, Date.from(now)));
        } else {
            changes.add(set(CollectionSetup.REPLAY_ENDED_AT, Date.from(now)));
            changes.add(unset(CollectionSetup.REPLAY_LEASE_UNTIL));
        }
        return Mono.from(replays.updateOne(and(eq(ID, replay.id()), eq(CLAIM, claim)), combine(changes)))
                .then();
    }

    private static Replay read(Document document) {
        return new Replay(
                document.get(ID, UUID.class),
                document.get(ENDPOINT, UUID.class),
                new Tenant(document.getLong(TENANT)),
                new ReplayRequest(
                        document.getDate(FROM).toInstant(),
                        document.getDate(TO).toInstant(),
                        StatusFilter.parse(document.getString(STATUS))),
                document.getDate(CREATED_AT).toInstant(),
                Replay.State.fromCode(document.getString(STATE)),
                DeliveryId.of(document.get(POSITION, Binary.class).getData()),
                document.getLong(LOOKED),
                document.getLong(SCHEDULED));
    }
}
