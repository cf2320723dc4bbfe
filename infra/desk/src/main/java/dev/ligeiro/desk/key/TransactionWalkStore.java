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
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.UuidRepresentation;
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

    private static final Duration TIME_MAX = Duration.ofSeconds(5);
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
     * The matching transactions of a page, the newest first. It can have fewer than others, or none, and a next page all the same.
     *
     * @param end the place down to which the page is complete; null if nothing is left
     */
    record Page(List<Transaction> found, @Nullable UUID end) {}

    /** @param after the place that they come after; null for the first ones */
    Page newest(Tenant tenant, Bson matching, @Nullable UUID after) {
        Bson ofTenant = eq(TransactionFields.TENANT, tenant.key());
        Bson below = after == null ? ofTenant : and(ofTenant, lt(TransactionFields.ID, TransactionCodec.binary(after)));
        UUID lowest = lowest(below);
        Bson range = lowest == null ? below : and(below, gte(TransactionFields.ID, TransactionCodec.binary(lowest)));
        List<Transaction> found = transactions
                .find(and(range, matching))
                .hint(INDEX)
                .sort(ORDER)
                .limit(Slice.ITEMS_MAX + 1)
                .maxTime(TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .into(new ArrayList<>());
        return found.size() > Slice.ITEMS_MAX
                ? new Page(
                        found.subList(0, Slice.ITEMS_MAX),
                        found.get(Slice.ITEMS_MAX - 1).id().value())
                : new Page(found, lowest);
    }

    /** The oldest transaction that a page reads; null if all that are left fit. */
    private @Nullable UUID lowest(Bson below) {
        BsonDocument found = ids.find(below)
                .hint(INDEX)
                .sort(ORDER)
                .projection(Projections.include(TransactionFields.ID))
                .skip(readMax - 1)
                .limit(1)
                .maxTime(TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .first();
        return found == null ? null : found.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD);
    }
}
