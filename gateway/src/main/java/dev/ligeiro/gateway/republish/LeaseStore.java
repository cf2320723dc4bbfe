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

/** The lease of the sweeper, held by one gateway at a time, and the time of the last complete pass. Both are stored in MongoDB. */
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

    /** Takes or renews the lease. The time of the last complete pass, the epoch before the first; empty when another gateway has the lease. */
    Mono<Instant> take(Instant now, Duration term) {
        Bson free = or(eq(HOLDER, holder), lt(UNTIL, Date.from(now)));
        return Mono.from(leases.findOneAndUpdate(
                        and(eq("_id", REPUBLISH), free),
                        combine(set(HOLDER, holder), set(UNTIL, Date.from(now.plus(term)))),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)))
                .map(lease -> lease.get(PASSED_AT, Date.from(Instant.EPOCH)).toInstant())
                .onErrorResume(MongoServerException.class, LeaseStore::emptyWhenHeld);
    }

    /** Stores the time of a complete pass; false when the lease has been lost. */
    Mono<Boolean> completePass(Instant at) {
        return Mono.from(leases.updateOne(and(eq("_id", REPUBLISH), eq(HOLDER, holder)), set(PASSED_AT, Date.from(at))))
                .map(updated -> updated.getMatchedCount() == 1);
    }

    /** Ends the lease, so that another gateway can take it at once. */
    Mono<Void> release() {
        return Mono.from(leases.updateOne(
                        and(eq("_id", REPUBLISH), eq(HOLDER, holder)), set(UNTIL, Date.from(Instant.EPOCH))))
                .then();
    }

    /** When another gateway holds the lease, the upsert fails with a duplicate id. */
    private static Mono<Instant> emptyWhenHeld(MongoServerException failure) {
        return ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                ? Mono.empty()
                : Mono.error(failure);
    }
}
