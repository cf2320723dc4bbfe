package dev.ligeiro.gateway.api.list.count;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Updates.set;
import static dev.ligeiro.store.BucketVersionFields.AT;
import static dev.ligeiro.store.BucketVersionFields.DAY;
import static dev.ligeiro.store.BucketVersionFields.ID;
import static dev.ligeiro.store.BucketVersionFields.INSERTS;
import static dev.ligeiro.store.BucketVersionFields.VERSION;
import static dev.ligeiro.store.BucketVersionFields.id;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.store.CausalSession;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.WriteErrors;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the versions of days, which processors replace, and creates those of days without any. A read sees what a majority has: no
 * failover takes it back, and a count that follows it sees every change before it.
 */
@Component
class DayVersionStore {

    /**
     * Versions that are read are renewed when they are older. MongoDB removes them after 180 days and unused cached counts after 30, so
     * versions are there for as long as the counts that were cached with them.
     */
    private static final Duration AGE_MAX = Duration.ofDays(30);

    private final MongoCollection<BsonDocument> versions;
    private final Clock clock;

    DayVersionStore(LongReads reads, Clock clock) {
        this.versions = reads.database()
                .getCollection(CollectionNames.BUCKET_VERSIONS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.clock = clock;
    }

    /** The versions of whole days that have one, from the first to the last day. One range of the index on {@code _id}. */
    Mono<Map<Long, Long>> ofDays(Filter filter, long firstDay, long lastDay) {
        String version = filter.hasStatus() ? VERSION : INSERTS;
        Bson range = and(gte(ID, id(filter.tenant(), firstDay)), lte(ID, id(filter.tenant(), lastDay)));
        return Flux.from(versions.find(range).projection(include(version, AT)))
                .collectList()
                .doOnNext(found -> renew(range, found))
                .flatMapIterable(found -> found)
                .filter(day -> day.containsKey(version))
                .collectMap(day -> (long) day.getDocument(ID).getInt32(DAY).getValue(), day -> day.getInt64(version)
                        .getValue());
    }

    /**
     * The versions of a day and of its minutes. If it has none, a filter with a status gets new ones, so that no count of it is valid or
     * becomes so.
     */
    Mono<DayVersions> read(CausalSession session, Filter filter, long day) {
        Mono<BsonDocument> stored = Mono.from(versions.find(session.session(), eq(ID, id(filter.tenant(), day)))
                .first());
        return filter.hasStatus()
                ? stored.map(DayVersions::new).defaultIfEmpty(DayVersions.random())
                : stored.defaultIfEmpty(new BsonDocument()).map(DayVersions::ofInserts);
    }

    /** Gives versions to the days that have none. From then on, processors replace them. */
    Mono<Void> create(Tenant tenant, Collection<Long> days) {
        List<BsonDocument> created = days.stream()
                .map(day -> DayVersions.random()
                        .stored()
                        .append(ID, id(tenant, day))
                        .append(AT, new BsonDateTime(clock.millis())))
                .toList();
        return created.isEmpty()
                ? Mono.empty()
                : Mono.from(versions.insertMany(created, new InsertManyOptions().ordered(false)))
                        // another gateway has created some of them at the same time
                        .onErrorComplete(WriteErrors::areOnlyDuplicateKeys)
                        .then();
    }

    /** No request waits for it. When it fails, one of the next requests does it. */
    private void renew(Bson range, List<BsonDocument> found) {
        Instant now = clock.instant();
        Instant old = now.minus(AGE_MAX);
        if (found.stream().anyMatch(day -> day.getDateTime(AT).getValue() < old.toEpochMilli())) {
            Mono.from(versions.updateMany(and(range, lt(AT, old)), set(AT, now)))
                    .onErrorComplete()
                    .subscribe();
        }
    }
}
