package dev.ligeiro.desk.record;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import dev.ligeiro.desk.record.RebuildController.Rebuild;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RebuildFields;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;
import org.bson.Document;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.stereotype.Component;

/** The latest rebuild of the books. */
@Component
class RebuildStore {

    private final MongoCollection<Document> leases;

    RebuildStore(MongoDatabaseFactory mongo) {
        this.leases = mongo.getMongoDatabase().getCollection(CollectionNames.LEASES);
    }

    /** Asks for a rebuild, unless one is running. */
    void request(Instant now) {
        Document request = new Document(RebuildFields.RUN, UUID.randomUUID().toString())
                .append(RebuildFields.REQUESTED_AT, Date.from(now))
                .append(RebuildFields.BATCHES, 0L)
                .append(RebuildFields.ADDED, 0L);
        try {
            leases.replaceOne(
                    and(eq(RebuildFields.ID, RebuildFields.NAME), exists(RebuildFields.ENDED_AT)),
                    request,
                    new ReplaceOptions().upsert(true));
        } catch (MongoWriteException failure) {
            // the insert of a running one
            if (failure.getError().getCategory() != ErrorCategory.DUPLICATE_KEY) {
                throw failure;
            }
        }
    }

    Optional<Rebuild> latest() {
        return Optional.ofNullable(
                        leases.find(eq(RebuildFields.ID, RebuildFields.NAME)).first())
                .map(found -> new Rebuild(
                        found.getDate(RebuildFields.REQUESTED_AT).toInstant(),
                        found.getLong(RebuildFields.BATCHES),
                        found.getLong(RebuildFields.ADDED),
                        found.getDate(RebuildFields.ENDED_AT) == null
                                ? null
                                : found.getDate(RebuildFields.ENDED_AT).toInstant()));
    }
}
