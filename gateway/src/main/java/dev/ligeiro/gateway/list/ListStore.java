package dev.ligeiro.gateway.list;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.mongo.LongReads;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reads the one transaction that a list with an identifier or a reference can have, and bounds the wait for MongoDB. */
@Component
class ListStore {

    /** A query that takes longer is accompanied by a ping, which shows whether MongoDB is reachable. */
    private static final Duration PING_AFTER = Duration.ofMillis(300);

    /** Measured here, because the driver's limit does not bound the wait for a connection behind calls with more time. */
    private static final Duration PING_MAX = Duration.ofMillis(2_200);

    private static final Bson PING = new Document("ping", 1);

    private final MongoCollection<Transaction> transactions;
    private final MongoDatabase database;

    /** @param database of the client for short operations: a ping does not wait behind lists */
    ListStore(LongReads reads, MongoDatabase database) {
        this.transactions = reads.transactions().withReadConcern(ReadConcern.MAJORITY);
        this.database = database;
    }

    /** Runs queries that may take long, but fails within 3 seconds when MongoDB does not answer a ping. */
    <T> Mono<T> whileReachable(Mono<T> query) {
        Mono<T> unreachable = Mono.delay(PING_AFTER)
                .then(Mono.defer(() -> Mono.from(database.runCommand(PING))).timeout(PING_MAX))
                .then(Mono.never());
        return Mono.firstWithSignal(query, unreachable);
    }

    /**
     * The tenant's transaction that matches, if there is one. Its other conditions are checked here, so that the query is always a look-up
     * by a unique index.
     *
     * @param query with an identifier or a reference
     */
    Mono<List<Transaction>> find(Tenant tenant, ListQuery query) {
        Bson unique = query.identifier() != null
                ? Filters.eq(
                        TransactionFields.ID,
                        TransactionCodec.binary(query.identifier().value()))
                : Filters.eq(TransactionFields.REFERENCE, query.reference());
        return Mono.from(transactions
                        .find(Filters.and(Filters.eq(TransactionFields.TENANT, tenant.key()), unique))
                        .first())
                .filter(found -> query.matches(tenant, found))
                .map(List::of)
                .defaultIfEmpty(List.of());
    }
}
