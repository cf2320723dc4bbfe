package dev.ligeiro.gateway.publish.republish;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the sweeper, held by one gateway at a time. */
@Component
class SweeperLeaseStore extends LeaseStore {

    SweeperLeaseStore(MongoDatabase database) {
        super(database, "republish");
    }
}
