package dev.ligeiro.gateway.operator.records;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;

import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RebuildFields;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The latest rebuild of the books, which a processor does. */
@Component
class RebuildRequestStore {

    private final MongoCollection<Document> leases;

    RebuildRequestStore(MongoDatabase database) {
        this.leases = database.getCollection(CollectionNames.LEASES);
    }

    /**
     * A rebuild, as operators see it.
     *
     * @param postingsAdded the postings that were missing so far
     * @param endedAt null while it runs
     */
    record Rebuild(Instant requestedAt, long batches, long postingsAdded, @Nullable Instant endedAt) {}

    /** Asks for a rebuild, unless one is running. */
    Mono<Void> request(Instant now) {
        Document request = new Document(RebuildFields.RUN, UUID.randomUUID().toString())
                .append(RebuildFields.REQUESTED_AT, Date.from(now))
                .append(RebuildFields.BATCHES, 0L)
                .append(RebuildFields.ADDED, 0L);
        return Mono.from(leases.replaceOne(
                        and(eq(RebuildFields.ID, RebuildFields.NAME), exists(RebuildFields.ENDED_AT)),
                        request,
                        new ReplaceOptions().upsert(true)))
                .then()
                .onErrorResume(WriteErrors::isDuplicateKey, running -> Mono.empty());
    }

    /** Empty if there was none. */
    Mono<Rebuild> latest() {
        return Mono.from(leases.find(eq(RebuildFields.ID, RebuildFields.NAME)))
                .map(found -> new Rebuild(
                        found.getDate(RebuildFields.REQUESTED_AT).toInstant(),
                        found.getLong(RebuildFields.BATCHES),
                        found.getLong(RebuildFields.ADDED),
                        found.getDate(RebuildFields.ENDED_AT) == null
                                ? null
                                : found.getDate(RebuildFields.ENDED_AT).toInstant()));
    }
}
