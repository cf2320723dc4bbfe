package dev.ligeiro.processor.rail.simulator;

import com.mongodb.ReadConcern;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.SimulatorLedgerFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.support.work.RequestBatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
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
        return Flux.from(ledger.find(new BsonDocument(SimulatorLedgerFields.ID, new BsonDocument("$in", wanted))))
                .map(LedgerBson::read)
                .collect(HashMap::new, (found, entry) -> found.put(entry.id(), entry));
    }

    private static UpdateOneModel<BsonDocument> upsert(LedgerEntry first) {
        return new UpdateOneModel<>(
                Filters.eq(SimulatorLedgerFields.ID, TransactionCodec.binary(first.id())),
                LedgerBson.count(first),
                UPSERT);
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
