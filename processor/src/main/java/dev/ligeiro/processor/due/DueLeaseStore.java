package dev.ligeiro.processor.due;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the due work, held by one processor at a time. */
@Component
class DueLeaseStore extends LeaseStore {

    DueLeaseStore(MongoDatabase database) {
        super(database, "due");
    }
}
