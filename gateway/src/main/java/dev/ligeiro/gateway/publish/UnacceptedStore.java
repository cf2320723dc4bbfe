package dev.ligeiro.gateway.publish;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.support.mongo.AllShards;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.Function;
import org.bson.RawBsonDocument;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds unaccepted transactions by a partial index, which has each of them from its insert to its acceptance. */
@Component
class UnacceptedStore {

    private static final TransactionCodec CODEC = new TransactionCodec();
    private static final Bson INDEX = Indexes.ascending(TransactionFields.UNACCEPTED, TransactionFields.ID);
    private static final BulkWriteOptions UNORDERED =
            new BulkWriteOptions().ordered(false).comment(AllShards.SWEEP);

    private final MongoCollection<RawBsonDocument> transactions;

    UnacceptedStore(MongoCollection<Transaction> transactions) {
        this.transactions = transactions.withDocumentClass(RawBsonDocument.class);
    }

    /**
     * A stored transaction that no processor has accepted.
     *
     * @param requestedAt when its command was last to be published; the creation at first
     * @param command carries the transaction; null if the document cannot be decoded or is not a new transaction, or if only keys of the index
     *     were read
     */
    record Unaccepted(TransactionId id, Instant requestedAt, TransactionCommand.@Nullable Process command) {

        boolean isRepublished() {
            return requestedAt.isAfter(id.createdAt());
        }
    }

    /** The first {@code max} whose commands were last requested before {@code time}, the longest waiting first. */
    Flux<Unaccepted> requestedBefore(Instant time, int max) {
        return Flux.from(find(Filters.lt(TransactionFields.UNACCEPTED, Date.from(time)), max))
                .map(found -> unaccepted(found, decoded(found)));
    }

    /** The keys of the first {@code max}, the longest waiting first. Reads the index only. */
    Flux<Unaccepted> keys(int max) {
        return Flux.from(find(Filters.exists(TransactionFields.UNACCEPTED), max)
                        .projection(Projections.include(TransactionFields.UNACCEPTED, TransactionFields.ID)))
                .map(found -> unaccepted(found, null));
    }

    /** Stores new times of request; not for a transaction that was accepted, or requested by another gateway, meanwhile. */
    Mono<Void> request(List<Unaccepted> found, Function<Unaccepted, Instant> at) {
        List<UpdateOneModel<RawBsonDocument>> updates = found.stream()
                .map(each -> new UpdateOneModel<RawBsonDocument>(
                        Filters.and(
                                Filters.eq(
                                        TransactionFields.ID,
                                        TransactionCodec.binary(each.id().value())),
                                Filters.eq(TransactionFields.UNACCEPTED, Date.from(each.requestedAt()))),
                        Updates.set(TransactionFields.UNACCEPTED, Date.from(at.apply(each)))))
                .toList();
        return Mono.from(transactions.bulkWrite(updates, UNORDERED)).then();
    }

    private FindPublisher<RawBsonDocument> find(Bson filter, int max) {
        return transactions.find(filter).hint(INDEX).sort(INDEX).limit(max).comment(AllShards.SWEEP);
    }

    private static Unaccepted unaccepted(RawBsonDocument found, TransactionCommand.@Nullable Process command) {
        Instant requestedAt = Instant.ofEpochMilli(
                found.getDateTime(TransactionFields.UNACCEPTED).getValue());
        return new Unaccepted(id(found), requestedAt, command);
    }

    private static TransactionCommand.@Nullable Process decoded(RawBsonDocument document) {
        try {
            return new TransactionCommand.Process(document.decode(CODEC));
        } catch (RuntimeException undecodable) {
            return null;
        }
    }

    private static TransactionId id(RawBsonDocument document) {
        return new TransactionId(document.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD));
    }
}
