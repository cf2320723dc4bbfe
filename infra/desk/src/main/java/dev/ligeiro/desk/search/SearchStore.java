package dev.ligeiro.desk.search;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Sorts.ascending;
import static com.mongodb.client.model.Sorts.descending;
import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Projections;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.store.StoredPosting;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/**
 * Finds the ids of transactions of many tenants by indexes that begin with the tenant: it names all tenants. A tenant costs a look in the index,
 * 3 to 5 µs in mongod, so the caller bounds their number.
 */
@Component
class SearchStore {

    private static final int READ_MAX = Slice.ITEMS_MAX + 1;
    private static final int READ_SECONDS_MAX = 5;
    private static final int RAILS_MAX = 20;

    /** MongoDB merges at most so many ranges of an index in the order of ids; more are sorted, however many keys they have. */
    private static final int MERGED_RANGES_MAX = 200;

    /** Of a search by token. With all their ranges they take mongod 0.2 s. */
    private static final int QUERIES_MAX = 250;

    /** By so much the clock of a gateway that creates transactions may be ahead. */
    private static final Duration AHEAD_MAX = Duration.ofMinutes(5);

    private static final UUID ABOVE_ALL = new UUID(-1, -1);

    private final MongoCollection<BsonDocument> transactions;
    private final MongoCollection<BsonDocument> postings;
    private final MongoCollection<BsonDocument> books;
    private final MongoCollection<Document> disputes;
    private final MongoCollection<Document> guardTotals;
    private final MongoCollection<Document> leases;
    private final Clock clock;

