package dev.ligeiro.infra.loadtest.list.fill;

import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import java.time.Duration;
import org.bson.Document;
import org.bson.conversions.Bson;
import reactor.core.publisher.Mono;

/**
 * The index of search tokens. A large fill drops it and builds it again: its seven keys of each transaction lie everywhere in it, so that
 * millions of inserts would write most of it to the disk at every checkpoint. Without it the gateway cannot search.
 */
final class SearchIndex {

    private static final Bson KEYS =
            Indexes.ascending(TransactionFields.TENANT, TransactionFields.SEARCH, TransactionFields.ID);
    private static final Duration BUILD_MAX = Duration.ofMinutes(30);

    private final MongoCollection<Document> transactions;

    SearchIndex(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
    }

    void drop() {
        Mono.from(transactions.dropIndex(KEYS)).block(BUILD_MAX);
    }

    void build() {
        Mono.from(transactions.createIndex(KEYS)).block(BUILD_MAX);
    }
}
