package dev.ligeiro.gateway.republish;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.lease.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the sweeper, held by one gateway at a time, and its progress. */
@Component
class ProgressStore extends LeaseStore<Progress> {

    ProgressStore(MongoDatabase database) {
        super(database, "republish", ProgressBson::read, ProgressBson::write);
    }
}
