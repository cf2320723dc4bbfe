package dev.ligeiro.processor.due;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.lease.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the due work, held by one processor at a time, and its progress. */
@Component
class DueLeaseStore extends LeaseStore<DueProgress> {

    DueLeaseStore(MongoDatabase database) {
        super(database, "due", DueProgressBson::read, DueProgressBson::write);
    }
}
