package dev.ligeiro.desk.search;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static dev.ligeiro.store.TransactionFields.*;

import com.mongodb.ReadPreference;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.transaction.DecodeEach;
import dev.ligeiro.desk.transaction.FoundTransaction;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.GuardTotalsFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.stereotype.Component;

/**
 * Finds transactions of many tenants by indexes that begin with the tenant: it names all tenants. A tenant costs a look in the index, 3 to 5 µs
 * in mongod, so the caller bounds their number.
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

    private static final TransactionId ABOVE_ALL = new TransactionId(new UUID(-1, -1));

    private final MongoCollection<BsonDocument> transactions;
    private final MongoCollection<BsonDocument> postings;
    private final MongoCollection<Document> guardTotals;
    private final MongoCollection<Document> leases;
    private final MongoTemplate mongo;
    private final Clock clock;
    private final int queriesMax;

    @Autowired
    SearchStore(MongoTemplate mongo, Clock clock) {
        this(mongo, clock, QUERIES_MAX);
    }

    SearchStore(MongoTemplate mongo, Clock clock, int queriesMax) {
        MongoDatabase primary = mongo.getDb();
        MongoDatabase database = primary.withReadPreference(ReadPreference.secondaryPreferred());
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
        this.postings = database.getCollection(CollectionNames.POSTINGS, BsonDocument.class);
        this.guardTotals = primary.getCollection(CollectionNames.GUARD_TOTALS);
        this.leases = database.getCollection(CollectionNames.LEASES);
        this.mongo = mongo;
        this.clock = clock;
        this.queriesMax = queriesMax;
    }

    /** Those that exist, the newest first. */
    List<FoundTransaction> byIds(Collection<UUID> ids) {
        return ids.isEmpty()
                ? List.of()
                : read(transactions
                        .find(in(
                                ID,
                                ids.stream()
                                        .distinct()
                                        .map(TransactionCodec::binary)
                                        .toList()))
                        .hint(Indexes.ascending(ID)));
    }

    /** At most one of each tenant, by the unique index of references. */
    List<FoundTransaction> byReference(List<Tenant> tenants, String reference) {
        return read(transactions
                .find(and(in(TENANT, keys(tenants)), eq(REFERENCE, reference)))
                .hint(Indexes.ascending(TENANT, REFERENCE)));
    }

    /**
     * Test transactions have an id that names the millisecond of their creation. The books know live ones by the rail's name and the id, once
     * they are paid. There is no index of end-to-end ids: it would cost each create.
     */
    List<FoundTransaction> byEndToEndId(EndToEndId id) {
        List<UUID> found = new ArrayList<>();
        id.generatedAt().ifPresent(at -> transactions
                .find(and(
                        gte(ID, TransactionCodec.binary(UuidV7.lowest(at.toEpochMilli()))),
                        lt(ID, TransactionCodec.binary(UuidV7.lowest(at.toEpochMilli() + 1))),
                        eq(END_TO_END_ID, id.value())))
                .hint(Indexes.ascending(ID))
                .projection(Projections.include(ID))
                .comment(AllShards.OPERATOR)
                .limit(READ_MAX)
                .map(one -> StoredValues.uuid(one, ID))
                .into(found));
        List<String> rails = rails();
        if (!rails.isEmpty()) {
            postings.find(and(in(PostingFields.RAIL_NAME, rails), eq(PostingFields.RAIL_ID, id.value())))
                    .hintString(PostingFields.RAIL_ID_INDEX)
                    .projection(Projections.include(PostingFields.TRANSACTION_ID))
                    .comment(AllShards.OPERATOR)
                    .limit(READ_MAX)
                    .map(one -> StoredValues.uuid(one, PostingFields.TRANSACTION_ID))
                    .into(found);
        }
        return byIds(found).stream()
                .filter(one -> one.endToEndId().equals(id.value()))
                .toList();
    }

    /** The names of the rails in the index of their ids: a look in it for each name. */
    private List<String> rails() {
        List<String> names = new ArrayList<>();
        for (String last = ""; names.size() < RAILS_MAX; last = names.get(names.size() - 1)) {
            BsonDocument next = postings.find(and(gt(PostingFields.RAIL_NAME, last), exists(PostingFields.RAIL_ID)))
                    .sort(Sorts.ascending(PostingFields.RAIL_NAME, PostingFields.RAIL_ID))
                    .projection(Projections.include(PostingFields.RAIL_NAME))
                    .comment(AllShards.OPERATOR)
                    .limit(1)
                    .first();
            if (next == null) {
                break;
            }
            names.add(StoredValues.text(next, PostingFields.RAIL_NAME));
        }
        return names;
    }

    /** The transaction of a refund that a merchant has asked for: the books have a posting with its id. */
    Optional<UUID> ofRefund(UUID refund) {
        return Optional.ofNullable(postings.find(eq(PostingFields.ID, "refund_" + refund))
                        .projection(Projections.include(PostingFields.TRANSACTION_ID))
                        .comment(AllShards.OPERATOR)
                        .first())
                .map(posting -> StoredValues.uuid(posting, PostingFields.TRANSACTION_ID));
    }

    @Nullable
    ApiKey key(UUID id) {
        return mongo.findById(id, ApiKey.class, CollectionNames.API_KEYS);
    }

    /** By its hash; null if there is no such key. */
    @Nullable
    ApiKey key(String key) {
        return mongo.findOne(
                Query.query(Criteria.where("hash").is(ApiKey.hash(key))), ApiKey.class, CollectionNames.API_KEYS);
    }

    /** Keys that begin so. */
    List<ApiKey> keys(ApiKey.Beginning beginning, int max) {
        Criteria start = Criteria.where("start").regex("^" + Pattern.quote(beginning.start()));
        return mongo.find(
                Query.query(start.and("mode").is(beginning.mode())).limit(max), ApiKey.class, CollectionNames.API_KEYS);
    }

    /** What a cashout takes from the balance, commission included, while the merchant's funds are checked; null without a reservation. */
    @Nullable
    Amount reservation(Tenant tenant, TransactionId id) {
        Document totals = guardTotals
                .find(eq(GuardTotalsFields.ID, tenant.key()))
                .projection(Projections.elemMatch(GuardTotalsFields.RESERVED, eq(GuardTotalsFields.ID, id.value())))
                .first();
        return totals == null
                ? null
                : totals.getList(GuardTotalsFields.RESERVED, Document.class, List.of()).stream()
                        .findFirst()
                        .map(reserved -> new Amount(reserved.getLong(GuardTotalsFields.CENTS)
                                + reserved.getLong(GuardTotalsFields.COMMISSION)))
                        .orElse(null);
    }

    /**
     * A page of the ids of transactions that have a search token, the newest first. Each tenant and day is another range of the index, so the days are
     * searched from today backwards, and a search ends after some queries: a page can have fewer ids than others, or none, and a next page
     * all the same, which begins with the start of the oldest day that was searched.
     */
    Slice<UUID> byToken(List<Tenant> tenants, long token, @Nullable UUID after) {
        TransactionId before = after == null ? ABOVE_ALL : new TransactionId(after);
        List<Long> days = days(before);
        int daysEach = Math.max(1, MERGED_RANGES_MAX / Math.max(1, tenants.size()));
        int queriesEach = (tenants.size() + MERGED_RANGES_MAX - 1) / MERGED_RANGES_MAX;
        int daysMax = daysEach * Math.max(1, queriesMax / Math.max(1, queriesEach));
        List<Long> searched = days.subList(0, Math.min(daysMax, days.size()));
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < searched.size() && ids.size() < READ_MAX; i += daysEach) {
            ids.addAll(newest(tenants, token, searched.subList(i, Math.min(i + daysEach, searched.size())), before));
        }
        Slice<UUID> page = Slice.of(ids.subList(0, Math.min(READ_MAX, ids.size())), id -> id);
        return page.next() != null || searched.size() == days.size()
                ? page
                : new Slice<>(
                        page.items(), startOf(searched.get(searched.size() - 1)).toString());
    }

    private List<UUID> newest(List<Tenant> tenants, long token, List<Long> days, TransactionId before) {
        List<Long> stored =
                days.stream().map(day -> SearchTokens.stored(token, day)).toList();
        List<Long> keys = keys(tenants);
        List<TransactionId> found = new ArrayList<>();
        for (int i = 0; i < keys.size(); i += MERGED_RANGES_MAX) {
            transactions
                    .find(and(
                            in(TENANT, keys.subList(i, Math.min(i + MERGED_RANGES_MAX, keys.size()))),
                            in(SEARCH, stored),
                            lt(ID, TransactionCodec.binary(before.value()))))
                    .hint(Indexes.ascending(TENANT, SEARCH, ID))
                    .projection(Projections.include(ID))
                    .sort(Sorts.descending(ID))
                    .limit(READ_MAX)
                    .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                    .map(one -> new TransactionId(StoredValues.uuid(one, ID)))
                    .into(found);
        }
        return found.stream()
                .sorted(Comparator.reverseOrder())
                .limit(READ_MAX)
                .map(TransactionId::value)
                .toList();
    }

    /** The days on which transactions below {@code before} can have been created, the newest first; {@link SearchTokens#NO_DAY} is the last. */
    private List<Long> days(TransactionId before) {
        BsonDocument oldest = transactions
                .find()
                .projection(Projections.include(ID))
                .sort(Sorts.ascending(ID))
                .comment(AllShards.OPERATOR)
                .limit(1)
                .first();
        if (oldest == null) {
            return List.of();
        }
        Document decided = leases.find(eq(SearchTokens.DAYS_ID)).first();
        long from = decided == null ? 0 : decided.getLong(SearchTokens.DAYS_FROM);
        long first = day(UuidV7.epochMilli(StoredValues.uuid(oldest, ID)));
        long end = UuidV7.epochMilli(before.value());
        boolean isStart = before.value().equals(UuidV7.lowest(end));
        long last = Math.min(day(clock.instant().plus(AHEAD_MAX).toEpochMilli()), day(isStart ? end - 1 : end));
        List<Long> days = new ArrayList<>();
        for (long day = last; day >= Math.max(first, from); day--) {
            days.add(day);
        }
        if (first < from && first <= last) {
            days.add(SearchTokens.NO_DAY);
        }
        return days;
    }

    private static long day(long millis) {
        return Math.floorDiv(millis, TimeUnit.DAYS.toMillis(1));
    }

    private static UUID startOf(long day) {
        return UuidV7.lowest(TimeUnit.DAYS.toMillis(day));
    }

    private static List<FoundTransaction> read(FindIterable<BsonDocument> found) {
        return found
                .projection(FoundTransaction.FIELDS)
                .comment(AllShards.OPERATOR)
                .limit(READ_MAX)
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                .into(new ArrayList<>())
                .stream()
                .flatMap(DecodeEach.of(CollectionNames.TRANSACTIONS, FoundTransaction::of))
                .sorted(Comparator.comparing((FoundTransaction one) -> new TransactionId(one.id()))
                        .reversed())
                .toList();
    }

    private static List<Long> keys(List<Tenant> tenants) {
        return tenants.stream().map(Tenant::key).toList();
    }
}
