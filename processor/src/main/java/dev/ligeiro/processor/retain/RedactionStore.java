package dev.ligeiro.processor.retain;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RedactionFields;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads transactions in the order of their creation and removes their personal data; remembers how far each tenant is. */
@Component
class RedactionStore {

    private static final Logger LOG = LoggerFactory.getLogger(RedactionStore.class);
    private static final TransactionCodec CODEC = new TransactionCodec();
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final Bson STATE = eq(RedactionFields.ID, RedactionFields.STATE);

    private final MongoCollection<RawBsonDocument> transactions;
    private final MongoCollection<Document> merchants;
    private final MongoCollection<BsonDocument> leases;

    RedactionStore(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.merchants = database.getCollection(CollectionNames.MERCHANTS);
        this.leases = database.getCollection(CollectionNames.LEASES, BsonDocument.class);
    }

    /**
     * A stored transaction.
     *
     * @param transaction null for a damaged document
     * @param tokens its search tokens as they are stored
     */
    record Found(TransactionId id, Tenant tenant, @Nullable Transaction transaction, List<Long> tokens) {}

    /** A merchant's number and its own days of retention; null for the installation's. */
    record Retained(long number, @Nullable Integer days) {

        Flux<Tenant> tenants() {
            return Flux.fromArray(Mode.values()).map(mode -> Tenant.of(number, mode));
        }
    }

    Flux<Retained> merchants() {
        return merchantsOf(new BsonDocument());
    }

    /** The merchants of these tenants. */
    Flux<Retained> merchants(Collection<Tenant> tenants) {
        return merchantsOf(
                in("number", tenants.stream().map(Tenant::merchantNumber).collect(Collectors.toSet())));
    }

    private Flux<Retained> merchantsOf(Bson condition) {
        return Flux.from(merchants.find(condition).projection(Projections.include("number", "retentionDays")))
                .map(found -> new Retained(found.getLong("number"), found.getInteger("retentionDays")))
                // all at once: a cursor ends after the driver's time-out, and a merchant may take minutes
                .collectList()
                .flatMapIterable(all -> all);
    }

