package dev.ligeiro.support.lease;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
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
import dev.ligeiro.store.CollectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import reactor.core.publisher.Mono;

/**
 * A lease that one process at a time holds, and the progress of the leased work, both in one document of MongoDB. Each
 * {@link #take} writes a new claim id, and only with the latest claim can the progress be saved. So a holder that was paused, or
 * whose clock differs from the others', never overwrites the progress of the next holder, and neither does a late statement of its
 * own earlier pass. A lease that ends in more than an hour counts as ended: else a process whose clock was days ahead, and that then
 * died, would stop the work for days.
 *
 * @param <P> the progress
 */
public class LeaseStore<P> {

    private static final String ID = "_id";
    /** The process. It may take its own lease again before the end of the term. */
    private static final String HOLDER = "holder";

    private static final String CLAIM = "claim";
    private static final String UNTIL = "until";

    /** Longer than any term plus the usual difference of two clocks. */
    private static final Duration REST_MAX = Duration.ofHours(1);

    private final MongoCollection<BsonDocument> leases;
    private final String name;
    private final Function<BsonDocument, P> read;
    private final Function<P, BsonDocument> write;
    private final String holder = UUID.randomUUID().toString();
    private volatile String claim = "";
    /** It goes on when its caller is canceled. */
    private volatile Mono<P> lastTake = Mono.empty();

    /**
     * @param name the id of the document
     * @param read reads the progress from the fields of the document, which has none before the first {@link #save}
     * @param write the fields of the progress, other than those of the lease
     */
    protected LeaseStore(
            MongoDatabase database, String name, Function<BsonDocument, P> read, Function<P, BsonDocument> write) {
        this.leases = database.getCollection(CollectionNames.LEASES, BsonDocument.class);
        this.name = name;
        this.read = read;
        this.write = write;
    }

    /** Takes the lease, or takes it again. The progress of all holders so far; empty while another process holds the lease. */
    public Mono<P> take(Instant now, Duration term) {
        return Mono.defer(() -> {
            lastTake = takeAsNewClaim(now, term).cache();
            return lastTake;
        });
    }

    private Mono<P> takeAsNewClaim(Instant now, Duration term) {
        String next = UUID.randomUUID().toString();
        return Mono.from(leases.findOneAndUpdate(
                        and(
                                eq(ID, name),
                                or(
                                        eq(HOLDER, holder),
                                        lt(UNTIL, Date.from(now)),
                                        gt(UNTIL, Date.from(now.plus(REST_MAX))))),
                        combine(set(HOLDER, holder), set(CLAIM, next), until(now.plus(term))),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)))
                .doOnNext(taken -> claim = next)
                .map(read)
                .onErrorResume(MongoServerException.class, LeaseStore::emptyWhenHeld);
    }

    /** Moves the end of the lease, with the same claim. Fails when the lease is lost. */
    public Mono<Void> renew(Instant now, Duration term) {
        return update(until(now.plus(term)));
    }

    /** Fails when the lease is lost. */
    public Mono<Void> save(P progress) {
        return update(new BsonDocument("$set", write.apply(progress)));
    }

    /**
     * Ends the lease, so that another process can take it at once. Does nothing when another process has it. The last take may have been
     * canceled by the stop and still be under way: it comes first. Other statements under way change nothing afterwards, because the
     * claim ends too.
     */
    public Mono<Void> release() {
        return Mono.defer(() -> lastTake.onErrorComplete()
                .then(Mono.from(leases.updateOne(
                        and(eq(ID, name), eq(HOLDER, holder)), combine(until(Instant.EPOCH), set(CLAIM, "")))))
                .then());
    }

    private Mono<Void> update(Bson change) {
        return Mono.from(leases.updateOne(mine(), change))
                .filter(updated -> updated.getMatchedCount() == 1)
                .switchIfEmpty(Mono.error(() -> new LeaseLost(name)))
                .then();
    }

    /** The holder is compared too: an earlier version of the service takes the lease without a new claim id. */
    private Bson mine() {
        return and(eq(ID, name), eq(HOLDER, holder), eq(CLAIM, claim));
    }

    private static Bson until(Instant end) {
        return set(UNTIL, Date.from(end));
    }

    /** While another process holds the lease, the upsert fails with a duplicate id. */
    private static <P> Mono<P> emptyWhenHeld(MongoServerException failure) {
        return ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                ? Mono.empty()
                : Mono.error(failure);
    }
}
