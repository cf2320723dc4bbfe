package dev.ligeiro.processor.books;

import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.support.mongo.LeaseStore;
import org.springframework.stereotype.Component;

/** The lease of the rebuild of the books, held by one processor at a time. */
@Component
class RebuildLeaseStore extends LeaseStore {

    RebuildLeaseStore(MongoDatabase database) {
        super(database, "books-rebuild-lease");
    }
}
