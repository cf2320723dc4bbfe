package dev.ligeiro.support.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoServerException;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.BsonDocument;
import reactor.core.publisher.Mono;

/**
 * Leases in MongoDB, by which one process at a time does a piece of work, and the progress of such work. Leases save work and do not fence
 * it: a holder that was paused may go on beside the next one. A lease that ends in more than an hour counts as ended: one that was taken
 * while MongoDB's clock was days ahead would stop the work for days.
 */
public final class LeaseStore {

    /** In the document of a piece of work, by operators: {@code true} while nothing is done. */
    public static final String PAUSED = "paused";

    private static final String ID = "_id";

    /** The process. It may take its own lease again before the end of the term. */
    private static final String HOLDER = "holder";

    private static final String UNTIL = "until";

    private static final Duration RELEASE_MAX = Duration.ofSeconds(1);
    /** Longer than any term plus the usual difference of two clocks. */
    private static final Duration REMAINING_MAX = Duration.ofHours(1);

    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> leases;
    private final String holder = UUID.randomUUID().toString();

    public LeaseStore(MongoDatabase database) {
        this.database = database;
        this.leases = database.getCollection(CollectionNames.LEASES, BsonDocument.class);
    }

    /** The lease with this id, for one piece of work of this process. */
    public Lease of(String name) {
        return new Lease(name);
    }

    /** Whether operators have paused the piece of work with this id. */
    public Mono<Boolean> isPaused(String work) {
        return Mono.from(leases.find(and(eq(ID, work), eq(PAUSED, true)))).hasElement();
    }

    /** The progress of a piece of work, which has this id and is a record; empty before the first. */
    public <T> Mono<T> progress(String name, Class<T> type) {
        return Mono.from(database.getCollection(CollectionNames.LEASES, type).find(eq(ID, name)));
    }

    /** Replaces the progress. If two processes write it, the last one counts. */
    public <T> Mono<Void> setProgress(String name, Class<T> type, T next) {
        return Mono.from(database.getCollection(CollectionNames.LEASES, type)
                        .replaceOne(eq(ID, name), next, new ReplaceOptions().upsert(true)))
                .then();
    }

    public final class Lease {

        private final String name;

        /** It continues when its caller is canceled. */
        private volatile Mono<Boolean> lastTake = Mono.empty();

        private Lease(String name) {
            this.name = name;
        }

        /** Takes the lease, or takes it again; false while another process holds it. */
        public Mono<Boolean> take(Instant now, Duration term) {
            return Mono.defer(() -> {
                lastTake = tryTake(now, term).cache();
                return lastTake;
            });
        }

        private Mono<Boolean> tryTake(Instant now, Duration term) {
            return Mono.from(leases.updateOne(
                            and(
                                    eq(ID, name),
                                    or(
                                            eq(HOLDER, holder),
                                            lt(UNTIL, Date.from(now)),
                                            gt(UNTIL, Date.from(now.plus(REMAINING_MAX))))),
                            combine(set(HOLDER, holder), set(UNTIL, Date.from(now.plus(term)))),
                            new UpdateOptions().upsert(true)))
                    .thenReturn(true)
                    .onErrorResume(MongoServerException.class, LeaseStore::falseWhenHeld);
        }

        /**
         * Ends the lease, so that another process can take it at once. Does nothing when another process has it. The last take may have been
         * canceled by the stop and still be under way: it comes first. Never fails: if MongoDB does not answer within 1 s, the lease ends by
         * itself.
         */
        public Mono<Void> release() {
            return Mono.defer(() -> lastTake.onErrorComplete()
                    .then(Mono.from(leases.updateOne(
                            and(eq(ID, name), eq(HOLDER, holder)), set(UNTIL, Date.from(Instant.EPOCH)))))
                    .then()
                    .timeout(RELEASE_MAX)
                    .onErrorComplete());
        }
    }

    /** While another process holds the lease, the upsert fails with a duplicate id. */
    private static Mono<Boolean> falseWhenHeld(MongoServerException failure) {
        return ErrorCategory.fromErrorCode(failure.getCode()) == ErrorCategory.DUPLICATE_KEY
                ? Mono.just(false)
                : Mono.error(failure);
    }
}
