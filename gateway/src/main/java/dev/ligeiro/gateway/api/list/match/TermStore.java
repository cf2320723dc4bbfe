package dev.ligeiro.gateway.api.list.match;

import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Counts and ids by the keys of one index; no document is read. RATIONALE.md has the cost of each read. Reads see what a majority has.
 */
@Component
class TermStore {

    /** More than the 2.5 s of other operations: counting millions takes seconds. */
    static final long QUERY_SECONDS_MAX = 10;

    private static final BsonDocument MAJORITY = new BsonDocument("level", new BsonString("majority"));

    /** The driver repeats queries itself, but not commands. */
    private static final Retry ONCE_MORE = Retry.max(1)
            .filter(failure -> failure instanceof MongoSocketException
                    || failure instanceof MongoNotPrimaryException
                    || failure instanceof MongoNodeIsRecoveringException)
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    private final BoundedReads bounds;
    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> ids;

    TermStore(LongReads reads, BoundedReads bounds) {
        this.bounds = bounds;
        this.database = reads.database().withTimeout(QUERY_SECONDS_MAX, TimeUnit.SECONDS);
        this.ids = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /**
     * 0.2 µs a key, 0.3 µs of a token.
     *
     * @param term null: all transactions of the tenant
     * @param limit at which the count stops
     */
    Mono<Long> count(Tenant tenant, @Nullable Term term, Span span, long limit) {
        return span.isEmpty() ? Mono.just(0L) : count(IndexQuery.of(tenant, term, span), limit);
    }

    /** To how many of these transactions the term applies. 3 µs an id. */
    Mono<Long> countAmong(Tenant tenant, Term term, List<TransactionId> among) {
        return among.isEmpty() ? Mono.just(0L) : count(IndexQuery.among(tenant, term, among), among.size());
    }

    /** The ids of {@code among} to whose transactions all terms apply, in the same order. 4 µs an id and term. */
    Mono<List<TransactionId>> matching(Tenant tenant, List<Term> terms, List<TransactionId> among) {
        Mono<List<TransactionId>> matching = Mono.just(among);
        for (Term term : terms) {
            matching = matching.flatMap(some -> among(tenant, term, some));
        }
        return matching;
    }

    private Mono<List<TransactionId>> among(Tenant tenant, Term term, List<TransactionId> among) {
        return among.isEmpty()
                ? Mono.just(among)
                : list(find(IndexQuery.among(tenant, term, among)), among.size())
                        .map(found -> {
                            Set<TransactionId> kept = new HashSet<>(found);
                            return among.stream().filter(kept::contains).toList();
                        });
    }

    /** The highest ids, the highest first. 2 µs an id. */
    Mono<List<TransactionId>> newest(Tenant tenant, Term term, Span span, int limit) {
        return span.isEmpty()
                ? Mono.just(List.of())
                : list(find(IndexQuery.of(tenant, term, span)).sort(Sorts.descending(TransactionFields.ID)), limit);
    }

    /** The tenant's lowest id, or empty. */
    Mono<TransactionId> first(Tenant tenant) {
        return Mono.from(find(IndexQuery.of(tenant, null, Span.ALL))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .first())
                .map(TermStore::id);
    }

    /** {@code countDocuments} is an aggregation, which with a limit costs twice as much as the command {@code count}. */
    private Mono<Long> count(IndexQuery query, long limit) {
        BsonDocument command = new BsonDocument("count", new BsonString(CollectionNames.TRANSACTIONS))
                .append("query", query.condition())
                .append("hint", query.index())
                .append("limit", new BsonInt64(limit))
                .append("readConcern", MAJORITY);
        return bounds.query(Mono.defer(() -> Mono.from(database.runCommand(command, BsonDocument.class)))
                        .retryWhen(ONCE_MORE))
                .map(reply -> reply.getNumber("n").longValue());
    }

    private FindPublisher<BsonDocument> find(IndexQuery query) {
        return ids.find(query.condition()).hint(query.index()).projection(Projections.include(TransactionFields.ID));
    }

    private Mono<List<TransactionId>> list(FindPublisher<BsonDocument> found, int limit) {
        return bounds.query(Flux.from(found.limit(limit).batchSize(limit))
                .map(TermStore::id)
                .collectList());
    }

    private static TransactionId id(BsonDocument found) {
        return new TransactionId(found.getBinary(TransactionFields.ID).asUuid());
    }
}
