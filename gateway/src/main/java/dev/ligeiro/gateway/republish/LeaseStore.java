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
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The sweeper's lease: one gateway at a time, and the time of the last whole pass, kept over restarts. */
@Component
class LeaseStore {

    private static final String REPUBLISH = "republish";
    private static final String HOLDER = "holder";
    private static final String UNTIL = "until";
    private static final String PASSED_AT = "passedAt";

    private final MongoCollection<Document> leases;
    private final String holder = UUID.randomUUID().toString();

    LeaseStore(MongoDatabase database) {
        this.leases = database.getCollection("leases");
    }

    /** Takes or prolongs the lease; gives the time of the last whole pass (the epoch before the first), or empty. */
    Mono<Instant> take(Instant now, Duration term) {
        Bson free = or(eq(HOLDER, holder), lt(UNTIL, Date.from(now)));
        return Mono.from(leases.findOneAndUpdate(
                        and(eq("_id", REPUBLISH), free),
                        combine(set(HOLDER, holder), set(UNTIL, Date.from(now.plus(term)))),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)))
                .map(lease -> lease.get(PASSED_AT, Date.from(Instant.EPOCH)).toInstant())
                .onErrorResume(MongoServerException.class, LeaseStore::emptyWhereTaken);
    }

    /** Whether the lease was still held. */
    Mono<Boolean> passed(Instant at) {
        return Mono.from(leases.updateOne(and(eq("_id", REPUBLISH), eq(HOLDER, holder)), set(PASSED_AT, Date.from(at))))
                .map(updated -> updated.getMatchedCount() == 1);
    }

    /** Another gateway takes over at once. */
    Mono<Void> release() {
        return Mono.from(leases.updateOne(
                        and(eq("_id", REPUBLISH), eq(HOLDER, holder)), set(UNTIL, Date.from(Instant.EPOCH))))
                .then();
    }

    /** The upsert of a lease that another holds fails on its id. */
    private static Mono<Instant> emptyWhereTaken(MongoServerException failure) {
        return ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                ? Mono.empty()
                : Mono.error(failure);
    }
}
