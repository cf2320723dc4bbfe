package dev.ligeiro.gateway.api.list;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the one transaction that a list with an identifier, a reference, an end-to-end id or a refund can have. */
@Component
class SingleMatchStore {

    /** A payment has one or two postings with the rail's id of it; other merchants' payments have other ids. */
    private static final int POSTINGS_MAX = 10;

    private final MongoCollection<Transaction> transactions;
    private final MongoCollection<BsonDocument> postings;
    /** The names of the rails that a route leads to. */
    private final Set<String> rails;

    SingleMatchStore(LongReads reads, RailProperties rails) {
        this.transactions = reads.transactions().withReadConcern(ReadConcern.MAJORITY);
        this.postings = reads.database()
                .getCollection(CollectionNames.POSTINGS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.rails = rails.routes().stream().map(RailProperties.Route::rail).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The tenant's transaction that matches, if there is one. Its other conditions are checked here, so that the query is always a look-up
     * by an index.
     *
     * @param query with an identifier, a reference, an end-to-end id or a refund
     */
    Mono<List<TransactionSnapshot>> find(Tenant tenant, ListQuery query) {
        return candidates(tenant, query)
                .filter(found -> query.matches(tenant, found))
                .take(1)
                .map(Transaction::snapshot)
                .collectList();
    }

    private Flux<Transaction> candidates(Tenant tenant, ListQuery query) {
        if (query.identifier() != null) {
            return find(
                    tenant,
                    eq(
                            TransactionFields.ID,
                            TransactionCodec.binary(query.identifier().value())));
        }
        if (query.reference() != null) {
            return find(tenant, eq(TransactionFields.REFERENCE, query.reference()));
        }
        EndToEndId payment = query.endToEndId();
        return payment == null
                ? booked(tenant, eq(PostingFields.ID, "refund_" + query.refund()), "_id_")
                : Flux.concat(created(tenant, payment), Flux.defer(() -> booked(tenant, payment)));
    }

    /** The id of a test transaction names the millisecond of its creation, so no index has to hold end-to-end ids. */
    private Flux<Transaction> created(Tenant tenant, EndToEndId id) {
        Instant at = id.generatedAt().orElse(null);
        return at == null
                ? Flux.empty()
                : find(
                        tenant,
                        and(
                                gte(TransactionFields.ID, lowest(at.toEpochMilli())),
                                lt(TransactionFields.ID, lowest(at.toEpochMilli() + 1)),
                                eq(TransactionFields.END_TO_END_ID, id.value())));
    }

    /** The books have the bank's id of a live transaction, once it is paid. */
    private Flux<Transaction> booked(Tenant tenant, EndToEndId id) {
        return rails.isEmpty()
                ? Flux.empty()
                : booked(
                        tenant,
                        and(in(PostingFields.RAIL_NAME, rails), eq(PostingFields.RAIL_ID, id.value())),
                        PostingFields.RAIL_ID_INDEX);
    }

    private Flux<Transaction> booked(Tenant tenant, Bson condition, String index) {
        return Flux.from(postings.find(and(eq(PostingFields.TENANT, tenant.key()), condition))
                        .hintString(index)
                        .projection(Projections.include(PostingFields.TRANSACTION_ID))
                        .limit(POSTINGS_MAX))
                .map(posting -> posting.getBinary(PostingFields.TRANSACTION_ID))
                .distinct()
                .concatMap(transaction -> find(tenant, eq(TransactionFields.ID, transaction)));
    }

    private static BsonBinary lowest(long millis) {
        return TransactionCodec.binary(UuidV7.lowest(millis));
    }

    private Flux<Transaction> find(Tenant tenant, Bson condition) {
        return Flux.from(transactions.find(and(eq(TransactionFields.TENANT, tenant.key()), condition)));
    }
}
