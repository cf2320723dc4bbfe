package dev.ligeiro.gateway.publish;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.ReplaceOptions;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What was seen of Kafka's topics, in MongoDB, and the search for the changes whose events Kafka has lost. No index has the times of changes, so
 * the search reads all transactions by their ids, the newest first: 20 µs of MongoDB's CPU each. It is only made after a loss.
 */
@Component
class LostRecordStore {

    private static final String ID = "_id";
    private static final String PREFIX = "kafka/";
    private static final String LOST = PREFIX + "lost";
    private static final String SINCE = "since";
    private static final String NOTICED_AT = "noticedAt";
    private static final String BELOW = "below";
    /** Transactions that were created this long after the loss was noticed are not searched. */
    private static final Duration NEWER = Duration.ofMinutes(1);

    private static final Bson BY_ID = Indexes.ascending(ID);

    private final ReactiveMongoTemplate mongo;
    private final MongoCollection<Document> transactions;

    LostRecordStore(ReactiveMongoTemplate mongo, MongoDatabase database) {
        this.mongo = mongo;
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
    }

    Mono<SeenLog> seen(String topic, String group) {
        return mongo.findById(id(topic, group), SeenLog.class, CollectionNames.LEASES);
    }

    Mono<Void> put(String topic, String group, SeenLog log) {
        return mongo.replace(
                        query(where(ID).is(id(topic, group))),
                        log,
                        ReplaceOptions.replaceOptions().upsert(),
                        CollectionNames.LEASES)
                .then();
    }

    /**
     * A search that is not over.
     *
     * @param since changes from this time on are announced again
     * @param below the transactions from this id on have been searched; null before the first step
     */
    record Search(Instant since, Instant noticedAt, @Nullable UUID below) {

        private UUID start() {
            return below == null ? UuidV7.lowest(noticedAt.plus(NEWER).toEpochMilli()) : below;
        }
    }

    Mono<Search> search() {
        return mongo.findById(LOST, Search.class, CollectionNames.LEASES);
    }

    /** Begins the search anew, from the earlier time if one is not over. */
    Mono<Void> begin(Instant since, Instant noticedAt) {
        Update search =
                new Update().min(SINCE, since).set(NOTICED_AT, noticedAt).unset(BELOW);
        return mongo.upsert(query(where(ID).is(LOST)), search, CollectionNames.LEASES)
                .then();
    }

    /**
     * The next transactions of a search.
     *
     * @param changed those with a change since then
     * @param below null if there are no older ones
     */
    record Step(List<TransactionCommand.Announce> changed, @Nullable UUID below) {}

    /** Reads the next {@code max} transactions. */
    Mono<Step> step(Search search, int max) {
        Bson older = lt(ID, search.start());
        return Mono.from(find(older)
                        .sort(Sorts.descending(ID))
                        .projection(Projections.include(ID))
                        .skip(max - 1)
                        .limit(1))
                .map(last -> last.get(ID, UUID.class))
                .singleOptional()
                .flatMap(last -> {
                    UUID from = last.orElse(null);
                    Bson some = from == null ? older : and(older, gte(ID, from));
                    // an unaccepted one has no events, and its command is published again
                    return Flux.from(find(and(
                                            some,
                                            exists(TransactionFields.UNACCEPTED, false),
                                            gte(
                                                    TransactionFields.HISTORY + "." + TransactionFields.AT,
                                                    Date.from(search.since()))))
                                    .projection(Projections.include(ID, TransactionFields.TENANT)))
                            .map(found -> new TransactionCommand.Announce(
                                    new Tenant(found.getLong(TransactionFields.TENANT)),
                                    new TransactionId(found.get(ID, UUID.class)),
                                    search.since()))
                            .collectList()
                            .map(changed -> new Step(changed, from));
                });
    }

    private FindPublisher<Document> find(Bson condition) {
        return transactions.find(condition).hint(BY_ID).comment(AllShards.SWEEP);
    }

    /** Keeps the progress, unless another search has begun. */
    Mono<Void> advance(Search search, @Nullable UUID below) {
        Query same = query(
                where(ID).is(LOST).and(SINCE).is(search.since()).and(NOTICED_AT).is(search.noticedAt()));
        return below == null
                ? mongo.remove(same, CollectionNames.LEASES).then()
                : mongo.updateFirst(same, Update.update(BELOW, below), CollectionNames.LEASES)
                        .then();
    }

    private static String id(String topic, String group) {
        return PREFIX + topic + "/" + group;
    }
}
