package dev.ligeiro.processor.apply;

import com.mongodb.reactivestreams.client.MongoDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;

/** The stores of a database, for tests of other packages. */
public final class BatchStores {

    private BatchStores() {}

    public static TransactionBatchStore transactions(MongoDatabase database) {
        return new TransactionBatchStore(database);
    }

    public static BucketVersionStore versions(MongoDatabase database, Clock clock) {
        return new BucketVersionStore(database, clock);
    }

    public static UnmatchedPaymentStore unmatched(MongoDatabase database) {
        return new UnmatchedPaymentStore(database, new SimpleMeterRegistry());
    }
}
