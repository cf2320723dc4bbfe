package dev.ligeiro.dispatcher.lane;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the sweep, held by one dispatcher at a time. */
@Component
class SweepLeaseStore extends LeaseStore {

    SweepLeaseStore(MongoDatabase database) {
        super(database, "lanes");
    }
}
