package dev.ligeiro.gateway.publish.republish;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.gateway.store.CollectionSetup;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
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
    private static final String ID = "_id";
    private static final String REQUESTED_AT = CollectionSetup.QUEUED_CHANGES_REQUESTED_AT;
    private static final String COMMAND = "command";

    private final MongoCollection<Document> changes;
    private final MongoCollection<RawBsonDocument> transactions;

    QueuedChangeStore(MongoDatabase database, MongoCollection<Transaction> transactions) {
        this.changes = database.getCollection(CollectionSetup.QUEUED_CHANGES);
        this.transactions = transactions.withDocumentClass(RawBsonDocument.class);
    }

    /**
     * @param requestedAt when its command was last to be published
     * @param command null if it cannot be read, for example because a newer gateway has written it
     */
    record Queued(UUID id, Instant requestedAt, TransactionCommand.@Nullable Change command) {}

    public Mono<Void> insert(TransactionCommand.Change command, Instant requestedAt) {
        return Mono.from(changes.insertOne(new Document(ID, command.change().id())
                        .append(REQUESTED_AT, Date.from(requestedAt))
                        .append(COMMAND, new Binary(MessageJson.write(command)))))
                .then();
    }

    /** The first {@code max} that were last requested before {@code time}, the longest waiting first. */
    Mono<List<Queued>> requestedBefore(Instant time, int max) {
        return Flux.from(changes.find(lt(REQUESTED_AT, Date.from(time)))
                        .sort(Sorts.ascending(REQUESTED_AT))
                        .limit(max))
                .map(found -> new Queued(
                        found.get(ID, UUID.class), found.getDate(REQUESTED_AT).toInstant(), command(found)))
                .collectList();
    }

    private static TransactionCommand.@Nullable Change command(Document found) {
        try {
            return (TransactionCommand.Change)
                    MessageJson.readCommand(found.get(COMMAND, Binary.class).getData());
        } catch (RuntimeException unreadable) {
            return null;
        }
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

    Mono<Void> request(Queued queued, Instant at) {
        return Mono.from(changes.updateOne(eq(ID, queued.id()), Updates.set(REQUESTED_AT, Date.from(at))))
                .then();
    }

    Mono<Void> delete(Queued queued) {
        return Mono.from(changes.deleteOne(eq(ID, queued.id()))).then();
    }
}
