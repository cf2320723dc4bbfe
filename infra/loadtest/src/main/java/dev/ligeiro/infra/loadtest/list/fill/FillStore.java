package dev.ligeiro.infra.loadtest.list.fill;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.StoredTransactions;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.bson.Document;
import org.bson.conversions.Bson;
import reactor.core.publisher.Mono;

/** Stores fills, and says in MongoDB which are complete, so that a home is filled once. */
public final class FillStore {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration BUILD_MAX = Duration.ofMinutes(30);
    private static final Bson SEARCH_INDEX =
            Indexes.ascending(TransactionFields.TENANT, TransactionFields.SEARCH, TransactionFields.ID);
    private static final String DONE = "done";

    private final StoredTransactions stored;
    private final MongoCollection<Document> transactions;
    private final MongoCollection<Document> markers;

    public FillStore(StoredTransactions stored) {
        this.stored = stored;
        this.transactions = stored.database().getCollection(CollectionNames.TRANSACTIONS);
        this.markers = stored.database().getCollection("loadtest_fills");
    }

    /**
     * An earlier fill.
     *
     * @throws CannotRunException when it was interrupted or has another size
     */
    Optional<Fill> find(String name, int days, long count) {
        return Mono.from(markers.find(Filters.eq(name)).first())
                .blockOptional(ANSWER_MAX)
                .map(marker -> fill(marker).requireSame(days, count));
    }

    /** @param progress is told how many are stored, often */
    void add(Fill fill, Transaction sample, LongConsumer progress) {
        Document marker = new Document("_id", fill.name())
                .append("merchant", fill.merchantId())
                .append("platform", fill.platform().toString())
                .append("tenant", fill.tenant().key())
                .append("from", fill.from().toString())
                .append("days", fill.days())
                .append("count", fill.count());
        Mono.from(markers.insertOne(marker)).block(ANSWER_MAX);
        stored.add(fill.history(sample)::get, fill.count(), progress);
        Mono.from(markers.updateOne(Filters.eq(fill.name()), Updates.set(DONE, true)))
                .block(ANSWER_MAX);
    }

    /**
     * Before a large fill. The index has seven keys of each transaction, which lie everywhere in it, so that millions of inserts would write
     * most of it to the disk at every checkpoint. Without it the gateway cannot search.
     */
    void dropSearchIndex() {
        Mono.from(transactions.dropIndex(SEARCH_INDEX)).block(BUILD_MAX);
    }

    void buildSearchIndex() {
        Mono.from(transactions.createIndex(SEARCH_INDEX)).block(BUILD_MAX);
    }

    private static Fill fill(Document marker) {
        if (!marker.getBoolean(DONE, false)) {
            throw new CannotRunException("the fill of this home was interrupted: use another home");
        }
        return new Fill(
                marker.getString("_id"),
                marker.getString("merchant"),
                UUID.fromString(marker.getString("platform")),
                new Tenant(marker.getLong("tenant")),
                Instant.parse(marker.getString("from")),
                marker.getInteger("days"),
                marker.getLong("count"));
    }
}