    SearchStore(MongoTemplate mongo, Clock clock) {
        MongoDatabase database = mongo.getDb().withReadPreference(ReadPreference.secondaryPreferred());
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
        this.postings = database.getCollection(CollectionNames.POSTINGS, BsonDocument.class);
        this.books = mongo.getDb()
                .getCollection(CollectionNames.POSTINGS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.disputes = mongo.getDb().getCollection(CollectionNames.DISPUTES);
        this.guardTotals = mongo.getDb().getCollection(CollectionNames.GUARD_TOTALS);
        this.leases = database.getCollection(CollectionNames.LEASES);
        this.clock = clock;
    }

    /** At most one of each tenant, by the unique index of references. */
    List<UUID> byReference(List<Tenant> tenants, String reference) {
        List<Long> keys = tenants.stream().map(Tenant::key).toList();
        return newest(and(in(TENANT, keys), eq(REFERENCE, reference)), ascending(TENANT, REFERENCE));
    }

    /**
     * Test transactions have an id that names the millisecond of their creation. The books know live ones by the rail's name and the id, once
     * they are paid. There is no index of end-to-end ids: it would cost each create.
     */
    List<UUID> byEndToEndId(EndToEndId id) {
        Stream<UUID> test = id.generatedAt().stream()
                .map(at -> and(
                        gte(ID, UuidV7.lowest(at.toEpochMilli())),
                        lt(ID, UuidV7.lowest(at.toEpochMilli() + 1)),
                        eq(END_TO_END_ID, id.value())))
                .flatMap(which -> newest(which, ascending(ID)).stream());
        Bson live = and(in(PostingFields.RAIL_NAME, rails()), eq(PostingFields.RAIL_ID, id.value()));
        return Stream.concat(test, ofPostings(postings.find(live).hintString(PostingFields.RAIL_ID_INDEX)))
                .distinct()
                .toList();
    }

    /** The names of the rails in the index of their ids: a look in it for each name. */
    private List<String> rails() {
        List<String> names = new ArrayList<>();
        for (@Nullable String name = ""; name != null && names.size() < RAILS_MAX; ) {
            BsonDocument next = postings.find(and(gt(PostingFields.RAIL_NAME, name), exists(PostingFields.RAIL_ID)))
                    .sort(ascending(PostingFields.RAIL_NAME, PostingFields.RAIL_ID))
                    .projection(Projections.include(PostingFields.RAIL_NAME))
                    .comment(AllShards.OPERATOR)
                    .first();
            name = next == null ? null : StoredValues.text(next, PostingFields.RAIL_NAME);
            Stream.ofNullable(name).forEach(names::add);
        }
        return names;
    }

    /** All that a transaction has moved so far, as a failover leaves it. */
    List<StoredPosting> postings(Transaction transaction) {
        return books.find(and(
                        in(PostingFields.ID, StoredPosting.idsOf(transaction)),
                        eq(PostingFields.TENANT, transaction.tenant().key())))
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                .map(StoredPosting::read)
                .into(new ArrayList<>());
    }

    /** The newest disputes of a transaction that its merchant is shown. */
    List<StoredDispute> disputes(Transaction transaction) {
        return disputes.find(and(
                        eq(StoredDispute.TENANT, transaction.tenant().key()),
                        eq(StoredDispute.TRANSACTION_ID, transaction.id().value()),
                        exists(StoredDispute.STATUS)))
                .sort(descending(StoredDispute.OPENED_AT, StoredDispute.ID))
                .limit(Slice.ITEMS_MAX)
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                .map(StoredDispute::read)
                .into(new ArrayList<>());
    }

    /** The transaction of a refund that a merchant has asked for: the books have a posting with its id. */
    List<UUID> ofRefund(UUID refund) {
        return ofPostings(postings.find(eq(PostingFields.ID, "refund_" + refund)))
                .toList();
    }

    private static Stream<UUID> ofPostings(FindIterable<BsonDocument> found) {
        return found
                .projection(Projections.include(PostingFields.TRANSACTION_ID))
                .comment(AllShards.OPERATOR)
                .limit(READ_MAX)
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                .into(new ArrayList<>())
                .stream()
                .map(one -> StoredValues.uuid(one, PostingFields.TRANSACTION_ID));
    }

    private List<UUID> newest(Bson which, Bson index) {
        return transactions
                .find(which)
                .hint(index)
                .projection(Projections.include(ID))
                .sort(descending(ID))
                .comment(AllShards.OPERATOR)
                .limit(READ_MAX)
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                .map(one -> StoredValues.uuid(one, ID))
                .into(new ArrayList<>());
    }

    /**
     * What a cashout that is not paid yet takes from the balance, commission included, while the merchant's funds are checked; null for
     * nothing.
     */
    @Nullable
    Amount reservation(Tenant tenant, TransactionId id) {
        Document totals = guardTotals
                .find(eq(GuardTotalsFields.ID, tenant.key()))
                .projection(Projections.elemMatch(GuardTotalsFields.RESERVED, eq(GuardTotalsFields.ID, id.value())))
                .first();
        return totals == null
                ? null
                : totals.getList(GuardTotalsFields.RESERVED, Document.class, List.of()).stream()
                        .filter(reserved -> !reserved.getBoolean(GuardTotalsFields.PAID, false))
                        .findFirst()
                        .map(reserved -> new Amount(reserved.getLong(GuardTotalsFields.CENTS)
                                + reserved.getLong(GuardTotalsFields.COMMISSION)))
                        .orElse(null);
    }

    /**
     * A page of the ids of transactions that have a search token, the newest first. Each tenant and day is another range of the index, so
     * the days are searched from today backwards, and a search ends after some queries: a page can have fewer ids than others, or none, and
     * a next page all the same, which begins with the start of the oldest day that was searched.
     */
    Slice<UUID> byToken(List<Tenant> tenants, long token, @Nullable UUID after) {
        UUID before = after == null ? ABOVE_ALL : after;
        List<Long> days = days(before);
        List<Long> keys = tenants.stream().map(Tenant::key).toList();
        int daysEach = Math.max(1, MERGED_RANGES_MAX / Math.max(1, keys.size()));
        int searched = 0;
        List<UUID> found = new ArrayList<>();
        for (int queries = 0; searched < days.size() && found.size() < READ_MAX && queries < QUERIES_MAX; ) {
            List<Long> stored = days.stream()
                    .skip(searched)
                    .limit(daysEach)
                    .map(day -> SearchTokens.stored(token, day))
                    .toList();
            List<UUID> ofDays = new ArrayList<>();
            for (int i = 0; i < keys.size(); i += MERGED_RANGES_MAX, queries++) {
                List<Long> some = keys.subList(i, Math.min(i + MERGED_RANGES_MAX, keys.size()));
                ofDays.addAll(newest(
                        and(in(TENANT, some), in(SEARCH, stored), lt(ID, before)), ascending(TENANT, SEARCH, ID)));
            }
            ofDays.sort(Comparator.comparing(TransactionId::new).reversed());
            found.addAll(ofDays);
            searched += stored.size();
        }
        Slice<UUID> page = Slice.of(found.subList(0, Math.min(READ_MAX, found.size())), id -> id);
        return page.next() != null || searched == days.size()
                ? page
                : new Slice<>(
                        page.items(),
                        UuidV7.lowest(TimeUnit.DAYS.toMillis(days.get(searched - 1)))
                                .toString());
    }

    /** The days on which transactions below {@code before} can have been created, the newest first; {@link SearchTokens#NO_DAY} is the last. */
    private List<Long> days(UUID before) {
        BsonDocument oldest = transactions
                .find()
                .projection(Projections.include(ID))
                .sort(ascending(ID))
                .comment(AllShards.OPERATOR)
                .first();
        if (oldest == null) {
            return List.of();
        }
        Document decided = leases.find(eq(ID, SearchTokens.DAYS_ID)).first();
        long from = decided == null ? 0 : decided.getLong(SearchTokens.DAYS_FROM);
        long first = day(UuidV7.epochMilli(StoredValues.uuid(oldest, ID)));
        long end = UuidV7.epochMilli(before);
        long today = day(clock.instant().plus(AHEAD_MAX).toEpochMilli());
        long last = Math.min(today, day(before.equals(UuidV7.lowest(end)) ? end - 1 : end));
        LongStream days = LongStream.iterate(last, day -> day >= Math.max(first, from), day -> day - 1);
        LongStream withoutDay = first < from && first <= last ? LongStream.of(SearchTokens.NO_DAY) : LongStream.empty();
        return LongStream.concat(days, withoutDay).boxed().toList();
    }

    private static long day(long millis) {
        return Math.floorDiv(millis, TimeUnit.DAYS.toMillis(1));
    }
}
