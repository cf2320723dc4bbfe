package dev.ligeiro.processor.archive;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.ArchivedCount;
import dev.ligeiro.store.CollectionNames;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The counts that MongoDB keeps of archived transactions: see {@link ArchivedCount}. */
@Component
class CountStore {

    private static final int DUPLICATE_KEY = 11_000;
    /** Of one write. */
    private static final int DOCUMENTS = 1_000;

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoCollection<BsonDocument> counts;

    CountStore(MongoDatabase database) {
        this.counts = database.getCollection(CollectionNames.ARCHIVED_COUNTS, BsonDocument.class);
    }

    /**
     * Adds the transactions of a file. Repeated for the same file, it adds nothing.
     *
     * @param added by the id of a document: what to add to its numbers, by the names of their fields
     */
    Mono<Void> add(ArchivedPart part, Map<BsonDocument, Map<String, Long>> added) {
        return Flux.fromIterable(added.entrySet())
                .map(one -> {
                    List<Bson> changes = new ArrayList<>();
                    one.getValue().forEach((field, number) -> changes.add(inc(field, number)));
                    changes.add(set(ArchivedCount.PART, part.number()));
                    return new UpdateOneModel<BsonDocument>(
                            and(eq(ArchivedCount.ID, one.getKey()), lt(ArchivedCount.PART, part.number())),
                            combine(changes),
                            UPSERT);
                })
                .buffer(DOCUMENTS)
                .concatMap(this::write)
                .then();
    }

    private Mono<Void> write(List<UpdateOneModel<BsonDocument>> updates) {
        return Mono.from(counts.bulkWrite(updates, UNORDERED))
                .then()
                // a document has this file already, so the upsert has tried to insert a second one
                .onErrorResume(
                        MongoBulkWriteException.class,
                        failure -> failure.getWriteConcernError() == null
                                        && failure.getWriteErrors().stream()
                                                .allMatch(error -> error.getCode() == DUPLICATE_KEY)
                                ? Mono.empty()
                                : Mono.error(failure));
    }

    /** Removes the counts of a month. */
    Mono<Void> remove(YearMonth month) {
        return Mono.from(counts.deleteMany(
                        and(gte(ArchivedCount.ID, from(month)), lt(ArchivedCount.ID, from(month.plusMonths(1))))))
                .then();
    }

    private static BsonDocument from(YearMonth month) {
        return new BsonDocument("m", new BsonString(month.toString()));
    }
}
