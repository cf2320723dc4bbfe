package dev.ligeiro.gateway.publish;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.QueuedChange;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The changes that were answered 202, in MongoDB, until their outcome is in the transaction. Only those: a change whose outcome came in time
 * costs nothing here.
 */
@Component
public class QueuedChangeStore {

    private static final TransactionCodec CODEC = new TransactionCodec();

    private final MongoCollection<Document> changes;
    private final MongoCollection<RawBsonDocument> transactions;

    QueuedChangeStore(MongoDatabase database, MongoCollection<Transaction> transactions) {
        this.changes = database.getCollection(CollectionNames.QUEUED_CHANGES);
        this.transactions = transactions.withDocumentClass(RawBsonDocument.class);
    }

    public Mono<Void> insert(TransactionCommand.Change command, Instant requestedAt) {
        return Mono.from(changes.insertOne(QueuedChange.document(command, requestedAt)))
                .then();
    }

    /** The first {@code max} that were last requested before {@code time}, the longest waiting first. */
    Mono<List<QueuedChange>> requestedBefore(Instant time, int max) {
        return Flux.from(changes.find(lt(QueuedChange.REQUESTED_AT, Date.from(time)))
                        .sort(Sorts.ascending(QueuedChange.REQUESTED_AT))
                        .limit(max))
                .map(QueuedChange::of)
                .collectList();
    }

    /** The transactions of these changes, without damaged ones. */
    Flux<Transaction> transactions(Collection<TransactionCommand.Change> commands) {
        return Flux.from(transactions.find(and(
                        in(
                                TransactionFields.ID,
                                commands.stream()
                                        .map(each -> TransactionCodec.binary(
                                                each.transactionId().value()))
                                        .toList()),
                        in(
                                TransactionFields.TENANT,
                                commands.stream()
                                        .map(each -> each.tenant().key())
                                        .toList()))))
                .concatMap(found -> Mono.fromCallable(() -> found.decode(CODEC)).onErrorComplete());
    }

    Mono<Void> request(QueuedChange queued, Instant at) {
        return Mono.from(changes.updateOne(
                        eq(QueuedChange.ID, queued.id()), Updates.set(QueuedChange.REQUESTED_AT, Date.from(at))))
                .then();
    }

    Mono<Void> delete(QueuedChange queued) {
        return Mono.from(changes.deleteOne(eq(QueuedChange.ID, queued.id()))).then();
    }
}
