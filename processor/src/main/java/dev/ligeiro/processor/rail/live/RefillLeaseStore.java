package dev.ligeiro.processor.rail.live;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the refill of payload locations, held by one processor at a time. */
@Component
class RefillLeaseStore extends LeaseStore {

    RefillLeaseStore(MongoDatabase database) {
        super(database, "locations");
    }
}
