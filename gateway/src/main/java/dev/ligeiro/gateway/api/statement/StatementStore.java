package dev.ligeiro.gateway.api.statement;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Projections.include;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.api.list.Span;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.DenialCount;
import dev.ligeiro.store.GuardDocument;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.StoredPosting;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.FundsStore.Funds;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonMinKey;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The books of one tenant in MongoDB, and its denied transactions. Books are read with majority: a failover never takes back what a
 * merchant has seen.
 */
@Component
public class StatementStore {

    private static final long DENIALS_SECONDS_MAX = 1;

    private final MongoCollection<Document> transactions;
    private final MongoCollection<Document> postings;
    private final MongoCollection<Document> balances;
    private final MongoCollection<Document> guards;
    private final MongoCollection<Document> totals;
    private final FundsStore funds;

    StatementStore(LongReads reads) {
        MongoDatabase database = reads.database();
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
        this.postings = database.getCollection(CollectionNames.POSTINGS).withReadConcern(ReadConcern.MAJORITY);
        this.balances = database.getCollection(CollectionNames.BALANCES).withReadConcern(ReadConcern.MAJORITY);
        this.guards = database.getCollection(CollectionNames.GUARDS).withReadConcern(ReadConcern.MAJORITY);
        this.totals = database.getCollection(CollectionNames.GUARD_TOTALS).withReadConcern(ReadConcern.MAJORITY);
        this.funds = new FundsStore(database);
    }

    /** A posting that moves the merchant's account. Amounts are in cents. */
    record Entry(String id, Instant at, TransactionId transactionId, String type, long gross, long commission) {

        /** The id of an adjustment, with that of its payment. */
        private static final Pattern ADJUSTMENT = Pattern.compile("(?:resolution|taken_back)_[^/]+/(E\\w{31})?.*");

        long net() {
            return gross + commission;
        }

        /** The end-to-end id of the payment that an adjustment is about, which need not be its transaction's; {@code ""} if it has none. */
        Optional<String> adjustedPayment() {
            Matcher adjustment = ADJUSTMENT.matcher(id);
            return adjustment.matches()
                    ? Optional.of(Objects.requireNonNullElse(adjustment.group(1), ""))
                    : Optional.empty();
        }
    }

    /**
     * A tenant's accounts, in cents.
     *
     * @param reserved what cashouts that are not in it yet will take from it, if the merchant's funds are checked
     * @param at the time of the latest event in it; null without one
     */
    record Balance(
            long merchant,
            long reserved,
            long cashoutsInFlight,
            long refundsInFlight,
            long blocked,
            @Nullable Instant at) {

        long available() {
            return merchant - reserved;
        }
    }

    /** The reservations are read before the balance: one that ends meanwhile is in the balance. */
    Mono<Balance> balance(Tenant tenant) {
        return reserved(tenant)
                .flatMap(reserved -> funds.read(tenant, reserved.keySet()).map(read -> balance(read, reserved)));
    }

