package dev.ligeiro.processor.apply;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.BucketVersionFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.TransientFault;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
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
 * Replaces the versions of the time buckets whose transactions have changed their status, may have been inserted late, or have lost their
 * personal data, so that gateways no longer use the counts that they have cached of them. {@link BucketVersionFields} says why that keeps counts exact.
 *
 * <p>A day of which no gateway has cached counts by status has no versions; then the update changes nothing and costs one look-up by
 * {@code _id}. So it is paid for by merchants whose lists are read by status.
 *
 * <p>An insert may be late if Kafka got the first command later than {@link BucketVersionFields#INSERT_MAX} after the creation, because a
 * command is sent once its insert is acknowledged. A processor's own lag does not count. Commands that a gateway sends again do: they
 * are few.
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
     * Replaces the versions for all changes and late inserts that these events announce. Call it when they are durable and before the commands'
     * offsets are committed. A change is announced again when its command is redelivered, so a crash in between loses no version.
     *
     * @param origins of the commands that caused the events
     * @return fails with a {@link TransientFault} if the batch must be retried
     */
    public Mono<Void> replace(List<TransactionEvent> events, Origins origins) {
        Map<BsonDocument, List<TransactionEvent>> days = events.stream()
                .filter(event -> event.previousStatus() != null || isLate(event, origins))
                .collect(Collectors.groupingBy(event -> BucketVersionFields.id(
                        event.transaction().tenant(),
                        BucketVersionFields.epochDay(event.transaction().id()))));
        if (days.isEmpty()) {
            return Mono.empty();
        }
        return write(days.entrySet().stream()
                .map(day -> update(
                        day.getKey(),
                        day.getValue().stream()
                                .map(event -> event.transaction().id())
                                .toList(),
                        day.getValue().stream()
                                .filter(event -> isLate(event, origins))
                                .map(event -> event.transaction().id())
                                .toList()))
                .toList());
    }

    /**
     * Replaces the versions for these transactions of a tenant, those for filters without a status too. Call it when what has removed their
     * search tokens is durable.
     *
     * @return fails with a {@link TransientFault}; it must be repeated then
     */
    public Mono<Void> replace(Tenant tenant, List<TransactionId> redacted) {
        return redacted.isEmpty()
                ? Mono.empty()
                : write(redacted.stream()
                        .collect(Collectors.groupingBy(
                                id -> BucketVersionFields.id(tenant, BucketVersionFields.epochDay(id))))
                        .entrySet()
                        .stream()
                        .map(day -> update(day.getKey(), day.getValue(), day.getValue()))
                        .toList());
    }

    private Mono<Void> write(List<UpdateOneModel<BsonDocument>> updates) {
        return Mono.defer(() -> Mono.from(versions.bulkWrite(updates, UNORDERED)))
                // never a dead letter: the change is made, only cached counts do not know of it yet
                .onErrorMap(fault ->
                        new TransientFault("mongodb: " + fault.getClass().getSimpleName(), fault))
                .then();
    }

    private static boolean isLate(TransactionEvent event, Origins origins) {
        TransactionId id = event.transaction().id();
        return event.previousStatus() == null
                && origins.appendedAt(id).isAfter(id.createdAt().plus(BucketVersionFields.INSERT_MAX));
    }

    /** @param unfiltered those whose filters without a status need new versions too */
    private UpdateOneModel<BsonDocument> update(
            BsonDocument day, List<TransactionId> changed, List<TransactionId> unfiltered) {
        BsonInt64 version = random();
        BsonDocument fields = new BsonDocument(BucketVersionFields.VERSION, version)
                .append(BucketVersionFields.AT, new BsonDateTime(clock.millis()));
        changed.forEach(id -> fields.put(BucketVersionFields.minute(BucketVersionFields.minuteOfDay(id)), version));
        unfiltered.forEach(id -> {
            fields.put(BucketVersionFields.INSERTS, version);
            fields.put(BucketVersionFields.insertsOfMinute(BucketVersionFields.minuteOfDay(id)), version);
        });
        boolean makes = !unfiltered.isEmpty();
        BsonDocument change = new BsonDocument("$set", fields);
        if (makes) {
            change.append("$setOnInsert", new BsonDocument(BucketVersionFields.FIRST, random()));
        }
        return new UpdateOneModel<>(Filters.eq(BucketVersionFields.ID, day), change, new UpdateOptions().upsert(makes));
    }

    private static BsonInt64 random() {
        return new BsonInt64(ThreadLocalRandom.current().nextLong());
    }
}
