package dev.ligeiro.processor.books;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.not;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.RebuildFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The rebuild that an operator has asked for, with its progress, and the transactions that it reads. */
@Component
class RebuildStore {

    private final MongoCollection<Document> leases;
    private final MongoCollection<Transaction> transactions;

    RebuildStore(MongoDatabase database) {
        this.leases = database.getCollection(CollectionNames.LEASES);
        this.transactions = database.getCollection(CollectionNames.TRANSACTIONS, Transaction.class)
                .withReadConcern(ReadConcern.MAJORITY)
                .withCodecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new TransactionCodec()),
                        MongoClientSettings.getDefaultCodecRegistry()));
    }

    /**
     * A rebuild that has not ended.
     *
     * @param after the last transaction that is done; null for none
     * @param batches how many batches have begun, with those that were begun again
     */
    record Running(String run, @Nullable UUID after, long batches) {}

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
                found.getLong(RebuildFields.BATCHES));
    }

    /** Up to {@code max} transactions, in the order of their ids. */
    Flux<Transaction> transactions(@Nullable UUID after, int max) {
        return Flux.from(transactions
                .find(after == null ? new Document() : gt(TransactionFields.ID, TransactionCodec.binary(after)))
                .hint(Indexes.ascending(TransactionFields.ID))
                .sort(Sorts.ascending(TransactionFields.ID))
                .limit(max)
                .comment(AllShards.OPERATOR));
    }

    /** A batch is done; changes nothing if another process has begun the same one again. */
    Mono<Void> done(Running batch, UUID last, long added) {
        return Mono.from(leases.updateOne(
                        of(batch), combine(set(RebuildFields.AFTER, last), inc(RebuildFields.ADDED, added))))
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
