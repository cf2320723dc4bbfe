package dev.ligeiro.gateway.api.list;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.api.list.ReadMatches.Found;
import dev.ligeiro.gateway.api.list.TermStore.IndexQuery;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.ReducingCodec;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.store.UnmatchedPaymentFields;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.ResolutionDecision;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the documents of the shown rows and no others, 5 µs each; MongoDB never sorts in memory. Reads see what a majority has. */
@Component
class DocumentStore {

    /** A payment has one or two postings with the rail's id of it; other merchants' payments have other ids. */
    private static final int POSTINGS_MAX = 10;

    private final BoundedReads bounds;
    private final DecodeEach decode;
    private final MongoCollection<Row> rows;
    private final MongoCollection<Transaction> transactions;
    private final MongoCollection<BsonDocument> postings;
    private final MongoCollection<BsonDocument> balances;
    private final MongoCollection<BsonDocument> unmatched;
    private final Set<String> routed;

    DocumentStore(LongReads reads, BoundedReads bounds, DecodeEach decode, RailProperties rails) {
        this.bounds = bounds;
        this.decode = decode;
        this.rows = reads.transactions(new ReducingCodec<>(
                        Row.class,
                        (transaction, bytes) -> new Row(transaction.id(), transaction.snapshot(), bytes),
                        this::undecodable))
                .withReadConcern(ReadConcern.MAJORITY)
                .withTimeout(TermStore.QUERY_SECONDS_MAX, TimeUnit.SECONDS);
        this.transactions = reads.transactions().withReadConcern(ReadConcern.MAJORITY);
        this.postings = collection(reads, CollectionNames.POSTINGS);
        this.balances = collection(reads, CollectionNames.BALANCES);
        this.unmatched = collection(reads, CollectionNames.UNMATCHED_PAYMENTS);
        this.routed = rails.routes().stream().map(RailProperties.Route::rail).collect(Collectors.toUnmodifiableSet());
    }

    private static MongoCollection<BsonDocument> collection(LongReads reads, String name) {
        return reads.database().getCollection(name, BsonDocument.class).withReadConcern(ReadConcern.MAJORITY);
    }

    /**
     * The newest transactions of a filter with a status or without any term. Fields are checked on each document of the span, 2 µs each.
     *
     * @param bytesMax a read ends when its documents have so many
     */
    Mono<Found> newest(Filter filter, Span span, long skip, int limit, long bytesMax) {
        IndexQuery all = IndexQuery.of(filter.tenant(), filter.indexed().get(0), List.of(), span);
        FindPublisher<Row> newest = find(filter.checked().map(all::with).orElse(all));
        return read(newest.skip(Math.toIntExact(skip)), limit, bytesMax)
                .map(read -> found(read, bytesMax, read.size() < limit ? null : last(read)));
    }

    /** The transactions with these ids that still have the filter's status, the newest first. */
    Mono<Found> byIds(Filter filter, ReadMatches.FoundIds ids, long bytesMax) {
        int limit = ids.ids().size();
        return limit == 0
                ? Mono.just(new Found(List.of(), 0, ids.reached()))
                : read(find(IndexQuery.byIds(filter, ids.ids())), limit, bytesMax)
                        .map(read -> found(read, bytesMax, ids.reached()));
    }

    /**
     * @param bytesMax a read whose documents have so many has ended early
     * @param reached of a read that has not
     */
    private static Found found(List<Row> read, long bytesMax, @Nullable TransactionId reached) {
        List<TransactionSnapshot> rows =
                read.stream().map(Row::transaction).flatMap(Stream::ofNullable).toList();
        long bytes = read.stream().mapToLong(Row::bytes).sum();
        return new Found(rows, read.size() - rows.size(), bytes < bytesMax ? reached : last(read));
    }

    private static TransactionId last(List<Row> read) {
        return read.get(read.size() - 1).id();
    }

    /** With the limit, MongoDB closes the cursor after the first batch; without it, the driver would have to ask for a second one. */
    private Mono<List<Row>> read(FindPublisher<Row> found, int limit, long bytesMax) {
        Mono<List<Row>> read = Flux.defer(() -> {
                    long[] bytes = {0};
                    return Flux.from(found.limit(limit).batchSize(limit))
                            .takeUntil(row -> (bytes[0] += row.bytes()) >= bytesMax);
                })
                .collectList();
        return bounds.query(bounds.transactions(read));
    }

    private FindPublisher<Row> find(IndexQuery query) {
        return rows.find(query.condition()).hint(query.index()).sort(Sorts.descending(TransactionFields.ID));
    }

