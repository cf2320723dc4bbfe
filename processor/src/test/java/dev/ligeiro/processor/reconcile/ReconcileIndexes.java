package dev.ligeiro.processor.reconcile;

import static com.mongodb.client.model.Indexes.ascending;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.PostingFields;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;

/** The indexes of the reconciliation, which the gateway creates in a running system. */
public final class ReconcileIndexes {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private ReconcileIndexes() {}

    public static void create(MongoDatabase database) {
        create(
                database,
                CollectionNames.POSTINGS,
                partial(
                        PostingFields.RAIL_ID,
                        PostingFields.RAIL_ID_INDEX,
                        PostingFields.RAIL_NAME,
                        PostingFields.RAIL_ID),
                partial(
                        PostingFields.UNRECONCILED,
                        PostingFields.UNRECONCILED_INDEX,
                        PostingFields.RAIL_NAME,
                        PostingFields.AT));
        create(
                database,
                CollectionNames.BREAKS,
                partial(BreakFields.OPEN, BreakFields.OPEN_INDEX, BreakFields.SINCE, BreakFields.ID));
    }

    private static IndexModel partial(String present, String name, String... fields) {
        return new IndexModel(
                ascending(fields), new IndexOptions().name(name).partialFilterExpression(Filters.exists(present)));
    }

    private static void create(MongoDatabase database, String collection, IndexModel... indexes) {
        Flux.from(database.getCollection(collection).createIndexes(List.of(indexes)))
                .blockLast(TIMEOUT);
    }
}
