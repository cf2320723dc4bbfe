package dev.ligeiro.gateway.api.list.count;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Updates.set;
import static dev.ligeiro.store.SliceVersionFields.AT;
import static dev.ligeiro.store.SliceVersionFields.DAY;
import static dev.ligeiro.store.SliceVersionFields.FIRST;
import static dev.ligeiro.store.SliceVersionFields.ID;
import static dev.ligeiro.store.SliceVersionFields.VERSION;
import static dev.ligeiro.store.SliceVersionFields.id;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SliceVersionFields;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the versions of slices, which processors replace, and creates those of days without any. A read sees what a majority has: no
 * failover takes it back, and a count that follows it sees every change before it.
 */
class SliceVersionStore {

    /**
     * Versions that are read are renewed when they are older. MongoDB removes them after 180 days and unused kept counts after 30, so
     * versions are there for as long as the counts that were kept with them.
     */
    private static final Duration AGE_MAX = Duration.ofDays(30);

    private final MongoCollection<BsonDocument> versions;
    private final MongoCollection<WholeDay> wholeDays;
    private final Clock clock;

    SliceVersionStore(MongoDatabase database, Clock clock) {
        this.versions = database.getCollection(CollectionNames.SLICE_VERSIONS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.wholeDays = versions.withDocumentClass(WholeDay.class).withCodecRegistry(WholeDayCodec.REGISTRY);
        this.clock = clock;
    }

    /** The versions of whole days, from the first to the last day. One range of the index on {@code _id}. */
    Mono<Versions> wholeDays(Tenant tenant, long firstDay, long lastDay) {
        Bson range = and(gte(ID, id(tenant, firstDay)), lte(ID, id(tenant, lastDay)));
        return Flux.from(wholeDays.find(range).projection(include(VERSION, AT)))
                .collectMap(day -> Slice.day(day.epochDay()))
                .doOnNext(found -> renew(range, found.values()))
                .map(WholeDayVersions::new);
    }

    /** The versions of these days and of all their hours and minutes. */
    Mono<Versions> slices(Tenant tenant, Collection<Long> days) {
        List<BsonDocument> ids = days.stream().map(day -> id(tenant, day)).toList();
        return Flux.from(versions.find(in(ID, ids)))
                .collectMap(day -> (long) day.getDocument(ID).getInt32(DAY).getValue())
                .map(StoredVersions::new);
    }

    /** Gives versions to those of these days that have none. From then on, processors replace them. */
    Mono<Void> create(Tenant tenant, Collection<Long> days) {
        return days.isEmpty()
                ? Mono.empty()
                : Mono.from(versions.insertMany(
                                days.stream().map(day -> created(tenant, day)).toList(),
                                new InsertManyOptions().ordered(false)))
                        // another gateway has created some of them at the same time
                        .onErrorComplete(WriteErrors::areOnlyDuplicateKeys)
                        .then();
    }

    /** No request waits for it. When it fails, one of the next requests does it. */
    private void renew(Bson range, Collection<WholeDay> found) {
        Instant now = clock.instant();
        Instant old = now.minus(AGE_MAX);
        if (found.stream().anyMatch(day -> day.usedAt() < old.toEpochMilli())) {
            Mono.from(versions.updateMany(and(range, lt(AT, old)), set(AT, now)))
                    .onErrorComplete()
                    .subscribe();
        }
    }

    private BsonDocument created(Tenant tenant, long day) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new BsonDocument(ID, id(tenant, day))
                .append(FIRST, new BsonInt64(random.nextLong()))
                .append(VERSION, new BsonInt64(random.nextLong()))
                .append(AT, new BsonDateTime(clock.millis()));
    }

    private record WholeDayVersions(Map<Slice, WholeDay> days) implements Versions {

        @Override
        public @Nullable Long of(Slice slice) {
            WholeDay day = days.get(slice);
            return day == null ? null : day.version();
        }
    }

    private record StoredVersions(Map<Long, BsonDocument> days) implements Versions {

        @Override
        public @Nullable Long of(Slice slice) {
            BsonDocument day = days.get(slice.epochDay());
            if (day == null) {
                return null;
            }
            return switch (slice.unit()) {
                case DAY -> day.getInt64(VERSION).getValue();
                case HOUR -> part(day, SliceVersionFields.hour(slice.numberInDay()));
                case MINUTE -> part(day, SliceVersionFields.minute(slice.numberInDay()));
            };
        }

        private static long part(BsonDocument day, String field) {
            return day.getInt64(field, day.getInt64(FIRST)).getValue();
        }
    }
}
