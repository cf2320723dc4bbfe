package dev.ligeiro.gateway.api.statement;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Projections.include;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonMinKey;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The books of one tenant in MongoDB. They are read with majority: a failover never takes back what a merchant has seen. */
@Component
class StatementStore {

    private final MongoCollection<Document> postings;
    private final MongoCollection<Document> balances;

    StatementStore(LongReads reads) {
        MongoDatabase database = reads.database();
        this.postings = database.getCollection(CollectionNames.POSTINGS).withReadConcern(ReadConcern.MAJORITY);
        this.balances = database.getCollection(CollectionNames.BALANCES).withReadConcern(ReadConcern.MAJORITY);
    }

    /**
     * A posting that moves the merchant's account. Amounts are in cents.
     *
     * @param net what is added to the account
     */
    record Entry(String id, Instant at, TransactionId transactionId, String type, long gross, long commission) {

        long net() {
            return gross + commission;
        }
    }

    /**
     * A tenant's accounts, in cents.
     *
     * @param at the time of the latest event in it; null without one
     */
    record Balance(long merchant, long cashoutsInFlight, long refundsInFlight, @Nullable Instant at) {

        static final Balance NONE = new Balance(0, 0, 0, null);
    }

    Mono<Balance> balance(Tenant tenant) {
        return Mono.from(balances.find(eq(BalanceFields.ID, BalanceFields.id(tenant))))
                .map(found -> new Balance(
                        cents(found, BalanceFields.MERCHANT),
                        cents(found, BalanceFields.OUT_IN_FLIGHT),
                        cents(found, BalanceFields.REFUND_IN_FLIGHT),
                        found.getDate(BalanceFields.AT).toInstant()))
                .defaultIfEmpty(Balance.NONE);
    }

    /** The merchant's account before {@code time}, a quarter of an hour: the sum of the days before its UTC day, and of its quarters. */
    Mono<Long> before(Tenant tenant, Instant time) {
        int day = BalanceFields.day(time);
        BsonDocument id = BalanceFields.id(tenant, day);
        Bson daysBefore = and(
                gte(BalanceFields.ID, BalanceFields.id(tenant).append(BalanceFields.DAY, new BsonMinKey())),
                lt(BalanceFields.ID, id));
        Mono<Long> days = Mono.from(balances.aggregate(List.of(
                                Aggregates.match(daysBefore),
                                Aggregates.group(
                                        null, Accumulators.sum(BalanceFields.MERCHANT, "$" + BalanceFields.MERCHANT))))
                        .hintString(BalanceFields.DAYS_INDEX))
                .map(sum -> cents(sum, BalanceFields.MERCHANT))
                .defaultIfEmpty(0L);
        Mono<Long> quarters = Mono.from(
                        balances.find(eq(BalanceFields.ID, id)).projection(include(BalanceFields.QUARTERS)))
                .map(found -> quartersBefore(found, BalanceFields.quarter(time)))
                .defaultIfEmpty(0L);
        return days.zipWith(quarters, Long::sum);
    }

    private static long quartersBefore(Document day, int quarter) {
        return Optional.ofNullable(day.get(BalanceFields.QUARTERS, Document.class))
                .orElse(new Document())
                .entrySet()
                .stream()
                .filter(one -> Integer.parseInt(one.getKey()) < quarter)
                .mapToLong(one -> ((Number) one.getValue()).longValue())
                .sum();
    }

    /** Up to {@code max} entries of these days, the oldest first: one range of the index. */
    Mono<List<Entry>> entries(Tenant tenant, StatementQuery query, @Nullable StatementCursor after, int max) {
        Bson rest = after == null
                ? gte(PostingFields.AT, query.from())
                : and(
                        gte(PostingFields.AT, after.at()),
                        or(gt(PostingFields.AT, after.at()), gt(PostingFields.ID, after.id())));
        return Flux.from(postings.find(and(
                                eq(PostingFields.TENANT, tenant.key()),
                                rest,
                                lt(PostingFields.AT, query.before()),
                                exists(PostingFields.GROSS)))
                        .hintString(PostingFields.STATEMENT_INDEX)
                        .projection(include(
                                PostingFields.AT,
                                PostingFields.TRANSACTION_ID,
                                PostingFields.TYPE,
                                PostingFields.GROSS,
                                PostingFields.COMMISSION))
                        .sort(Sorts.ascending(PostingFields.TENANT, PostingFields.AT, PostingFields.ID))
                        .limit(max)
                        .batchSize(max + 1))
                .map(StatementStore::entry)
                .collectList();
    }

    private static Entry entry(Document posting) {
        return new Entry(
                posting.getString(PostingFields.ID),
                posting.getDate(PostingFields.AT).toInstant(),
                new TransactionId(posting.get(PostingFields.TRANSACTION_ID, UUID.class)),
                posting.getString(PostingFields.TYPE),
                cents(posting, PostingFields.GROSS),
                cents(posting, PostingFields.COMMISSION));
    }

    private static long cents(Document document, String field) {
        return document.get(field) instanceof Number cents ? cents.longValue() : 0;
    }
}
