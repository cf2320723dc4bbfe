package dev.ligeiro.processor.apply;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Replaces the versions of the time buckets whose transactions have changed their status, so that gateways no longer use the counts that
 * they have cached of them. {@link BucketVersionFields} says why that keeps counts exact.
 *
 * <p>A day of which no gateway has cached counts has no versions; then the update changes nothing and costs one look-up by {@code _id}. So it
 * is paid for by merchants whose lists are read by status.
 */
@Component
public class BucketVersionStore {

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

    private final MongoCollection<BsonDocument> versions;
    private final Clock clock;

    BucketVersionStore(MongoDatabase database, Clock clock) {
        this.versions = database.getCollection(CollectionNames.BUCKET_VERSIONS, BsonDocument.class);
        this.clock = clock;
    }

    /**
     * Replaces the versions for all changes that these events announce. Call it when the changes are durable and before the commands'
     * offsets are committed. A change is announced again when its command is redelivered, so a crash in between loses no version.
     *
     * @return fails with a {@link TransientFault} if the batch must be retried
     */
    public Mono<Void> replace(List<TransactionEvent> events) {
        Map<BsonDocument, List<TransactionId>> days = events.stream()
                .filter(event -> event.previousStatus() != null)
                .map(TransactionEvent::transaction)
                .collect(Collectors.groupingBy(
                        changed -> BucketVersionFields.id(changed.tenant(), BucketVersionFields.epochDay(changed.id())),
                        Collectors.mapping(changed -> changed.id(), Collectors.toList())));
        if (days.isEmpty()) {
            return Mono.empty();
        }
        List<UpdateOneModel<BsonDocument>> updates = days.entrySet().stream()
                .map(day -> new UpdateOneModel<BsonDocument>(
                        Filters.eq(BucketVersionFields.ID, day.getKey()), newVersions(day.getValue())))
                .toList();
        return Mono.defer(() -> Mono.from(versions.bulkWrite(updates, UNORDERED)))
                // never a dead letter: the change is made, only cached counts do not know of it yet
                .onErrorMap(fault ->
                        new TransientFault("mongodb: " + fault.getClass().getSimpleName(), fault))
                .then();
    }

    private BsonDocument newVersions(Collection<TransactionId> changed) {
        BsonInt64 version = new BsonInt64(ThreadLocalRandom.current().nextLong());
        BsonDocument fields = new BsonDocument(BucketVersionFields.VERSION, version)
                .append(BucketVersionFields.AT, new BsonDateTime(clock.millis()));
        for (TransactionId transaction : changed) {
            fields.put(BucketVersionFields.minuteOf(transaction), version);
        }
        return new BsonDocument("$set", fields);
    }
}
