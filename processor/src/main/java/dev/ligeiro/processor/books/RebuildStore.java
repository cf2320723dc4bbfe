package dev.ligeiro.processor.books;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.not;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RebuildFields;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The rebuild that an operator has asked for, with its progress, and the transactions that it reads. */
@Component
class RebuildStore {

    private static final Logger LOG = LoggerFactory.getLogger(RebuildStore.class);
    private static final TransactionCodec CODEC = new TransactionCodec();

    private final MongoCollection<Document> leases;
    private final MongoCollection<RawBsonDocument> transactions;

    RebuildStore(MongoDatabase database) {
        this.leases = database.getCollection(CollectionNames.LEASES);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, RawBsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    /**
     * A rebuild that has not ended.
     *
     * @param after the last transaction that is done; null for none
     * @param afterPayment the last unmatched payment that is done; null for none
     * @param batches how many batches have begun, with those that were begun again
     */
    record Running(String run, @Nullable UUID after, @Nullable String afterPayment, long batches) {}

    Mono<Running> running() {
        return Mono.from(
                        leases.find(and(eq(RebuildFields.ID, RebuildFields.NAME), not(exists(RebuildFields.ENDED_AT)))))
                .map(RebuildStore::read);
    }

    /** The next batch, with a number of its own: read again, the same transactions may have more postings. */
    Mono<Running> begin(Running last) {
        return Mono.from(leases.findOneAndUpdate(
                        of(last),
                        inc(RebuildFields.BATCHES, 1L),
                        new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
                .map(RebuildStore::read);
    }

    private static Running read(Document found) {
        return new Running(
                found.getString(RebuildFields.RUN),
                found.get(RebuildFields.AFTER, UUID.class),
                found.getString(RebuildFields.AFTER_PAYMENT),
                found.getLong(RebuildFields.BATCHES));
    }

    /**
     * A transaction of the store.
     *
     * @param transaction null for a damaged document: its postings stay missing
     */
    record Found(UUID id, @Nullable Transaction transaction) {}

    /** Up to {@code max} transactions, in the order of their ids. */
    Flux<Found> transactions(@Nullable UUID after, int max) {
        return Flux.from(transactions
                        .find(after == null ? new Document() : gt(TransactionFields.ID, TransactionCodec.binary(after)))
                        .hint(Indexes.ascending(TransactionFields.ID))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .limit(max)
                        .comment(AllShards.OPERATOR))
                .map(RebuildStore::found);
    }

    private static Found found(RawBsonDocument document) {
        UUID id = StoredValues.uuid(document, TransactionFields.ID);
        try {
            return new Found(id, document.decode(CODEC));
        } catch (RuntimeException damaged) {
            LOG.atError()
                    .addKeyValue("event.action", "transaction_undecodable")
                    .addKeyValue("transaction.id", id)
                    .addKeyValue("cause", damaged.getClass().getSimpleName())
                    .log("A stored transaction is damaged; the rebuild leaves out its postings");
            return new Found(id, null);
        }
    }

    /**
     * A batch is done; changes nothing if another process has begun the same one again.
     *
     * @param field {@link RebuildFields#AFTER} or {@link RebuildFields#AFTER_PAYMENT}, and {@code last} the id that it gets
     */
    Mono<Void> done(Running batch, String field, Object last, long added) {
        return Mono.from(leases.updateOne(of(batch), combine(set(field, last), inc(RebuildFields.ADDED, added))))
                .then();
    }

    Mono<Void> ended(Running last, Instant at) {
        return Mono.from(leases.updateOne(of(last), set(RebuildFields.ENDED_AT, Date.from(at))))
                .then();
    }

    private static Bson of(Running batch) {
        return and(
                eq(RebuildFields.ID, RebuildFields.NAME),
                eq(RebuildFields.RUN, batch.run()),
                eq(RebuildFields.BATCHES, batch.batches()));
    }
}