    /** Up to {@code max} transactions of a tenant that were created before a time, the oldest first, after the last one that is done. */
    Flux<Found> next(Tenant tenant, @Nullable UUID after, Instant createdBefore, int max) {
        UUID lowest = after == null ? new UUID(0, 0) : after;
        return Flux.from(transactions
                        .find(and(
                                eq(TransactionFields.TENANT, tenant.key()),
                                gt(TransactionFields.ID, TransactionCodec.binary(lowest)),
                                lt(
                                        TransactionFields.ID,
                                        TransactionCodec.binary(UuidV7.lowest(createdBefore.toEpochMilli())))))
                        .hint(Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .limit(max))
                .map(RedactionStore::found);
    }

    /** Those of these transactions that are stored. */
    Flux<Found> find(Collection<Tenant> tenants, Collection<TransactionId> ids) {
        return Flux.from(transactions
                        .find(and(
                                in(
                                        TransactionFields.TENANT,
                                        tenants.stream().map(Tenant::key).toList()),
                                in(
                                        TransactionFields.ID,
                                        ids.stream()
                                                .map(id -> TransactionCodec.binary(id.value()))
                                                .toList())))
                        .hint(Indexes.ascending(TransactionFields.ID)))
                .map(RedactionStore::found);
    }

    private static Found found(RawBsonDocument document) {
        TransactionId id = new TransactionId(StoredValues.uuid(document, TransactionFields.ID));
        Tenant tenant = new Tenant(document.getInt64(TransactionFields.TENANT).getValue());
        List<Long> tokens = document.getArray(TransactionFields.SEARCH, new BsonArray()).stream()
                .map(token -> token.asInt64().getValue())
                .toList();
        try {
            return new Found(id, tenant, document.decode(CODEC), tokens);
        } catch (RuntimeException damaged) {
            LOG.atError()
                    .addKeyValue("event.action", "transaction_undecodable")
                    .addKeyValue("transaction.id", id)
                    .addKeyValue("cause", damaged.getClass().getSimpleName())
                    .log("A stored transaction is damaged; its personal data stays");
            return new Found(id, tenant, null, tokens);
        }
    }

    /**
     * Removes the personal data of transactions that have not changed since they were read. Those without any are left alone.
     *
     * @return whether all are without now; false if one has changed meanwhile
     */
    Mono<Boolean> redact(List<Found> read) {
        List<UpdateOneModel<RawBsonDocument>> updates =
                read.stream().flatMap(RedactionStore::update).toList();
        return updates.isEmpty()
                ? Mono.just(true)
                : Mono.from(transactions.bulkWrite(updates, UNORDERED))
                        .map(result -> result.getMatchedCount() == updates.size());
    }

    private static Stream<UpdateOneModel<RawBsonDocument>> update(Found read) {
        Transaction before = read.transaction();
        Transaction after = before == null ? null : Redaction.of(before);
        if (before == null || after == null || after.equals(before)) {
            return Stream.empty();
        }
        BsonDocument stored = StoredValues.document(CODEC, before);
        BsonDocument left = StoredValues.document(CODEC, after);
        BsonDocument unset = new BsonDocument();
        stored.keySet().stream()
                .filter(field -> !left.containsKey(field))
                .forEach(field -> unset.append(field, BsonBoolean.TRUE));
        // fields that this version does not know stay
        left.entrySet().removeIf(field -> field.getValue().equals(stored.get(field.getKey())));
        left.append(
                TransactionFields.SEARCH,
                new BsonArray(SearchTokens.left(read.tokens(), read.id(), after.terms()).stream()
                        .map(BsonInt64::new)
                        .toList()));
        BsonDocument change = new BsonDocument("$set", left);
        return Stream.of(new UpdateOneModel<>(
                and(
                        eq(
                                TransactionFields.ID,
                                TransactionCodec.binary(read.id().value())),
                        eq(TransactionFields.TENANT, read.tenant().key()),
                        eq(TransactionFields.VERSION, before.version())),
                unset.isEmpty() ? change : change.append("$unset", unset),
                new UpdateOptions().hint(Indexes.ascending(TransactionFields.ID))));
    }

    /** How far a tenant's transactions are done; empty at first. */
    Mono<UUID> progress(Tenant tenant) {
        return Mono.from(leases.find(ofProgress(tenant))).map(found -> StoredValues.uuid(found, RedactionFields.AFTER));
    }

    Mono<Void> done(Tenant tenant, UUID last, int redacted) {
        return Mono.from(leases.updateOne(
                        ofProgress(tenant), set(RedactionFields.AFTER, TransactionCodec.binary(last)), UPSERT))
                .then(count(redacted));
    }

    private static Bson ofProgress(Tenant tenant) {
        return eq(RedactionFields.ID, RedactionFields.PROGRESS + tenant.key());
    }

    /** Adds to the number that operators see. */
    Mono<Void> count(int redacted) {
        return redacted == 0
                ? Mono.empty()
                : Mono.from(leases.updateOne(STATE, inc(RedactionFields.REDACTED, (long) redacted), UPSERT))
                        .then();
    }

    /** @param days of the installation; null without */
    Mono<Void> begun(@Nullable Integer days, Instant at) {
        return Mono.from(leases.updateOne(
                        STATE,
                        combine(
                                set(RedactionFields.BEGUN_AT, Date.from(at)),
                                days == null ? unset(RedactionFields.DAYS) : set(RedactionFields.DAYS, days)),
                        UPSERT))
                .then();
    }

    Mono<Void> ended(Instant at) {
        return Mono.from(leases.updateOne(STATE, set(RedactionFields.ENDED_AT, Date.from(at))))
                .then();
    }
}
