package dev.ligeiro.processor.resolve;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of carrying out the operators' decisions, held by one processor at a time. */
@Component
class ResolutionLeaseStore extends LeaseStore {

    ResolutionLeaseStore(MongoDatabase database) {
        super(database, "resolutions-lease");
    }
}
