package dev.ligeiro.dispatcher;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import org.bson.BsonDocument;
import org.bson.Document;

/** The transactions in an environment's database, which the gateway and the processor write. */
public final class TestTransactions {

    private final MongoDatabase database;

    TestTransactions(MongoDatabase database) {
        this.database = database;
    }

    /** A paid cashin of {@code tenant}. */
    public static Transaction paid(Tenant tenant) {
        return Transactions.like(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(15075)))
                .tenant(tenant)
                .accepted(true)
                .build()
                .moveTo(Status.PAID, Instant.now(), Source.RAIL);
    }

    /** A transaction of {@code tenant} with as many refunds and as long texts as possible. */
    public static Transaction largest(Tenant tenant) {
        Transaction largest = Transactions.largest(Instant.now().minusSeconds(300));
        return Transactions.like(largest)
                .createdAs(TransactionId.at(Instant.now()))
                .history(largest.history())
                .tenant(tenant)
                .build();
    }

    /** Stores {@code transaction}, as the gateway and the processor do. */
    public void store(Transaction transaction) {
        TestEnvironment.run(database.getCollection(CollectionNames.TRANSACTIONS, BsonDocument.class)
                .insertOne(StoredValues.document(new TransactionCodec(), transaction)));
    }

    /** Gives the stored transaction an operation that only a newer version knows. */
    public void makeUnreadable(TransactionId transaction) {
        TestEnvironment.run(database.getCollection(CollectionNames.TRANSACTIONS)
                .updateOne(
                        new Document("_id", transaction.value()),
                        new Document("$set", new Document(TransactionFields.OPERATION, "melted"))));
    }
}
