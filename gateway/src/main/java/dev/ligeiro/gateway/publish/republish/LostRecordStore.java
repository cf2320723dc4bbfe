package dev.ligeiro.gateway.publish.republish;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
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
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
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
    private static final String TOPIC_ID = "topicId";
    private static final String STARTS = "starts";
    private static final String ENDS = "ends";
    private static final String PASSED_AT = "passedAt";
    private static final String CHECKPOINT = "checkpoint";
    private static final String CHECKPOINT_AT = "checkpointAt";

    /** Transactions that were created this long after the loss was noticed are not searched. */
    private static final Duration NEWER = Duration.ofMinutes(1);

    private static final Bson BY_ID = Indexes.ascending(ID);

    private final MongoCollection<Document> leases;
    private final MongoCollection<Document> transactions;

    LostRecordStore(MongoDatabase database) {
        this.leases = database.getCollection(CollectionNames.LEASES);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS);
    }

    Mono<SeenLog> seen(String topic, String group) {
        return Mono.from(leases.find(eq(ID, id(topic, group)))).map(LostRecordStore::seen);
    }

    Mono<Void> put(String topic, String group, SeenLog log) {
        Document document = new Document(ID, id(topic, group))
                .append(TOPIC_ID, log.topicId())
                .append(STARTS, stored(log.starts()))
                .append(ENDS, stored(log.ends()))
                .append(PASSED_AT, Date.from(log.passedAt()))
                .append(CHECKPOINT, stored(log.checkpoint()))
                .append(CHECKPOINT_AT, Date.from(log.checkpointAt()));
        return Mono.from(leases.replaceOne(eq(ID, id(topic, group)), document, new ReplaceOptions().upsert(true)))
                .then();
    }

    /**
     * A search that is not over.
     *
     * @param since changes from this time on are announced again
     * @param below the transactions from this id on have been searched
     */
    record Search(Instant since, Instant noticedAt, UUID below) {}

    Mono<Search> search() {
        return Mono.from(leases.find(eq(ID, LOST))).map(LostRecordStore::search);
    }

    /** Begins the search anew, from the earlier time if one is not over. */
    Mono<Void> begin(Instant since, Instant noticedAt) {
        return Mono.from(leases.findOneAndUpdate(
                        eq(ID, LOST),
                        Updates.combine(
                                Updates.min(SINCE, Date.from(since)),
                                Updates.set(NOTICED_AT, Date.from(noticedAt)),
                                Updates.unset(BELOW)),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)))
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
        Bson older = lt(ID, search.below());
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
        Bson same =
                and(eq(ID, LOST), eq(SINCE, Date.from(search.since())), eq(NOTICED_AT, Date.from(search.noticedAt())));
        return below == null
                ? Mono.from(leases.deleteOne(same)).then()
                : Mono.from(leases.updateOne(same, Updates.set(BELOW, below))).then();
    }

    private static Search search(Document found) {
        Instant noticedAt = found.getDate(NOTICED_AT).toInstant();
        UUID below = found.get(BELOW, UUID.class);
        return new Search(
                found.getDate(SINCE).toInstant(),
                noticedAt,
                below == null ? UuidV7.lowest(noticedAt.plus(NEWER).toEpochMilli()) : below);
    }

    private static SeenLog seen(Document found) {
        return new SeenLog(
                found.getString(TOPIC_ID),
                offsets(found, STARTS),
                offsets(found, ENDS),
                found.getDate(PASSED_AT).toInstant(),
                offsets(found, CHECKPOINT),
                found.getDate(CHECKPOINT_AT).toInstant());
    }

    private static Document stored(Map<Integer, Long> offsets) {
        Document stored = new Document();
        offsets.forEach((partition, offset) -> stored.append(partition.toString(), offset));
        return stored;
    }

    private static Map<Integer, Long> offsets(Document found, String field) {
        return found.get(field, Document.class).entrySet().stream()
                .collect(Collectors.toMap(each -> Integer.valueOf(each.getKey()), each -> (Long) each.getValue()));
    }

    private static String id(String topic, String group) {
        return PREFIX + topic + "/" + group;
    }
}
