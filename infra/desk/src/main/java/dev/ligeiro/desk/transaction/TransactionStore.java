package dev.ligeiro.desk.transaction;

import static com.mongodb.client.model.Filters.*;
import static dev.ligeiro.store.TransactionFields.ID;
import static dev.ligeiro.store.TransactionFields.TENANT;

import com.mongodb.ReadPreference;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.ArchiveFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/** Reads transactions. Lists leave out those that cannot be decoded. */
@Component
public class TransactionStore {

    private static final long READ_SECONDS_MAX = 5;
    /** A stored transaction can have 200 kB. */
    private static final int BATCH_SIZE = 24;

    /** They take mongod about 0.1 s when they are in its cache. */
    private static final int WALKED_MAX = 20_000;

    private static final Bson BY_ID = Indexes.ascending(ID);
    private static final Bson WALK = Sorts.descending(TENANT, ID);
    private static final Bson WALK_INDEX = Indexes.ascending(TENANT, ID);

    private static final TransactionCodec CODEC = new TransactionCodec();
    private static final Function<RawBsonDocument, Stream<Transaction>> DECODE =
            DecodeEach.of(CollectionNames.TRANSACTIONS, one -> one.decode(CODEC));

    private final MongoCollection<Document> months;
    private final MongoCollection<RawBsonDocument> transactions;
    private final int walkedMax;

    @Autowired
    TransactionStore(MongoTemplate mongo) {
        this(mongo, WALKED_MAX);
    }

    public TransactionStore(MongoTemplate mongo, int walkedMax) {
        this.months = mongo.getDb().getCollection(CollectionNames.ARCHIVED_MONTHS);
        this.transactions = mongo.getDb().getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class);
        this.walkedMax = walkedMax;
    }

    /** The transaction of any merchant: all shards are asked. */
    public Optional<Transaction> find(TransactionId id) {
        return one(find(eq(ID, id.value()), BY_ID).comment(AllShards.OPERATOR));
    }

    /** The problem of an id of which there is no transaction. */
    public Problem missing(TransactionId id) {
        YearMonth month = ArchiveFields.month(id);
        boolean isArchived =
                months.find(and(eq(ArchiveFields.ID, month.toString()), in(ArchiveFields.STATE, ArchiveFields.AWAY)))
                                .first()
                        != null;
        return isArchived
                ? Problem.of(
                        ProblemCode.TRANSACTION_ARCHIVED,
                        "The transactions of " + month + " are archived; the page Stored data brings the month back")
                : Problems.transactionNotFound();
    }

    public Optional<Transaction> find(Tenant tenant, TransactionId id) {
        return one(find(and(eq(ID, id.value()), eq(TENANT, tenant.key())), BY_ID));
    }

    private static Optional<Transaction> one(FindIterable<RawBsonDocument> found) {
        return Optional.ofNullable(found.map(one -> one.decode(CODEC)).first());
    }

    /** What {@code part} takes of each of those that exist and can be decoded, by their ids. */
    public <T> Map<UUID, T> all(Collection<UUID> ids, Function<Transaction, T> part) {
        return parts(ids, DECODE, part);
    }

    /** As {@link #all}, but fails if one cannot be decoded: for a caller that would take it for one that does not exist. */
    public <T> Map<UUID, T> allOrFail(Collection<UUID> ids, Function<Transaction, T> part) {
        return parts(ids, one -> Stream.of(one.decode(CODEC)), part);
    }

    private <T> Map<UUID, T> parts(
            Collection<UUID> ids,
            Function<RawBsonDocument, Stream<Transaction>> decode,
            Function<Transaction, T> part) {
        Map<UUID, T> parts = new HashMap<>();
        find(in(ID, ids), BY_ID)
                .comment(AllShards.OPERATOR)
                .batchSize(BATCH_SIZE)
                .forEach(one ->
                        decode.apply(one).forEach(each -> parts.put(each.id().value(), part.apply(each))));
        return parts;
    }

    /** A page of the matching transactions in the order of a time, by the partial index over it. */
    public Slice<Transaction> oldest(String time, Bson which, @Nullable PageCursor after) {
        Bson behind = after == null ? which : and(which, behind(after, time));
        Bson index = Indexes.ascending(time, ID);
        Slice<RawBsonDocument> page = Slice.of(
                find(behind, index)
                        .sort(index)
                        .comment(AllShards.OPERATOR)
                        .limit(Slice.ITEMS_MAX + 1)
                        .into(new ArrayList<>()),
                last -> new PageCursor(
                        StoredValues.instant(last, time),
                        StoredValues.uuid(last, ID).toString()));
        return new Slice<>(page.items().stream().flatMap(DECODE).toList(), page.next());
    }

    private static Bson behind(PageCursor after, String time) {
        Date at = Date.from(after.at());
        return and(gte(time, at), or(gt(time, at), gt(ID, TransactionCodec.binary(after.uuid()))));
    }

    /**
     * A page of the tenant's matching transactions, the newest first. It is for what no index has, since that would cost each create: it
     * reads 20,000 transactions at most, so a page can have fewer items than others, or none, and a next page all the same.
     *
     * @param after the place that they come after; null for the first ones
     */
    public Slice<Transaction> newest(Tenant tenant, Bson matching, @Nullable UUID after) {
        Bson ofTenant = eq(TENANT, tenant.key());
        Bson below = after == null ? ofTenant : and(ofTenant, lt(ID, TransactionCodec.binary(after)));
        // the oldest one that the page reads; null if all that are left fit
        RawBsonDocument lowest = walk(below)
                .projection(Projections.include(ID))
                .skip(walkedMax - 1)
                .limit(1)
                .first();
        Bson range = lowest == null ? below : and(below, gte(ID, lowest.get(ID)));
        Slice<RawBsonDocument> page = Slice.of(
                walk(and(range, matching)).limit(Slice.ITEMS_MAX + 1).into(new ArrayList<>()),
                last -> StoredValues.uuid(last, ID));
        String end = lowest == null ? null : StoredValues.uuid(lowest, ID).toString();
        return new Slice<>(page.items().stream().flatMap(DECODE).toList(), page.next() == null ? end : page.next());
    }

    private FindIterable<RawBsonDocument> walk(Bson which) {
        return transactions
                .withReadPreference(ReadPreference.secondaryPreferred())
                .find(which)
                .hint(WALK_INDEX)
                .sort(WALK)
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private FindIterable<RawBsonDocument> find(Bson which, Bson index) {
        return transactions.find(which).hint(index).maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS);
    }
}
