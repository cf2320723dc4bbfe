package dev.ligeiro.processor.due;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
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
 * The lease of the due work, held by one processor at a time, and its progress, both in one document of MongoDB. Each taking gives the
 * next token; only with the latest token can the progress be saved.
 */
@Component
class DueLeaseStore {

    private static final String ID = "_id";
    private static final String DUE = "due";
    private static final String HOLDER = "holder";
    private static final String TOKEN = "token";
    private static final String UNTIL = "until";

    private final MongoCollection<BsonDocument> leases;
    private final String holder = UUID.randomUUID().toString();
    private volatile long token;

    DueLeaseStore(MongoDatabase database) {
        this.leases = database.getCollection("leases", BsonDocument.class);
    }

    /** Takes or renews the lease. The progress of all holders so far; empty while another processor has the lease. */
    Mono<DueProgress> take(Instant now, Duration term) {
        return Mono.from(leases.findOneAndUpdate(
                        and(eq(ID, DUE), or(eq(HOLDER, holder), lt(UNTIL, Date.from(now)))),
                        combine(set(HOLDER, holder), set(UNTIL, Date.from(now.plus(term))), inc(TOKEN, 1L)),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)))
                .doOnNext(taken -> token = taken.getInt64(TOKEN).getValue())
                .map(DueProgressBson::read)
                .onErrorResume(MongoServerException.class, DueLeaseStore::emptyWhenHeld);
    }

    /** Fails when another processor has taken the lease. */
    Mono<Void> save(DueProgress progress) {
        return Mono.defer(() ->
                        Mono.from(leases.updateOne(mine(), new BsonDocument("$set", DueProgressBson.write(progress)))))
                .filter(updated -> updated.getMatchedCount() == 1)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("the lease went to another processor")))
                .then();
    }

    /** Ends the lease, so that another processor can take it at once. */
    Mono<Void> release() {
        return Mono.defer(() -> Mono.from(leases.updateOne(mine(), set(UNTIL, Date.from(Instant.EPOCH)))))
                .then();
    }

    private Bson mine() {
        return and(eq(ID, DUE), eq(HOLDER, holder), eq(TOKEN, token));
    }

    /** While another processor has the lease, the upsert fails with a duplicate id. */
    private static Mono<DueProgress> emptyWhenHeld(MongoServerException failure) {
        return ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                ? Mono.empty()
                : Mono.error(failure);
    }
}
