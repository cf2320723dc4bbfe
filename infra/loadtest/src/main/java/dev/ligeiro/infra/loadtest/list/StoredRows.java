package dev.ligeiro.infra.loadtest.list;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.infra.loadtest.list.fill.Fill;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The stored transactions, read without the gateway. */
final class StoredRows {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration SCAN_MAX = Duration.ofMinutes(30);
    private static final int BATCH = 10_000;

    private final MongoCollection<Document> transactions;

    StoredRows(MongoDatabase database) {
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS).withReadConcern(ReadConcern.MAJORITY);
    }

    /** Passes all transactions of the tenant, in no order. Scans the documents: no index has a part in it. */
    void forEach(Tenant tenant, Consumer<ListRow> take) {
        Flux.from(transactions
                        .find(of(tenant), BsonDocument.class)
                        .hint(new Document("$natural", 1))
                        .projection(Projections.include(ListRow.FIELDS))
                        .batchSize(BATCH))
                .map(ListRow::of)
                .doOnNext(take)
                .then()
                .block(SCAN_MAX);
    }

    /** The oldest transaction with this status that was created at this time or later. */
    Optional<UUID> first(Tenant tenant, Status status, Instant from) {
        Bson filter = Filters.and(
                of(tenant),
                Filters.eq(TransactionFields.STATUS, status.code()),
                Filters.gte(TransactionFields.ID, TransactionCodec.binary(UuidV7.lowest(from.toEpochMilli()))));
        return Flux.from(transactions
                        .find(filter, BsonDocument.class)
                        .hint(Indexes.ascending(
                                TransactionFields.TENANT, TransactionFields.STATUS, TransactionFields.ID))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .projection(Projections.include(TransactionFields.ID))
                        .limit(1))
                .map(StoredRows::id)
                .next()
                .blockOptional(ANSWER_MAX);
    }

    /** The ids of this transaction and of the next older ones, the newest first. */
    List<UUID> idsFrom(Tenant tenant, UUID newest, int limit) {
        Bson filter = Filters.and(of(tenant), Filters.lte(TransactionFields.ID, TransactionCodec.binary(newest)));
        List<UUID> ids = Flux.from(transactions
                        .find(filter, BsonDocument.class)
                        .hint(Indexes.ascending(TransactionFields.TENANT, TransactionFields.ID))
                        .sort(Sorts.descending(TransactionFields.ID))
                        .projection(Projections.include(TransactionFields.ID))
                        .batchSize(BATCH)
                        .limit(limit))
                .map(StoredRows::id)
                .collectList()
                .block(SCAN_MAX);
        return Objects.requireNonNull(ids);
    }

    /** How many have this status now, of those created on these days; counted by the index of statuses. */
    long count(Tenant tenant, Status status, LocalDate first, LocalDate last) {
        Bson filter = Filters.and(
                of(tenant),
                Filters.eq(TransactionFields.STATUS, status.code()),
                Filters.gte(TransactionFields.ID, lowest(first)),
                Filters.lt(TransactionFields.ID, lowest(last.plusDays(1))));
        Bson index = Indexes.ascending(TransactionFields.TENANT, TransactionFields.STATUS, TransactionFields.ID);
        Long count = Mono.from(transactions.countDocuments(filter, new CountOptions().hint(index)))
                .block(ANSWER_MAX);
        return count == null ? 0 : count;
    }

    private static BsonBinary lowest(LocalDate day) {
        long milli = day.atStartOfDay(Fill.ZONE).toInstant().toEpochMilli();
        return TransactionCodec.binary(UuidV7.lowest(milli));
    }

    /** How many have an open call to the rail. */
    long unsettled(Tenant tenant) {
        // the hint is a partial index with very few keys
        Bson index = Indexes.ascending(TransactionFields.UNSETTLED_SINCE, TransactionFields.ID);
        Bson filter = Filters.and(Filters.exists(TransactionFields.UNSETTLED_SINCE), of(tenant));
        Long count = Mono.from(transactions.countDocuments(filter, new CountOptions().hint(index)))
                .block(ANSWER_MAX);
        return count == null ? 0 : count;
    }

    private static Bson of(Tenant tenant) {
        return Filters.eq(TransactionFields.TENANT, tenant.key());
    }

    private static UUID id(BsonDocument found) {
        return found.getBinary(TransactionFields.ID).asUuid();
    }
}
