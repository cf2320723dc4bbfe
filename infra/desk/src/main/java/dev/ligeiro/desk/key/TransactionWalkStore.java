package dev.ligeiro.desk.key;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;

/**
 * Finds transactions of a tenant for which no index exists, since it would cost each create: reads them from the newest backwards, so many at a
 * time, and says how far it came.
 */
@Component
class TransactionWalkStore {

    /** They take mongod about 0.1 s when they are in its cache. */
    private static final int READ_MAX = 20_000;

    private static final long READ_SECONDS_MAX = 5;
    private static final Bson ORDER = Sorts.descending(TransactionFields.TENANT, TransactionFields.ID);
    private static final Bson INDEX = Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID);

    private final MongoCollection<Transaction> transactions;
    private final MongoCollection<BsonDocument> ids;
    private final int readMax;

    @Autowired
    TransactionWalkStore(MongoTemplate mongo) {
        this(mongo, READ_MAX);
    }

    TransactionWalkStore(MongoTemplate mongo, int readMax) {
        MongoDatabase database = mongo.getDb().withReadPreference(ReadPreference.secondaryPreferred());
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()), database.getCodecRegistry()));
        this.ids = database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class);
        this.readMax = readMax;
    }

    /**
     * A page of the matching transactions, the newest first. It can have fewer than others, or none, and a next page all the same.
     *
     * @param after the place that they come after; null for the first ones
     */
    Slice<Transaction> newest(Tenant tenant, Bson matching, @Nullable UUID after) {
        Bson ofTenant = eq(TransactionFields.TENANT, tenant.key());
        Bson below = after == null ? ofTenant : and(ofTenant, lt(TransactionFields.ID, TransactionCodec.binary(after)));
        // the oldest one that the page reads; null if all that are left fit
        BsonDocument lowest = ids.find(below)
                .hint(INDEX)
                .sort(ORDER)
                .projection(Projections.include(TransactionFields.ID))
                .skip(readMax - 1)
                .limit(1)
                .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                .first();
        Bson range = lowest == null ? below : and(below, gte(TransactionFields.ID, lowest.get(TransactionFields.ID)));
        Slice<Transaction> found = Slice.of(
                transactions
                        .find(and(range, matching))
                        .hint(INDEX)
                        .sort(ORDER)
                        .limit(Slice.ITEMS_MAX + 1)
                        .maxTime(READ_SECONDS_MAX, TimeUnit.SECONDS)
                        .into(new ArrayList<>()),
                Transaction::id);
        return found.next() != null || lowest == null
                ? found
                : new Slice<>(
                        found.items(),
                        StoredValues.uuid(lowest, TransactionFields.ID).toString());
    }
}
