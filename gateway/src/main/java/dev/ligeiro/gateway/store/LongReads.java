package dev.ligeiro.gateway.store;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Transaction;
import org.bson.codecs.configuration.CodecRegistries;

/**
 * The database over a MongoDB client of its own, for lists, feeds and other reads that may take long. However many of them run, they
 * cannot take the connections that creates need.
 */
public final class LongReads {

    private final MongoClient client;
    private final MongoDatabase database;

    LongReads(MongoClient client, String database) {
        this.client = client;
        this.database = client.getDatabase(database);
    }

    public MongoDatabase database() {
        return database;
    }

    public MongoCollection<Transaction> transactions() {
        return MongoConfiguration.transactionsOf(database);
    }

    /** Transactions, of each of which only a part is kept. */
    public <T> MongoCollection<T> transactions(ReducingCodec<T> codec) {
        return database.getCollection(CollectionNames.TRANSACTIONS, codec.getEncoderClass())
                .withCodecRegistry(
                        CodecRegistries.fromRegistries(CodecRegistries.fromCodecs(codec), database.getCodecRegistry()));
    }

    MongoClient client() {
        return client;
    }
}
