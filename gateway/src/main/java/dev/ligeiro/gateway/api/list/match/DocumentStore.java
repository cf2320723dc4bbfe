package dev.ligeiro.gateway.api.list.match;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.store.DecodeEach;
import dev.ligeiro.gateway.store.LongReads;
import dev.ligeiro.gateway.store.ReducingCodec;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
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

    private final BoundedReads bounds;
    private final DecodeEach decode;
    private final MongoCollection<Row> transactions;

    DocumentStore(LongReads reads, BoundedReads bounds, DecodeEach decode) {
        this.bounds = bounds;
        this.decode = decode;
        this.transactions = reads.transactions(new ReducingCodec<>(
                        Row.class,
                        (transaction, bytes) -> new Row(transaction.id(), transaction.snapshot(), bytes),
                        this::undecodable))
                .withReadConcern(ReadConcern.MAJORITY)
                .withTimeout(TermStore.QUERY_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /**
     * The newest transactions of a filter with a status or without any term.
     *
     * @param bytesMax a read ends when its documents have so many
     */
    Mono<Found> newest(Filter filter, Span span, long skip, int limit, long bytesMax) {
        FindPublisher<Row> newest = find(IndexQuery.of(filter.tenant(), filter.onlyTerm(), List.of(), span));
        return rows(newest.skip(Math.toIntExact(skip)), limit, bytesMax)
                .map(rows -> found(rows, bytesMax, rows.size() < limit ? null : last(rows)));
    }

    /** The transactions with these ids that still have the filter's status, the newest first. */
    Mono<Found> byIds(Filter filter, IdWalk.FoundIds ids, long bytesMax) {
        int limit = ids.ids().size();
        return limit == 0
                ? Mono.just(new Found(List.of(), ids.reached()))
                : rows(find(IndexQuery.byIds(filter, ids.ids())), limit, bytesMax)
                        .map(rows -> found(rows, bytesMax, ids.reached()));
    }

    /**
     * @param bytesMax a read whose documents have so many has ended early
     * @param reached of a read that has not
     */
    private static Found found(List<Row> read, long bytesMax, @Nullable TransactionId reached) {
        List<TransactionSnapshot> rows =
                read.stream().map(Row::transaction).flatMap(Stream::ofNullable).toList();
        long bytes = read.stream().mapToLong(Row::bytes).sum();
        return new Found(rows, read.size() - rows.size(), bytes, bytes < bytesMax ? reached : last(read));
    }

    private static TransactionId last(List<Row> read) {
        return read.get(read.size() - 1).id();
    }

    /** With the limit, MongoDB closes the cursor after the first batch; without it, the driver would have to ask for a second one. */
    private Mono<List<Row>> rows(FindPublisher<Row> found, int limit, long bytesMax) {
        Mono<List<Row>> rows = Flux.defer(() -> {
                    long[] bytes = {0};
                    return Flux.from(found.limit(limit).batchSize(limit))
                            .takeUntil(row -> (bytes[0] += row.bytes()) >= bytesMax);
                })
                .collectList();
        return bounds.query(bounds.transactions(rows));
    }

    private FindPublisher<Row> find(IndexQuery query) {
        return transactions.find(query.condition()).hint(query.index()).sort(Sorts.descending(TransactionFields.ID));
    }

    private Row undecodable(RawBsonDocument document, RuntimeException failure) {
        TransactionId id =
                new TransactionId(document.getBinary(TransactionFields.ID).asUuid(UuidRepresentation.STANDARD));
        decode.report(CollectionNames.TRANSACTIONS, id, failure);
        return new Row(id, null, document.getByteBuffer().remaining());
    }

    /**
     * @param transaction null if the document cannot be decoded
     * @param bytes those of the document
     */
    private record Row(TransactionId id, @Nullable TransactionSnapshot transaction, int bytes) {}
}
