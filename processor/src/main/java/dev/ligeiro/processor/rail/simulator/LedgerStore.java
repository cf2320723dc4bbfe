package dev.ligeiro.processor.rail.simulator;

import static dev.ligeiro.store.SimulatorLedgerFields.AMOUNT;
import static dev.ligeiro.store.SimulatorLedgerFields.FIRST_AT;
import static dev.ligeiro.store.SimulatorLedgerFields.ID;
import static dev.ligeiro.store.SimulatorLedgerFields.KIND;
import static dev.ligeiro.store.SimulatorLedgerFields.LAST_AT;
import static dev.ligeiro.store.SimulatorLedgerFields.STATE;
import static dev.ligeiro.store.SimulatorLedgerFields.SUBMISSIONS;
import static dev.ligeiro.store.SimulatorLedgerFields.TRANSACTION_ID;

import com.mongodb.ReadConcern;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.work.RequestBatcher;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The ledger in MongoDB, one document for each id. Concurrent submissions share one unordered bulk of upserts, concurrent inquiries one
 * query. A submission of an id that is already there costs its batch a query more.
 */
@Component
class LedgerStore implements Ledger {

    private static final int BATCH_MAX = 500;
    private static final int IN_FLIGHT_MAX = 2;
    private static final int QUEUED_MAX = 10_000;

    /** A batch of commands submits its cashouts within this time, so that they share one bulk. */
    private static final Duration SPACING = Duration.ofMillis(2);

    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoCollection<BsonDocument> ledger;
    private final RequestBatcher<LedgerEntry, LedgerEntry> submissions =
            new RequestBatcher<>(BATCH_MAX, IN_FLIGHT_MAX, QUEUED_MAX, SPACING, this::submitBatch);
    private final RequestBatcher<UUID, LedgerEntry> inquiries =
            new RequestBatcher<>(BATCH_MAX, IN_FLIGHT_MAX, QUEUED_MAX, SPACING, this::findBatch);

    LedgerStore(MongoDatabase database) {
        this.ledger = database.getCollection(CollectionNames.SIMULATOR_LEDGER, BsonDocument.class)
                // a bank does not forget what it has answered
                .withReadConcern(ReadConcern.MAJORITY);
    }

    @Override
    public Mono<LedgerEntry> submit(LedgerEntry first) {
        return submissions.submit(first);
    }

    @Override
    public Mono<LedgerEntry> find(UUID id) {
        return inquiries.submit(id);
    }

    private Mono<RequestBatcher.Outcomes<LedgerEntry>> submitBatch(List<LedgerEntry> batch) {
        List<UpdateOneModel<BsonDocument>> upserts =
                batch.stream().map(LedgerStore::upsert).toList();
        return Mono.from(ledger.bulkWrite(upserts, UNORDERED)).flatMap(result -> {
            List<LedgerEntry> recorded = new ArrayList<>(batch);
            Set<Integer> repeated = new HashSet<>();
            for (int i = 0; i < batch.size(); i++) {
                repeated.add(i);
            }
            result.getUpserts().stream().map(BulkWriteUpsert::getIndex).forEach(repeated::remove);
            return findAll(repeated.stream().map(i -> batch.get(i).id()).toList())
                    .map(found -> {
                        repeated.forEach(
                                i -> recorded.set(i, found.get(batch.get(i).id())));
                        return new Recorded(recorded);
                    });
        });
    }

    private Mono<RequestBatcher.Outcomes<LedgerEntry>> findBatch(List<UUID> ids) {
        return findAll(ids)
                .map(found -> new Recorded(ids.stream().map(found::get).toList()));
    }

    private Mono<Map<UUID, LedgerEntry>> findAll(Collection<UUID> ids) {
        if (ids.isEmpty()) {
            return Mono.just(Map.of());
        }
        BsonArray wanted = new BsonArray();
        ids.forEach(id -> wanted.add(TransactionCodec.binary(id)));
        return Flux.from(ledger.find(new BsonDocument(ID, new BsonDocument("$in", wanted))))
                .map(LedgerStore::read)
                .collect(HashMap::new, (found, entry) -> found.put(entry.id(), entry));
    }

    private static UpdateOneModel<BsonDocument> upsert(LedgerEntry first) {
        return new UpdateOneModel<>(Filters.eq(ID, TransactionCodec.binary(first.id())), count(first), UPSERT);
    }

    /** The upsert that counts a submission. */
    private static BsonDocument count(LedgerEntry first) {
        return new BsonDocument(
                        "$setOnInsert",
                        new BsonDocument(KIND, new BsonString(first.kind().code()))
                                .append(
                                        TRANSACTION_ID,
                                        TransactionCodec.binary(
                                                first.transaction().value()))
                                .append(AMOUNT, new BsonInt64(first.amount().cents()))
                                .append(STATE, new BsonString(first.state().code()))
                                .append(FIRST_AT, time(first.firstAt())))
                .append("$max", new BsonDocument(LAST_AT, time(first.lastAt())))
                .append("$inc", new BsonDocument(SUBMISSIONS, new BsonInt32(1)));
    }

    private static LedgerEntry read(BsonDocument document) {
        return new LedgerEntry(
                StoredValues.uuid(document, ID),
                Codes.get(LedgerEntry.Kind.class, StoredValues.text(document, KIND)),
                new TransactionId(StoredValues.uuid(document, TRANSACTION_ID)),
                new Amount(document.getInt64(AMOUNT).getValue()),
                Codes.get(LedgerEntry.State.class, StoredValues.text(document, STATE)),
                document.getInt32(SUBMISSIONS).getValue(),
                StoredValues.instant(document, FIRST_AT),
                StoredValues.instant(document, LAST_AT));
    }

    private static BsonDateTime time(Instant at) {
        return new BsonDateTime(at.toEpochMilli());
    }

    private record Recorded(List<@Nullable LedgerEntry> entries) implements RequestBatcher.Outcomes<LedgerEntry> {

        @Override
        public @Nullable Throwable failure(int index) {
            return null;
        }

        @Override
        public @Nullable LedgerEntry result(int index) {
            return entries.get(index);
        }
    }
}
