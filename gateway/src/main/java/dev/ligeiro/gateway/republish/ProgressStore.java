package dev.ligeiro.gateway.republish;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoServerException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The lease of the sweeper, held by one gateway at a time, and its progress. One document in MongoDB has both, so only the holder of the
 * lease can change the progress.
 */
@Component
class ProgressStore {

    private static final String REPUBLISH = "republish";
    private static final String HOLDER = "holder";
    private static final String UNTIL = "until";

    private final MongoCollection<BsonDocument> leases;
    private final String holder = UUID.randomUUID().toString();

    ProgressStore(MongoDatabase database) {
        this.leases = database.getCollection("leases", BsonDocument.class);
    }

    /** Takes the lease. The progress of all holders so far; empty when another gateway has the lease. */
    Mono<Progress> take(Instant now, Duration term) {
        Bson free = or(eq(HOLDER, holder), lt(UNTIL, Date.from(now)));
        return Mono.from(leases.findOneAndUpdate(
                        and(eq("_id", REPUBLISH), free),
                        combine(set(HOLDER, holder), set(UNTIL, Date.from(now.plus(term)))),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)))
                .map(ProgressBson::read)
                .onErrorResume(MongoServerException.class, ProgressStore::emptyWhenHeld);
    }

    /** Renews the lease. Fails when it has been lost. */
    Mono<Void> renew(Instant now, Duration term) {
        return update(set(UNTIL, Date.from(now.plus(term))));
    }

    /** Fails when the lease has been lost. */
    Mono<Void> save(Progress progress) {
        return update(new BsonDocument("$set", ProgressBson.write(progress)));
    }

    private Mono<Void> update(Bson change) {
        return Mono.from(leases.updateOne(mine(), change))
                .filter(updated -> updated.getMatchedCount() == 1)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("the lease went to another gateway")))
                .then();
    }

    /** Ends the lease, so that another gateway can take it at once. */
    Mono<Void> release() {
        return Mono.from(leases.updateOne(mine(), set(UNTIL, Date.from(Instant.EPOCH))))
                .then();
    }

    private Bson mine() {
        return and(eq("_id", REPUBLISH), eq(HOLDER, holder));
    }

    /** When another gateway holds the lease, the upsert fails with a duplicate id. */
    private static Mono<Progress> emptyWhenHeld(MongoServerException failure) {
        return ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                ? Mono.empty()
                : Mono.error(failure);
    }
}