    private static Balance balance(Funds read, Map<TransactionId, Long> reserved) {
        Document balance = read.balance();
        return new Balance(
                read.cents(),
                reserved.entrySet().stream()
                        .filter(each -> !read.posted().contains(each.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum(),
                cents(balance, BalanceFields.OUT_IN_FLIGHT),
                cents(balance, BalanceFields.REFUND_IN_FLIGHT),
                cents(balance, BalanceFields.BLOCKED),
                balance.isEmpty() ? null : balance.getDate(BalanceFields.AT).toInstant());
    }

    /** Amounts with commissions; empty if the tenant's funds are not checked, or not yet. */
    private Mono<Map<TransactionId, Long>> reserved(Tenant tenant) {
        Bson checked = and(eq(GuardDocument.ID, tenant.key()), eq(GuardDocument.FUNDS_CHECK, true));
        return Mono.from(guards.find(checked).projection(include(GuardDocument.TOTALS_SINCE)))
                .flatMap(guard -> Mono.from(totals.find(and(
                                eq(GuardTotalsFields.ID, tenant.key()),
                                eq(GuardTotalsFields.FUNDS_CHECKED, true),
                                gte(GuardTotalsFields.SINCE, guard.getDate(GuardDocument.TOTALS_SINCE))))
                        .projection(include(GuardTotalsFields.RESERVED))))
                .map(StatementStore::reservations)
                .defaultIfEmpty(Map.of());
    }

    private static Map<TransactionId, Long> reservations(Document totals) {
        Map<TransactionId, Long> reserved = new LinkedHashMap<>();
        totals.getList(GuardTotalsFields.RESERVED, Document.class)
                .forEach(each -> reserved.put(
                        new TransactionId(each.get(GuardTotalsFields.ID, UUID.class)),
                        each.getLong(GuardTotalsFields.CENTS) + each.getLong(GuardTotalsFields.COMMISSION)));
        return reserved;
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

    /** The balances of the tenant's UTC days from {@code first} to {@code last}; the one over all days, without a day, if there is one. */
    Mono<List<Document>> days(Tenant tenant, int first, int last) {
        Bson ofDays = and(
                gte(BalanceFields.ID, BalanceFields.id(tenant, first)),
                lte(BalanceFields.ID, BalanceFields.id(tenant, last)));
        return Flux.from(balances.find(or(eq(BalanceFields.ID, BalanceFields.id(tenant)), ofDays))
                        .projection(include(BalanceFields.COUNTED, BalanceFields.PAID)))
                .collectList();
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
    Mono<List<Entry>> entries(Tenant tenant, StatementQuery query, StatementQuery.@Nullable Place after, int max) {
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

    /** The end-to-end ids of payments, as far as they are known. Only the fields with ids are read, however large a transaction is. */
    Mono<Map<TransactionId, String>> endToEndIds(Tenant tenant, Set<TransactionId> ids) {
        String ofSettlement = TransactionFields.HISTORY + "." + TransactionFields.END_TO_END_ID;
        List<BsonBinary> stored =
                ids.stream().map(id -> TransactionCodec.binary(id.value())).toList();
        return Flux.from(transactions
                        .find(and(in(TransactionFields.ID, stored), eq(TransactionFields.TENANT, tenant.key())))
                        .projection(include(TransactionFields.END_TO_END_ID, ofSettlement))
                        .batchSize(ids.size() + 1))
                .collectMap(
                        found -> new TransactionId(found.get(TransactionFields.ID, UUID.class)),
                        StatementStore::endToEndId);
    }

    /** The rail's own when it has reported one. */
    private static String endToEndId(Document transaction) {
        return transaction.getList(TransactionFields.HISTORY, Document.class).stream()
                .map(entry -> entry.getString(TransactionFields.END_TO_END_ID))
                .filter(Objects::nonNull)
                .reduce((earlier, later) -> later)
                .orElse(transaction.getString(TransactionFields.END_TO_END_ID));
    }

    /** All that a transaction has moved so far. */
    public Mono<List<StoredPosting>> ofTransaction(Transaction transaction) {
        List<String> ids = StoredPosting.idsOf(transaction);
        return Flux.from(postings.withDocumentClass(BsonDocument.class)
                        .find(and(
                                in(PostingFields.ID, ids),
                                eq(PostingFields.TENANT, transaction.tenant().key())))
                        .batchSize(ids.size() + 1))
                .map(StoredPosting::read)
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

    /** Why transactions were denied: see {@link DenialCount#pipeline}. Fails if it takes longer than a second. */
    Mono<List<DenialCount>> denials(Tenant tenant, Span span) {
        return Flux.from(transactions
                        .aggregate(DenialCount.pipeline(
                                tenant, span.from().value(), span.before().value()))
                        .maxTime(DENIALS_SECONDS_MAX, TimeUnit.SECONDS))
                .map(DenialCount::of)
                .collectList();
    }

    private static long cents(Document document, String field) {
        return document.get(field) instanceof Number cents ? cents.longValue() : 0;
    }
}
