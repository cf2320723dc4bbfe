package dev.ligeiro.desk.key;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.EndpointChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.stereotype.Component;

/**
 * Finds what an API key has done. No index has the key, since that would cost each create: the transactions of its tenant are read from the
 * newest backwards, so many at a time, and a page says how far it came.
 */
@Component
class KeyUseStore {

    /** They take mongod about 0.1 s when they are in its cache. */
    private static final int TRANSACTIONS_MAX = 20_000;

    private static final Duration READ_MAX = Duration.ofSeconds(5);
    private static final Bson ORDER = Sorts.descending(TransactionFields.TENANT, TransactionFields.ID);
    private static final Bson INDEX = Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID);
    private static final Comparator<KeyUse> NEWEST_FIRST =
            Comparator.comparing((KeyUse use) -> new TransactionId(use.place())).reversed();

    private final MongoTemplate mongo;
    private final MongoCollection<Transaction> transactions;
    private final MongoCollection<BsonDocument> ids;
    private final int transactionsMax;

    @Autowired
    KeyUseStore(MongoTemplate mongo) {
        this(mongo, TRANSACTIONS_MAX);
    }

    KeyUseStore(MongoTemplate mongo, int transactionsMax) {
        MongoDatabase database = mongo.getDb().withReadPreference(ReadPreference.secondaryPreferred());
        this.mongo = mongo;
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), database.getCodecRegistry()));
        this.ids = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
        this.transactionsMax = transactionsMax;
    }

    /** A page can have fewer items than others, or none, and a next page all the same. Its cursor is the place down to which it is complete. */
    Slice<KeyUse> newest(Tenant tenant, UUID key, @Nullable UUID after) {
        Bson ofTenant = eq(TransactionFields.TENANT, tenant.key());
        Bson below = after == null ? ofTenant : and(ofTenant, lt(TransactionFields.ID, TransactionCodec.binary(after)));
        UUID lowest = lowest(below);
        List<Transaction> used = used(
                lowest == null ? below : and(below, gte(TransactionFields.ID, TransactionCodec.binary(lowest))), key);
        return page(key, used, changes(key, after), lowest);
    }

    /** The oldest transaction of this page; null if all that are left fit. */
    private @Nullable UUID lowest(Bson below) {
        BsonDocument found = ids.find(below)
                .hint(INDEX)
                .sort(ORDER)
                .projection(Projections.include(TransactionFields.ID))
                .skip(transactionsMax - 1)
                .limit(1)
                .maxTime(READ_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .first();
        return found == null ? null : found.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD);
    }

    private List<Transaction> used(Bson range, UUID key) {
        return transactions
                .find(and(
                        range,
                        eq(TransactionFields.HISTORY + "." + TransactionFields.BY, TransactionCodec.binary(key))))
                .hint(INDEX)
                .sort(ORDER)
                .limit(Slice.ITEMS_MAX + 1)
                .maxTime(READ_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .into(new ArrayList<>());
    }

    private List<EndpointChange> changes(UUID key, @Nullable UUID after) {
        Criteria ofKey = where("key").is(key);
        return mongo.find(
                Query.query(after == null ? ofKey : ofKey.and("_id").lt(after))
                        .with(Sort.by(Sort.Direction.DESC, "_id"))
                        .limit(Slice.ITEMS_MAX + 1),
                EndpointChange.class,
                CollectionNames.ENDPOINT_CHANGES);
    }

    /** Down to the highest place below which one of both lists may lack something. */
    private static Slice<KeyUse> page(
            UUID key, List<Transaction> used, List<EndpointChange> changed, @Nullable UUID lowest) {
        List<UUID> ends = new ArrayList<>();
        if (used.size() > Slice.ITEMS_MAX) {
            ends.add(used.get(Slice.ITEMS_MAX - 1).id().value());
        } else if (lowest != null) {
            ends.add(lowest);
        }
        if (changed.size() > Slice.ITEMS_MAX) {
            ends.add(changed.get(Slice.ITEMS_MAX - 1).id());
        }
        UUID end = ends.stream().max(Comparator.comparing(TransactionId::new)).orElse(null);
        List<KeyUse> uses = Stream.concat(
                        used.stream().flatMap(transaction -> KeyUse.of(transaction, key).stream()),
                        changed.stream().map(KeyUse::of))
                .filter(use -> end == null || new TransactionId(use.place()).compareTo(new TransactionId(end)) >= 0)
                .sorted(NEWEST_FIRST)
                .toList();
        return new Slice<>(uses, end == null ? null : end.toString());
    }
}
