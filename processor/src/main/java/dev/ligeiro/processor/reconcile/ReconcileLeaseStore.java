package dev.ligeiro.processor.reconcile;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the reconciliation, held by one processor at a time. */
@Component
class ReconcileLeaseStore extends LeaseStore {

    ReconcileLeaseStore(MongoDatabase database) {
        super(database, "reconcile-lease");
    }
}
