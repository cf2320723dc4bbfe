package dev.ligeiro.gateway.api.list.count;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.gateway.store.WriteErrors;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.conversions.Bson;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Keeps the counts of filters, one document for each filter and day. A lost document costs a recount, so writes do not wait for a
 * majority.
 */
class KeptCountStore {

    private static final String ID = "_id";
    private static final String USED_AT = CollectionSetup.LIST_COUNTS_USED_AT;

    /** The time of use of a document that is read is written again when it is older. MongoDB removes unused documents after 30 days. */
    private static final Duration USE_AGE_MAX = Duration.ofDays(1);

    private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> counts;
    private final MongoCollection<WholeDay> days;
    private final Clock clock;

    KeptCountStore(MongoDatabase database, Clock clock) {
        this.database = database;
        this.counts = database.getCollection(CollectionSetup.LIST_COUNTS, BsonDocument.class)
                .withWriteConcern(WriteConcern.W1);
        this.days = counts.withDocumentClass(WholeDay.class).withCodecRegistry(WholeDayCodec.REGISTRY);
        this.clock = clock;
    }

    /** The kept counts of whole days, from the first to the last day. One range of the index on {@code _id}. */
    Mono<Map<Slice, KeptCount>> wholeDays(Filter filter, long firstDay, long lastDay) {
        Bson range = and(gte(ID, KeptDayBson.id(filter, firstDay)), lte(ID, KeptDayBson.id(filter, lastDay)));
        return Flux.from(days.find(range)
                        .projection(include(KeptDayBson.VERSION, KeptDayBson.COUNT, KeptDayBson.SPLIT, USED_AT)))
                .collectList()
                .doOnNext(found -> writeUse(range, found))
                .map(KeptCountStore::wholeDays);
    }

    /** All kept counts of these days. */
    Mono<Map<Slice, KeptCount>> slices(Filter filter, Collection<Long> days) {
        List<BsonDocument> ids =
                days.stream().map(day -> KeptDayBson.id(filter, day)).toList();
        return Flux.from(counts.find(in(ID, ids))).collectList().map(KeptCountStore::counts);
    }

    /** @param newCounts of slices of one day, at least one */
    Mono<Void> keep(Filter filter, Map<Slice, KeptCount> newCounts) {
        long day = newCounts.keySet().iterator().next().epochDay();
        BsonDocument fields = new BsonDocument(USED_AT, new BsonDateTime(clock.millis()));
        newCounts.forEach((slice, kept) -> KeptDayBson.put(fields, slice, kept));
        return Mono.from(counts.updateOne(
                        new BsonDocument(ID, KeptDayBson.id(filter, day)),
                        new BsonDocument("$set", fields),
                        new UpdateOptions().upsert(true)))
                // two gateways insert the document at the same time
                .retryWhen(Retry.max(1).filter(WriteErrors::isDuplicateKey))
                .then();
    }

    Mono<Primary> primary() {
        return Mono.from(database.runCommand(HELLO, BsonDocument.class)).map(Primary::of);
    }

    private static Map<Slice, KeptCount> wholeDays(List<WholeDay> found) {
        Map<Slice, KeptCount> all = new HashMap<>();
        for (WholeDay day : found) {
            if (day.version() != null) {
                all.put(Slice.day(day.epochDay()), new KeptCount(day.version(), day.count(), day.split()));
            }
        }
        return all;
    }

    private static Map<Slice, KeptCount> counts(List<BsonDocument> documents) {
        Map<Slice, KeptCount> all = new HashMap<>();
        documents.forEach(document -> all.putAll(KeptDayBson.counts(document)));
        return all;
    }

    /** No request waits for it. When it fails, one of the next requests writes the time. */
    private void writeUse(Bson range, List<WholeDay> found) {
        Instant now = clock.instant();
        Instant old = now.minus(USE_AGE_MAX);
        if (found.stream().anyMatch(day -> day.usedAt() < old.toEpochMilli())) {
            Mono.from(counts.updateMany(and(range, lt(USED_AT, old)), set(USED_AT, now)))
                    .onErrorComplete()
                    .subscribe();
        }
    }
}
