package dev.ligeiro.processor.due;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.TransactionFields;
import java.time.Duration;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** The indexes of due work, which the gateway creates in a running system. */
public final class DueIndexes {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private DueIndexes() {}

    public static void create(MongoDatabase database) {
        Flux.from(database.getCollection(CollectionNames.TRANSACTIONS)
                        .createIndexes(Stream.of(
                                        TransactionFields.DUE,
                                        TransactionFields.UNSETTLED_SINCE,
                                        TransactionFields.APPROVAL_SINCE)
                                .map(field -> new IndexModel(
                                        Indexes.ascending(field, TransactionFields.ID),
                                        new IndexOptions().partialFilterExpression(Filters.exists(field))))
                                .toList()))
                .blockLast(TIMEOUT);
    }
}