    private Row undecodable(RawBsonDocument document, RuntimeException failure) {
        TransactionId id =
                new TransactionId(document.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD));
        decode.report(CollectionNames.TRANSACTIONS, id, failure);
        return new Row(id, null, document.getByteBuffer().remaining());
    }

    /**
     * @param transaction null if the document cannot be decoded
     * @param bytes those of the document
     */
    private record Row(TransactionId id, @Nullable TransactionSnapshot transaction, int bytes) {}

    /**
     * The tenant's transaction that matches, if there is one. Its other conditions are checked here, so that the query is always a look-up
     * by an index.
     *
     * @param query with an identifier, a reference, an end-to-end id or a refund
     */
    Mono<List<TransactionSnapshot>> single(Tenant tenant, ListQuery query) {
        return candidates(tenant, query)
                .filter(found -> query.matches(tenant, found))
                .take(1)
                .map(Transaction::snapshot)
                .collectList();
    }

    private Flux<Transaction> candidates(Tenant tenant, ListQuery query) {
        if (query.identifier() != null) {
            return single(
                    tenant,
                    eq(
                            TransactionFields.ID,
                            TransactionCodec.binary(query.identifier().value())));
        }
        if (query.reference() != null) {
            return single(tenant, eq(TransactionFields.REFERENCE, query.reference()));
        }
        EndToEndId payment = query.endToEndId();
        return payment == null
                ? booked(tenant, eq(PostingFields.ID, "refund_" + query.refund()), "_id_")
                : Flux.concat(
                        created(tenant, payment),
                        rails(tenant)
                                .flatMapMany(names ->
                                        Flux.concat(booked(tenant, names, payment), assigned(tenant, names, payment))));
    }

    /** The id of a test transaction names the millisecond of its creation, so no index has to hold end-to-end ids. */
    private Flux<Transaction> created(Tenant tenant, EndToEndId id) {
        Instant at = id.generatedAt().orElse(null);
        return at == null
                ? Flux.empty()
                : single(
                        tenant,
                        and(
                                gte(TransactionFields.ID, lowest(at.toEpochMilli())),
                                lt(TransactionFields.ID, lowest(at.toEpochMilli() + 1)),
                                eq(TransactionFields.END_TO_END_ID, id.value())));
    }

    /** The rails that can have moved money of the tenant; the balance knows those that have no route any more. */
    private Mono<Set<String>> rails(Tenant tenant) {
        return Mono.from(balances.find(eq(BalanceFields.ID, BalanceFields.id(tenant)))
                        .projection(Projections.include(BalanceFields.RAIL)))
                .map(balance -> balance.getDocument(BalanceFields.RAIL, new BsonDocument())
                        .keySet())
                .defaultIfEmpty(Set.of())
                .map(moved -> Stream.concat(routed.stream(), moved.stream()).collect(Collectors.toSet()));
    }

    /** The books have the bank's id of a live transaction, once it is paid. */
    private Flux<Transaction> booked(Tenant tenant, Set<String> rails, EndToEndId id) {
        return booked(
                tenant,
                and(in(PostingFields.RAIL_NAME, rails), eq(PostingFields.RAIL_ID, id.value())),
                PostingFields.RAIL_ID_INDEX);
    }

    /** A payment that operators have assigned is in the books as that of the transaction which the bank has named. */
    private Flux<Transaction> assigned(Tenant tenant, Set<String> rails, EndToEndId id) {
        String resolved = UnmatchedPaymentFields.RESOLVED + ".";
        return Flux.from(unmatched
                        .find(and(
                                in(
                                        UnmatchedPaymentFields.ID,
                                        rails.stream()
                                                .map(rail -> rail + "/" + id.value())
                                                .toList()),
                                eq(resolved + UnmatchedPaymentFields.DECISION, ResolutionDecision.ASSIGN.code()),
                                eq(resolved + UnmatchedPaymentFields.TENANT, tenant.key())))
                        .projection(Projections.include(resolved + UnmatchedPaymentFields.TRANSACTION_ID)))
                .map(found -> found.getDocument(UnmatchedPaymentFields.RESOLVED)
                        .getBinary(UnmatchedPaymentFields.TRANSACTION_ID))
                .concatMap(transaction -> single(tenant, eq(TransactionFields.ID, transaction)));
    }

    private Flux<Transaction> booked(Tenant tenant, Bson condition, String index) {
        return Flux.from(postings.find(and(eq(PostingFields.TENANT, tenant.key()), condition))
                        .hintString(index)
                        .projection(Projections.include(PostingFields.TRANSACTION_ID))
                        .limit(POSTINGS_MAX))
                .map(posting -> posting.getBinary(PostingFields.TRANSACTION_ID))
                .distinct()
                .concatMap(transaction -> single(tenant, eq(TransactionFields.ID, transaction)));
    }

    private static BsonBinary lowest(long millis) {
        return TransactionCodec.binary(UuidV7.lowest(millis));
    }

    private Flux<Transaction> single(Tenant tenant, Bson condition) {
        return Flux.from(transactions.find(and(eq(TransactionFields.TENANT, tenant.key()), condition)));
    }
}
