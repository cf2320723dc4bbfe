package dev.ligeiro.dispatcher;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.Document;
import org.bson.codecs.EncoderContext;

/** The transactions in an environment's database, which the gateway and the processor write. */
public final class TestTransactions {

    private final MongoDatabase database;

    TestTransactions(MongoDatabase database) {
        this.database = database;
    }

    /** Stores {@code transaction}, as the gateway and the processor do. */
    public void store(Transaction transaction) {
        BsonDocument document = new BsonDocument();
        new TransactionCodec()
                .encode(
                        new BsonDocumentWriter(document),
                        transaction,
                        EncoderContext.builder().build());
        TestEnvironment.run(database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                .insertOne(document));
    }

    /** Gives the stored transaction an operation that only a newer version knows. */
    public void makeUnreadable(Transaction transaction) {
        TestEnvironment.run(database.getCollection(CollectionNames.TRANSACTIONS)
                .updateOne(
                        new Document("_id", transaction.id().value()),
                        new Document("$set", new Document(TransactionFields.OPERATION, "melted"))));
    }
}
