package dev.ligeiro.gateway.list.match;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.limit.BoundedReads;
import dev.ligeiro.gateway.mongo.DecodeEach;
import dev.ligeiro.gateway.mongo.LongReads;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.RawBsonDocument;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the documents of the shown rows and no others, 5 µs each; MongoDB never sorts in memory. Reads see what a majority has. */
@Component
class DocumentStore {

    private static final TransactionCodec CODEC = new TransactionCodec();

    private final BoundedReads bounds;
    private final DecodeEach decode;
    private final MongoCollection<RawBsonDocument> transactions;

    DocumentStore(LongReads reads, BoundedReads bounds, DecodeEach decode) {
        this.bounds = bounds;
        this.decode = decode;
        this.transactions = reads.transactions()
                .withDocumentClass(RawBsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY)
                .withTimeout(TermStore.QUERY_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** The newest transactions of a filter with one term or none. */
    Mono<Found> newest(Filter filter, Span span, long skip, int limit) {
        FindPublisher<RawBsonDocument> newest = find(IndexQuery.of(filter.tenant(), filter.onlyTerm(), span));
        return list(newest.skip(Math.toIntExact(skip)), limit)
                .map(documents -> found(documents, documents.size() < limit ? null : id(documents.get(limit - 1))));
    }

    /** Those of these transactions that still have the filter's status, the newest first. */
    Mono<Found> byIds(Filter filter, FoundIds ids) {
        int limit = ids.ids().size();
        return limit == 0
                ? Mono.just(new Found(List.of(), ids.reached()))
                : list(find(IndexQuery.byIds(filter, ids.ids())), limit)
                        .map(documents -> found(documents, ids.reached()));
    }

    /** With the limit, MongoDB closes the cursor after the first batch; without it, the driver would have to ask for a second one. */
    private Mono<List<RawBsonDocument>> list(FindPublisher<RawBsonDocument> found, int limit) {
        return bounds.query(Flux.from(found.limit(limit).batchSize(limit)).collectList());
    }

    private FindPublisher<RawBsonDocument> find(IndexQuery query) {
        return transactions.find(query.condition()).hint(query.index()).sort(Sorts.descending(TransactionFields.ID));
    }

    private Found found(List<RawBsonDocument> documents, @Nullable TransactionId reached) {
        List<Transaction> rows =
                documents.stream().map(this::read).flatMap(Stream::ofNullable).toList();
        return new Found(rows, documents.size() - rows.size(), reached);
    }

    private @Nullable Transaction read(RawBsonDocument document) {
        return decode.orNull(CollectionNames.TRANSACTIONS, id(document), () -> document.decode(CODEC));
    }

    private static TransactionId id(RawBsonDocument document) {
        return new TransactionId(document.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD));
    }
}
