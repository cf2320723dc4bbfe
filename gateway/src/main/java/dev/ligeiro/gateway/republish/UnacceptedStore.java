package dev.ligeiro.gateway.republish;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.UuidRepresentation;
import org.bson.conversions.Bson;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds unaccepted transactions by their ids, which contain the time of creation. There is no index of unaccepted transactions: it
 * would make every insert and every acceptance slower, while the sweeper reads each transaction only once.
 */
@Component
class UnacceptedStore {

    static final int BATCH = 500;
    private static final int SCAN_MAX = 100_000;
    private static final long SCAN_MINUTES_MAX = 10;
    private static final long FIRST_SECONDS_MAX = 5;
    private static final TransactionCodec CODEC = new TransactionCodec();

    private final MongoCollection<RawBsonDocument> transactions;

    /** @param transactions not of the client for long reads: a scan would hold up lists and feeds for as long as it takes */
    UnacceptedStore(MongoCollection<Transaction> transactions) {
        this.transactions =
                transactions.withDocumentClass(RawBsonDocument.class).withTimeout(SCAN_MINUTES_MAX, TimeUnit.MINUTES);
    }

    /** The unaccepted transactions created in the span, the oldest first. Reads all transactions of the span. */
    Flux<Unaccepted> createdIn(RepublishSchedule.Span span) {
        return Flux.from(transactions
                        .find(Filters.and(createdWithin(span), Filters.eq(TransactionFields.UNACCEPTED, true)))
                        .hint(Indexes.ascending(TransactionFields.ID))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .batchSize(BATCH))
                .map(UnacceptedStore::unaccepted);
    }

    /**
     * The first part of the span with about {@value SCAN_MAX} transactions, at least a millisecond long; the whole span if it has fewer.
     * Reads keys of the index only.
     */
    Mono<RepublishSchedule.Span> firstOf(RepublishSchedule.Span span) {
        Instant least = span.from().plusMillis(1);
        return Flux.from(ids(createdWithin(span))
                        .hint(Indexes.ascending(TransactionFields.ID))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .skip(SCAN_MAX)
                        .limit(1))
                .next()
                .map(next -> id(next).createdAt())
                .map(next -> new RepublishSchedule.Span(span.from(), next.isBefore(least) ? least : next))
                .defaultIfEmpty(span);
    }

    /**
     * The creation of the oldest unaccepted transaction of those created since then. Without one it reads all transactions of that time,
     * about the last minute's: 0.3 s for 200,000 (measured 2026-11-23). Fails after {@value FIRST_SECONDS_MAX} s.
     */
    Mono<Instant> oldestSince(Instant from) {
        return Flux.from(transactions
                        .withTimeout(FIRST_SECONDS_MAX, TimeUnit.SECONDS)
                        .find(Filters.and(
                                Filters.gte(TransactionFields.ID, lowestIdAt(from)),
                                Filters.eq(TransactionFields.UNACCEPTED, true)))
                        .projection(Projections.include(TransactionFields.ID))
                        .hint(Indexes.ascending(TransactionFields.ID))
                        .sort(Sorts.ascending(TransactionFields.ID))
                        .limit(1))
                .next()
                .map(found -> id(found).createdAt());
    }

    /** The unaccepted ones of at most 500 transactions. */
    Flux<Unaccepted> unaccepted(List<TransactionId> ids) {
        return Flux.from(transactions.find(unacceptedOf(ids)).batchSize(BATCH)).map(UnacceptedStore::unaccepted);
    }

    /** The ids of the unaccepted ones of at most 500 transactions. */
    Flux<TransactionId> unacceptedIds(List<TransactionId> ids) {
        return Flux.from(ids(unacceptedOf(ids)).batchSize(BATCH)).map(UnacceptedStore::id);
    }

    private static Bson unacceptedOf(List<TransactionId> ids) {
        return Filters.and(
                Filters.in(
                        TransactionFields.ID,
                        ids.stream()
                                .map(id -> TransactionCodec.binary(id.value()))
                                .toList()),
                Filters.eq(TransactionFields.UNACCEPTED, true));
    }

    private static Bson createdWithin(RepublishSchedule.Span span) {
        return Filters.and(
                Filters.gte(TransactionFields.ID, lowestIdAt(span.from())),
                Filters.lt(TransactionFields.ID, lowestIdAt(span.before())));
    }

    private FindPublisher<RawBsonDocument> ids(Bson filter) {
        return transactions.find(filter).projection(Projections.include(TransactionFields.ID));
    }

    /** Decodes each document alone, so that one that cannot be decoded does not hide its neighbours. */
    private static Unaccepted unaccepted(RawBsonDocument document) {
        try {
            return new Unaccepted(id(document), Optional.of(document.decode(CODEC)));
        } catch (RuntimeException undecodable) {
            return new Unaccepted(id(document), Optional.empty());
        }
    }

    private static TransactionId id(BsonDocument document) {
        return new TransactionId(document.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD));
    }

    private static BsonBinary lowestIdAt(Instant at) {
        return TransactionCodec.binary(UuidV7.lowest(Math.max(0, at.toEpochMilli())));
    }
}
