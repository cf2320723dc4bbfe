package dev.ligeiro.gateway.api.webhook;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.Replay;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.bson.Document;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Replays in MongoDB. */
@Component
class ReplayStore {

    private static final String LEASE = CollectionSetup.REPLAY_LEASE_UNTIL;

    private final ReactiveMongoTemplate mongo;

    ReplayStore(ReactiveMongoTemplate mongo) {
        this.mongo = mongo;
    }

    /** False if the endpoint has a running replay: only one of them may have a lease. */
    Mono<Boolean> insert(Replay replay) {
        return mongo.insert(replay, CollectionNames.REPLAYS)
                .thenReturn(true)
                .onErrorResume(DuplicateKeyException.class, running -> Mono.just(false));
    }

    Mono<Replay> find(Tenant tenant, UUID endpointId, UUID id) {
        return mongo.findOne(
                query(where("_id")
                        .is(id)
                        .and("endpoint")
                        .is(endpointId)
                        .and("tenant")
                        .is(tenant.key())),
                Replay.class,
                CollectionNames.REPLAYS);
    }

    /**
     * Takes, of the running replays that no gateway holds, the one that has waited longest; empty if there is none. {@link #read} decodes it.
     */
    Mono<Document> claim(Instant now, Duration lease) {
        return mongo.findAndModify(
                query(where(LEASE).lte(now)).with(Sort.by(LEASE)),
                Update.update(LEASE, now.plus(lease)),
                FindAndModifyOptions.options().returnNew(true),
                Document.class,
                CollectionNames.REPLAYS);
    }

    Replay read(Document claimed) {
        return mongo.getConverter().read(Replay.class, claimed);
    }

    /** Ends a replay, also one that cannot be decoded. */
    Mono<Void> fail(UUID id, Instant now) {
        Update failed =
                new Update().set("state", Replay.State.FAILED).unset(LEASE).set(CollectionSetup.REPLAY_ENDED_AT, now);
        return mongo.updateFirst(query(where("_id").is(id)), failed, Replay.class, CollectionNames.REPLAYS)
                .then();
    }

    /** Writes the progress and releases the replay, unless another gateway has taken it meanwhile. */
    Mono<Void> save(Replay claimed, Instant now) {
        Update progress = new Update()
                .set("state", claimed.state())
                .set("looked", claimed.looked())
                .set("scheduled", claimed.scheduled())
                .set("position", claimed.position());
        Update update = claimed.state() == Replay.State.RUNNING
                ? progress.set(LEASE, now)
                : progress.unset(LEASE).set(CollectionSetup.REPLAY_ENDED_AT, now);
        return mongo.updateFirst(
                        query(where("_id").is(claimed.id()).and(LEASE).is(claimed.leaseUntil())),
                        update,
                        Replay.class,
                        CollectionNames.REPLAYS)
                .then();
    }
}
