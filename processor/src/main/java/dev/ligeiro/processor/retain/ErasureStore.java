package dev.ligeiro.processor.retain;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.retain.WaitingStore.Waiting;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ErasureFields;
import dev.ligeiro.store.ErasureFields.State;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The erasures that operators have confirmed, and the transactions that they are about. */
@Component
class ErasureStore {

    /** Of one query: so many ranges of the index for each of the two tokens. */
    private static final int DAYS = 100;

    private final MongoCollection<BsonDocument> erasures;
    private final MongoCollection<BsonDocument> transactions;
    private final MongoCollection<BsonDocument> leases;

    ErasureStore(MongoDatabase database) {
        this.erasures = database.getCollection(CollectionNames.ERASURES, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.leases = database.getCollection(CollectionNames.LEASES, BsonDocument.class);
    }

    /** A confirmed erasure whose transactions are not found yet. */
    record Confirmed(UUID id, String taxId) {

        @Override
        public String toString() {
            return "Confirmed[id=" + id + "]";
        }
    }

    Flux<Confirmed> confirmed() {
        return Flux.from(erasures.find(eq(ErasureFields.STATE, State.CONFIRMED.code()))
                        .sort(Sorts.ascending(ErasureFields.ID)))
                .map(found -> new Confirmed(
                        StoredValues.uuid(found, ErasureFields.ID), StoredValues.text(found, ErasureFields.OPEN)));
    }

    /** The transactions of a tenant with this tax id, as the document, the Pix key or that of the payer. One that the rail hides is not found. */
    Flux<Waiting> transactions(Tenant tenant, String taxId, Instant now) {
        return Flux.concat(
                ofDocument(tenant, taxId, now), transactions(tenant, taxId, List.of(SearchTokens.payer(taxId))));
    }

    private Flux<Waiting> ofDocument(Tenant tenant, String taxId, Instant now) {
        return Mono.zip(firstDay(tenant), daysFrom())
                .flatMapMany(from -> Flux.fromStream(days(from.getT1(), from.getT2(), now)))
                .buffer(DAYS)
                .concatMap(days -> transactions(tenant, taxId, tokens(taxId, days)));
    }

    private Flux<Waiting> transactions(Tenant tenant, String taxId, List<Long> tokens) {
        return Flux.from(transactions
                        .find(and(
                                eq(TransactionFields.TENANT, tenant.key()),
                                in(TransactionFields.SEARCH, tokens),
                                isOf(taxId)))
                        .hint(Indexes.ascending(
                                TransactionFields.TENANT, TransactionFields.SEARCH, TransactionFields.ID))
                        .projection(Projections.include(TransactionFields.ID)))
                .map(found -> new Waiting(new TransactionId(StoredValues.uuid(found, TransactionFields.ID)), tenant));
    }

    /** The day of the tenant's first transaction; empty without one. */
    private Mono<Long> firstDay(Tenant tenant) {
        return Mono.from(transactions
                        .find(eq(TransactionFields.TENANT, tenant.key()))
                        .hint(Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .projection(Projections.include(TransactionFields.ID))
                        .limit(1))
                .map(found -> BucketVersionFields.epochDay(
                        new TransactionId(StoredValues.uuid(found, TransactionFields.ID))));
    }

    private Mono<Long> daysFrom() {
        return Mono.from(leases.find(eq("_id", SearchTokens.DAYS_ID)))
                .map(found -> found.getInt64(SearchTokens.DAYS_FROM).getValue())
                .defaultIfEmpty(0L);
    }

    /** Up to tomorrow, because a gateway's clock may be ahead; the transactions from before {@code from} have no day. */
    private static Stream<Long> days(long first, long from, Instant now) {
        long tomorrow = BucketVersionFields.epochDay(TransactionId.at(now)) + 1;
        LongStream withoutDay = first < from ? LongStream.of(SearchTokens.NO_DAY) : LongStream.empty();
        return LongStream.concat(withoutDay, LongStream.rangeClosed(Math.max(first, from), tomorrow))
                .boxed();
    }

    private static List<Long> tokens(String taxId, List<Long> days) {
        return days.stream()
                .flatMap(day -> Stream.of(SearchTokens.document(taxId), SearchTokens.pixKey(taxId))
                        .map(token -> SearchTokens.stored(token, day)))
                .toList();
    }

    /** Different values can have the same token. */
    private static Bson isOf(String taxId) {
        return or(
                eq(TransactionFields.PAYER + "." + TransactionFields.DOCUMENT, taxId),
                eq(TransactionFields.PIX_KEY + "." + TransactionFields.VALUE, taxId),
                eq(
                        TransactionFields.HISTORY + "." + TransactionFields.PAID_BY + "." + TransactionFields.TAX_ID,
                        taxId));
    }

    /** All transactions are found and wait, so the tax id is not needed any more. */
    Mono<Void> found(Confirmed erasure, long count) {
        return Mono.from(erasures.updateOne(
                        and(
                                eq(ErasureFields.ID, TransactionCodec.binary(erasure.id())),
                                eq(ErasureFields.STATE, State.CONFIRMED.code())),
                        combine(
                                set(ErasureFields.STATE, State.FOUND.code()),
                                set(ErasureFields.FOUND, count),
                                unset(ErasureFields.OPEN))))
                .then();
    }

    /** The erasures that have found their transactions and not ended. */
    Flux<UUID> unended() {
        return Flux.from(erasures.find(eq(ErasureFields.STATE, State.FOUND.code()))
                        .projection(Projections.include(ErasureFields.ID)))
                .map(found -> StoredValues.uuid(found, ErasureFields.ID));
    }

    Mono<Void> ended(UUID erasure, Instant at) {
        return Mono.from(erasures.updateOne(
                        and(
                                eq(ErasureFields.ID, TransactionCodec.binary(erasure)),
                                eq(ErasureFields.STATE, State.FOUND.code())),
                        combine(
                                set(ErasureFields.STATE, State.ENDED.code()),
                                set(ErasureFields.ENDED_AT, Date.from(at)))))
                .then();
    }
}
