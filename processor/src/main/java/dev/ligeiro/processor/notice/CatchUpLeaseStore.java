package dev.ligeiro.processor.notice;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the catch-up, held by one processor at a time. */
@Component
class CatchUpLeaseStore extends LeaseStore {

    CatchUpLeaseStore(MongoDatabase database) {
        super(database, "notices");
    }
}
